#!/usr/bin/env python3
"""Programs whose assertions hold whatever the schedule does are run without Bohr, on the real libc:
what the models return is what libc returns. `make test` takes a third of the programs."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tier  # noqa: E402
from engine import bench_run, fail, run, shown  # noqa: E402

PROGRAMS = pathlib.Path(__file__).resolve().parent.parent / "programs"
OPTIMISED = ["fortified_calls.c"]  # all others are built with -O0
# the program, and the arguments of each run
RUNS = [
    ("barrier.c", [[]]),
    ("barrier_rounds.c", [[]]),
    ("broadcast_wakes_all.c", [[]]),
    ("c11_returns.c", [[]]),
    ("c11_threads.c", [[]]),
    ("calls_by_number.c", [["yields"], ["ends"], ["sockets"], ["named"]]),
    ("calls_with_pointers.c", [[]]),
    ("cancel_asynchronous.c", [[]]),
    ("cancel_at_every_point.c", [[]]),
    ("cancel_points.c", [["sem"], ["join"], ["sigwait"], ["sleep"], ["nanosleep"], ["poll"],
                         ["read"], ["write"], ["recv"], ["send"], ["accept"], ["connect"],
                         ["poll-file"], ["select"], ["epoll"], ["pause"], ["sigwait-one"],
                         ["fifo"], ["waitpid"], ["cond"], ["system"]]),
    ("cancel_returns.c", [[]]),
    ("cancel_unwinds.cpp", [[]]),
    ("cancel_waiter_has_mutex.c", [[]]),
    ("child_end_is_signalled.c", [["suspend"], ["wait"], ["taken"], ["system"], ["spawn"],
                                  ["popen"], ["discarded"], ["killed"], ["several"],
                                  ["unheard"]]),
    ("child_processes.c", [[]]),
    ("cleanup_deferred.c", [[]]),
    ("cleanup_handlers.c", [[]]),
    ("closes_all_descriptors.c", [[], ["range"], ["from"], ["numbers"], ["number-range"]]),
    ("crash_handled_by_program.c", [[], ["repairs"]]),
    ("detach.c", [[]]),
    ("dprintf_numbers.c", [[]]),
    ("errors_by_signal.c", [["read"], ["readv"], ["write"], ["writev"], ["dprintf"], ["recv"],
                            ["recvfrom"], ["recvmsg"], ["send"], ["sendto"], ["sendmsg"],
                            ["accept"], ["accept4"], ["connect"], ["poll"], ["ppoll"],
                            ["select"], ["pselect"], ["epoll_wait"], ["epoll_pwait"],
                            ["epoll_pwait2"], ["eventfd_read"], ["eventfd_write"], ["sem_wait"],
                            ["sem_timedwait"], ["sem_clockwait"], ["nanosleep"],
                            ["clock_nanosleep"], ["usleep"], ["thrd_sleep"], ["sigwaitinfo"],
                            ["sigtimedwait"], ["pause"]]),
    ("errors_of_files.c", [[]]),
    ("errors_of_limits.c", [[]]),
    ("errors_of_locals.c", [[]]),
    ("errors_of_locks.c", [[]]),
    ("errors_of_processes.c", [[]]),
    ("errors_of_signals.c", [[]]),
    ("errors_of_sockets.c", [[]]),
    ("errors_of_streams.c", [[]]),
    ("errors_of_threads.c", [[]]),
    ("errors_of_waits.c", [["dead"], ["lost"], ["timed"], ["clock"]]),
    ("exception_held_by_several.cpp", [[], ["pointer"]]),
    ("exec_ways.c", [[]]),
    ("fifo.c", [[], ["stream"], ["alone"], ["signal"]]),
    ("file_functions_return.c", [[]]),
    ("file_locks.c", [[]]),
    ("fortified_calls.c", [[]]),
    ("futex_errors.c", [[]]),
    ("futex_timeout.c", [[]]),
    ("futex_wait_wake.c", [[]]),
    ("heap_functions_return.c", [[]]),
    ("heap_in_bounds.c", [[]]),
    ("heap_of_many_threads.c", [[]]),
    ("idiom_supervisor.c", [[]]),
    ("keys_return.c", [[]]),
    ("lock_in_block_freed_rightly.c", [["count"], ["barrier"], ["cond"], ["joined"],
                                       ["semaphore"]]),
    ("long_jump_over_locks.c", [[]]),
    ("main_leaves_by_pthread_exit.c", [[]]),
    ("message_queue_returns.c", [[]]),
    ("message_queue_wakes.c", [["two"], ["full"], ["timed"], ["counted"]]),
    ("misuse_none.c", [[], ["stack"]]),
    ("mutex_attributes.c", [[]]),
    ("mutex_types.c", [[]]),
    ("names_change_in_each_execution.c", [[]]),
    ("once_returns.c", [[]]),
    ("operators_return.cpp", [[]]),
    ("pipe_closed_while_written.c", [[]]),
    ("pipe_from_child.c", [["one"], ["long"], ["exec"], ["stream"], ["closed"], ["two"],
                             ["spawn"], ["spawn-closed"], ["system"], ["popen"]]),
    ("poll_under_lock_ends.c", [["mutex", "2"], ["mutex", "1"], ["spin", "1"], ["write", "1"],
                                ["two-locks", "1"], ["read", "2"], ["counted", "1"]]),
    ("process_beside_files.c", [[]]),
    ("process_shared.c", [[]]),
    ("pthread_exit_unwinds.cpp", [[]]),
    ("reset_cannot_undo.c", [[]]),
    ("robust_mutex.c", [[], ["lost"]]),
    ("robust_mutex_returns.c", [[]]),
    ("rwlock_readers_together.c", [[]]),
    ("rwlock_returns.c", [[]]),
    ("rwlock_writers_alone.c", [[]]),
    ("scanned_and_wide_return.c", [[]]),
    ("semaphore_as_mutex.c", [[]]),
    ("semaphore_returns.c", [[]]),
    ("semaphore_wakes.c", [[]]),
    ("sendfile_returns.c", [[], ["two"]]),
    ("several_at_once.c", [[]]),
    ("signal_broken_pipe.c", [["handled"], ["ignored"]]),
    ("signal_during_wait.c", [["cond"], ["barrier"], ["futex"]]),
    ("signal_handlers.c", [[]]),
    ("signal_interrupts.c", [["sem"], ["restart"], ["lock"]]),
    ("signal_loops_end.c", [["flag"], ["yield"], ["pending"], ["alarm"]]),
    ("signal_mask_of_poll.c", [["ppoll"], ["pselect"], ["epoll"], ["epoll2"], ["raw"],
                               ["ready"]]),
    ("signal_old_functions.c", [[]]),
    ("signal_orders_memory.c", [["kill"], ["timer"], ["cancel"]]),
    ("signal_to_process.c", [[]]),
    ("signalfd_returns.c", [[]]),
    ("signalfd_waits.c", [["read"], ["poll"], ["epoll"], ["two"], ["child"]]),
    ("sigwait_thread.c", [[]]),
    ("splice_returns.c", [[]]),
    ("splice_waits.c", [[], ["full"], ["memory"]]),
    ("spin_lock.c", [[]]),
    ("static_local_is_retried.cpp", [[]]),
    ("stream_functions_wait.c", [[], ["wide"]]),
    ("texts_return.c", [[]]),
    ("thread_attributes.c", [[]]),
    ("thread_returns.c", [[]]),
    ("thread_state.cpp", [[]]),
    ("time_functions_return.c", [[]]),
    ("timed_lock_returns.c", [[]]),
    ("timed_wait_returns.c", [[]]),
    ("timer_count.c", [[]]),
    ("timer_create_signals.c", [[]]),
    ("timer_starts_threads.c", [[], ["twice"]]),
    ("timers_of_work.c", [["virtual"], ["prof"], ["repeated"], ["both"], ["thread"]]),
    ("trylock.c", [[]]),
]


def check(bench):
    for name, runs in tier.sample("as_on_libc", RUNS, len(RUNS) // 3):
        source = PROGRAMS / name
        program = bench.folder / source.stem
        compiler = "g++" if source.suffix == ".cpp" else "gcc"
        level = "-O1" if name in OPTIMISED else "-O0"
        built = run([compiler, level, "-w", "-pthread", "-o", program, source])
        if built.status != 0:
            fail(name, expected="it builds", command=shown(built.command), output=built.text())
        for arguments in runs:
            done = run([program, *arguments])
            if done.status != 0:
                fail(name, expected="exit status 0 on the real libc", actual=done.status,
                     command=shown(done.command), output=done.text())
        print(f"ok   {name}")


bench_run(check)
