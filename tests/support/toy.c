#include "support/toy.h"

#include <string.h>

void toy_add(struct toy_program *program, uint32_t list, struct toy_op op)
{
    CHECK(list < TOY_THREADS_MAX);
    CHECK(program->lists[list].count < TOY_OPS_MAX);
    if (list >= program->thread_count)
        program->thread_count = list + 1;
    program->lists[list].ops[program->lists[list].count++] = op;
}

void toy_create_all(struct toy_program *program)
{
    for (uint32_t i = 1; i < program->thread_count; i++)
        toy_add(program, 0, (struct toy_op){.kind = TOY_CREATE, .object = (uint8_t)i});
}

void toy_join_all(struct toy_program *program)
{
    for (uint32_t i = 1; i < program->thread_count; i++)
        toy_add(program, 0, (struct toy_op){.kind = TOY_JOIN, .object = (uint8_t)i});
}

struct toy_program toy_lockers(uint32_t threads, uint32_t times)
{
    struct toy_program program = {0};
    snprintf(program.name, sizeof program.name, "%u threads x %u times lock and unlock", threads,
             times);
    for (uint32_t thread = 1; thread <= threads; thread++)
        for (uint32_t i = 0; i < times; i++) {
            toy_add(&program, thread, (struct toy_op){.kind = TOY_LOCK});
            toy_add(&program, thread, (struct toy_op){.kind = TOY_UNLOCK});
        }
    toy_create_all(&program);
    toy_join_all(&program);
    return program;
}

static const char *const words[TOY_KINDS] = {
    [TOY_LOCK] = "lock m",
    [TOY_TRYLOCK] = "trylock m",
    [TOY_UNLOCK] = "unlock m",
    [TOY_WAIT] = "wait c",
    [TOY_SIGNAL] = "signal c",
    [TOY_BROADCAST] = "broadcast c",
    [TOY_LOAD] = "load v",
    [TOY_STORE] = "store v",
    [TOY_ADD] = "add v",
    [TOY_ASSERT] = "assert v",
    [TOY_YIELD] = "yield ",
    [TOY_CHOOSE] = "choose ",
    [TOY_CREATE] = "create T",
    [TOY_JOIN] = "join T",
    [TOY_EXIT] = "exit ",
    [TOY_SLEEP] = "sleep ",
    [TOY_COMPARE] = "compare v",
    [TOY_READ_LOCK] = "rdlock r",
    [TOY_TRY_READ_LOCK] = "tryrdlock r",
    [TOY_READ_UNLOCK] = "rdunlock r",
    [TOY_WRITE_LOCK] = "wrlock r",
    [TOY_TRY_WRITE_LOCK] = "trywrlock r",
    [TOY_WRITE_UNLOCK] = "wrunlock r",
    [TOY_SEM_WAIT] = "wait s",
    [TOY_SEM_TRY] = "trywait s",
    [TOY_SEM_POST] = "post s",
    [TOY_BARRIER] = "barrier b",
    [TOY_AWAIT] = "await v",
    [TOY_BACK] = "loop until v",
    [TOY_ACQUIRE] = "acquire v",
    [TOY_TIMED_WAIT] = "timedwait c",
    [TOY_TIMED_LOCK] = "timedlock m",
    [TOY_SEM_TIMED] = "timedwait s",
    [TOY_LOOK] = "look v",
    [TOY_KILL] = "kill T",
    [TOY_KILL_ANY] = "kill ",
    [TOY_BLOCK] = "block ",
    [TOY_UNBLOCK] = "unblock ",
    [TOY_IGNORE] = "ignore ",
    [TOY_SIGWAIT] = "sigwait ",
    [TOY_SIGPOLL] = "sigpoll ",
    [TOY_PENDING] = "pending ",
    [TOY_PAUSE] = "pause ",
    [TOY_CANCEL] = "cancel T",
    [TOY_TEST_CANCEL] = "testcancel ",
    [TOY_ALARM] = "alarm ",
    [TOY_EXPIRE] = "expire ",
};

bool toy_has(const struct toy_program *program, enum toy_kind kind)
{
    for (uint32_t i = 0; i < program->thread_count; i++)
        for (uint32_t k = 0; k < program->lists[i].count; k++)
            if (program->lists[i].ops[k].kind == kind)
                return true;
    return false;
}

static void print_list(FILE *file, const struct toy_list *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const struct toy_op *op = &list->ops[i];
        fprintf(file, " %s%u", words[op->kind], op->object);
        if (op->kind == TOY_WAIT || op->kind == TOY_TIMED_WAIT)
            fprintf(file, " m%u", op->second);
        if (op->kind >= TOY_KILL && op->kind <= TOY_PENDING)
            fprintf(file, " signal %u", op->second);
        if (op->value != 0)
            fprintf(file, " (%d)", op->value);
        if (op->skip != 0)
            fprintf(file, " else skip %u", op->skip);
        fprintf(file, ";");
    }
    fprintf(file, "\n");
}

void toy_print(FILE *file, const struct toy_program *program)
{
    for (uint32_t i = 0; i < program->thread_count; i++) {
        fprintf(file, "       T%u:", i);
        print_list(file, &program->lists[i]);
    }
    for (uint32_t i = 0; i <= TOY_SIGNALS; i++)
        if (program->handlers[i].count > 0) {
            fprintf(file, i < TOY_SIGNALS ? "       on signal %u:" : "       if cancelled:", i);
            print_list(file, &program->handlers[i]);
        }
}

struct toy_program toy_two_time_out(void)
{
    struct toy_program program = {.name = "two that time out", .thread_count = 4};
    toy_create_all(&program);
    toy_add(&program, 0, (struct toy_op){.kind = TOY_JOIN, .object = 1});
    toy_add(&program, 1, (struct toy_op){.kind = TOY_STORE, .value = 1});
    toy_add(&program, 2, (struct toy_op){.kind = TOY_LOOK});
    for (uint32_t thread = 2; thread <= 3; thread++) {
        toy_add(&program, thread, (struct toy_op){.kind = TOY_LOCK});
        toy_add(&program, thread, (struct toy_op){.kind = TOY_TIMED_WAIT, .value = 1});
        toy_add(&program, thread, (struct toy_op){.kind = TOY_UNLOCK});
    }
    return program;
}
