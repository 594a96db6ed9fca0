#include "strategy/waiting.h"

bool op_may_wait(enum op_kind kind)
{
    switch (kind) {
    case OP_ATOMIC_LOAD:
    case OP_ATOMIC_STORE:
    case OP_ATOMIC_UPDATE:
    case OP_ATOMIC_COMPARE:
    case OP_READ:
    case OP_WRITE:
    case OP_FREE:
    case OP_CREATE:
    case OP_MUTEX_UNLOCK:
    case OP_MUTEX_TRYLOCK:
    case OP_COND_WAIT:
    case OP_COND_SIGNAL:
    case OP_COND_BROADCAST:
    case OP_RWLOCK_UNREAD:
    case OP_RWLOCK_UNWRITE:
    case OP_RWLOCK_TRYREAD:
    case OP_RWLOCK_TRYWRITE:
    case OP_SPIN_TRYLOCK:
    case OP_SPIN_UNLOCK:
    case OP_BARRIER_ARRIVE:
    case OP_SEM_TRYWAIT:
    case OP_SEM_POST:
        return false;
    default:
        return true;
    }
}

bool op_lets_nobody_on(enum op_kind kind)
{
    switch (kind) {
    case OP_ATOMIC_LOAD:
    case OP_ATOMIC_STORE:
    case OP_ATOMIC_UPDATE:
    case OP_ATOMIC_COMPARE:
    case OP_READ:
    case OP_WRITE:
    case OP_CREATE:
    case OP_MUTEX_LOCK:
    case OP_MUTEX_TRYLOCK:
    case OP_SPIN_LOCK:
    case OP_SPIN_TRYLOCK:
    case OP_RWLOCK_READ:
    case OP_RWLOCK_WRITE:
    case OP_RWLOCK_TRYREAD:
    case OP_RWLOCK_TRYWRITE:
    case OP_SEM_WAIT:
    case OP_SEM_TRYWAIT:
        return true;
    default:
        return false;
    }
}

bool op_acquires(enum op_kind kind)
{
    return kind == OP_MUTEX_LOCK || kind == OP_SPIN_LOCK || kind == OP_RWLOCK_READ ||
           kind == OP_RWLOCK_WRITE;
}

bool op_releases(enum op_kind kind)
{
    return kind == OP_MUTEX_UNLOCK || kind == OP_SPIN_UNLOCK || kind == OP_RWLOCK_UNREAD ||
           kind == OP_RWLOCK_UNWRITE;
}
