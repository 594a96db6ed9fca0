"""The fewest preemptions with which corpus/safestack.c fails, or two threads have the same cell, from its text alone.

A breadth-first search over its states, switches that are no preemption first. Data that a thread will
not look at again is forgotten, so that states are few."""
import collections

CELLS, THREADS, TURNS, NOTHING = 3, 3, 2, -1
(COUNT, HEAD, MARK, MOVE, DOWN, BACK, OWN, CHECK, HEAD_AGAIN, LINK, PUT, UP, YIELD,
 ENDED) = range(14)


def advance(shared, thread, me):
    """One step of a thread: what is shared then, and the thread; None: the assertion fails."""
    head, count, links, owners = shared
    at, turn, first, after = thread
    if at == COUNT:
        return shared, (HEAD if count > 1 else YIELD, turn, 0, 0)
    if at == HEAD:
        return shared, (MARK, turn, head, 0)
    if at == MARK:
        marked = links[:first] + (NOTHING,) + links[first + 1:]
        return (head, count, marked, owners), ((COUNT, turn, 0, 0) if links[first] < 0 else
                                               (MOVE, turn, first, links[first]))
    if at == MOVE:
        if head != first:
            return shared, (BACK, turn, first, after)
        return (after, count, links, owners), (DOWN, turn, first, 0)
    if at == DOWN:
        return (head, count - 1, links, owners), (OWN, turn, first, 0)
    if at == BACK:
        return (head, count, links[:first] + (after,) + links[first + 1:], owners), (COUNT, turn, 0, 0)
    if at == OWN:
        return (head, count, links, owners[:first] + (me,) + owners[first + 1:]), (CHECK, turn, first, 0)
    if at == CHECK:
        return None if owners[first] != me else (shared, (HEAD_AGAIN, turn, first, 0))
    if at == HEAD_AGAIN:
        return shared, (LINK, turn, first, head)
    if at == LINK:
        return (head, count, links[:first] + (after,) + links[first + 1:], owners), (PUT, turn, first, after)
    if at == PUT:
        if head != after:
            return shared, (LINK, turn, first, head)
        return (first, count, links, owners), (UP, turn, 0, 0)
    if at == UP:
        return (head, count + 1, links, owners), (ENDED if turn + 1 == TURNS else COUNT, turn + 1, 0, 0)
    return shared, (COUNT, turn, 0, 0)


def is_shared(threads):
    """Two threads have moved the head past the same cell, and neither has given it back."""
    cells = [first for at, _, first, _ in threads if DOWN <= at <= PUT and at != BACK]
    return len(cells) != len(set(cells))


def fewest():
    """Until the assertion fails, and until two threads have the same cell."""
    links = tuple(i + 1 if i + 1 < CELLS else NOTHING for i in range(CELLS))
    start = ((0, CELLS, links, (0,) * CELLS), ((COUNT, 0, 0, 0),) * THREADS, None)
    costs, waiting, best = {start: 0}, collections.deque([(0, start)]), None
    shared_at = None
    while waiting:
        cost, state = waiting.popleft()
        if best is not None and cost >= best:
            return best, shared_at
        if costs[state] < cost:
            continue
        shared, threads, last = state
        if shared_at is None and is_shared(threads):
            shared_at = cost
        for me, thread in enumerate(threads):
            if thread[0] == ENDED:
                continue
            preempts = last not in (None, me)
            then = advance(shared, thread, me)
            if then is None:
                best = cost + preempts if best is None else min(best, cost + preempts)
                continue
            now = threads[:me] + (then[1],) + threads[me + 1:]
            stays = then[1][0] != ENDED and thread[0] != YIELD
            next_state = then[0], now, me if stays else None
            if costs.get(next_state, cost + 2) > cost + preempts:
                costs[next_state] = cost + preempts
                if preempts:
                    waiting.append((cost + 1, next_state))
                else:
                    waiting.appendleft((cost, next_state))
    return best, shared_at
