"""gdb's side of `bohr replay --gdb`: the recorded execution, step by step, with each thread as a thread.

The runtime calls bohr_gdb_step() before each step from step number bohr_gdb[UNTIL] on, in the thread that is
about to take it, and bohr_gdb_end() when the execution is over. The file that BOHR_GDB_PLAN names describes the
steps. To go back, the program runs again from the start: the execution is always the same.
"""
import json
import os
import shlex
import struct

import gdb
from gdb.FrameDecorator import FrameDecorator

UNTIL, STEP, THREAD, THREADS = range(4)  # in bohr_gdb; from THREADS on the kernel's numbers of threads
END = 1 << 30  # a step that never comes
LIBRARY = "libtsan.so"


class Session:
    """The step at which the execution is to stop, and where it is now."""

    def __init__(self, plan):
        self.plan = plan
        self.steps = plan["steps"]
        self.target = plan["first"]
        self.before = False  # the execution stands right before its current step
        self.over = False
        self.stepped = False  # gdb has completed a command such as next
        self.back = None  # a breakpoint where the runtime returns to the program, for one stop
        self.came_back = False  # the last stop was at that breakpoint
        self.breakpoints = []  # those of this file

    def word(self, index):
        return int(gdb.parse_and_eval(f"((unsigned int *)&bohr_gdb)[{index}]"))

    def set_until(self, step):
        """Writes UNTIL without gdb, which would tell its front end of each change of memory."""
        address = int(gdb.parse_and_eval(f"(unsigned long)&((unsigned int *)&bohr_gdb)[{UNTIL}]"))
        with open(f"/proc/{gdb.selected_inferior().pid}/mem", "r+b", buffering=0) as memory:
            memory.seek(address)
            memory.write(struct.pack("=I", step))

    def at(self):
        """The step that comes next, or is being taken; None: before the first step, or after the last."""
        if gdb.selected_inferior().pid == 0 or self.over:
            return None
        try:
            step = self.word(STEP)
        except gdb.error:  # the library is not loaded yet
            return None
        return step if step < len(self.steps) else None


session = Session(json.load(open(os.environ["BOHR_GDB_PLAN"])))


def place_of(step):
    where = step.get("function") or ""
    if step.get("file"):
        where += f"{', ' if where else ''}{step['file']}:{step['line']}"
    return f" ({where})" if where else ""


def text_of(step):
    return f"T{step['thread']} {step['operation']}" + (f" {step['object']}" if step["object"] else "")


def line_of(number):
    step = session.steps[number]
    text = f"step {number}: {text_of(step)}{place_of(step)}"
    if step["preempts"]:
        text += f"; T{session.steps[number - 1]['thread']} is preempted"
    return text


def say(text):
    gdb.write(text + "\n")


def is_ours(frame):
    symtab = frame.find_sal().symtab
    objfile = symtab.objfile if symtab is not None else None
    name = objfile.filename if objfile is not None else gdb.solib_name(frame.pc()) or ""
    return LIBRARY in os.path.basename(name)


def outwards(frame, ours):
    """The first frame from this one outwards that is the runtime's (ours), or that is not (not ours)."""
    while frame is not None and is_ours(frame) != ours:
        frame = frame.older()
    return frame


def own_frame():
    """The innermost frame of the program. A thread that has left its function has none: outside of the runtime,
    which calls that function, there is only the C library."""
    frame = outwards(gdb.newest_frame(), False)
    return frame if gdb.selected_thread().num == 1 or outwards(frame, True) is not None else None


def name_threads():
    known = {session.word(THREADS + number): number for number in range(session.plan["threads"])}
    for thread in gdb.selected_inferior().threads():
        number = known.get(thread.ptid[1])
        if number is not None:
            thread.name = f"T{number}"


class StepBreakpoint(gdb.Breakpoint):
    """A breakpoint before each step. The execution continues until the wanted step."""

    def __init__(self):
        super().__init__("bohr_gdb_step", gdb.BP_BREAKPOINT, internal=True)
        self.silent = session.plan["console"]  # stopped() prints the place

    def stop(self):
        if session.word(STEP) < session.target:
            session.set_until(session.target)
            return False
        session.target = END  # "continue" then runs to the end, or to a breakpoint
        session.set_until(END)
        return True


class EndBreakpoint(gdb.Breakpoint):
    """A breakpoint after the last step."""

    def __init__(self):
        super().__init__("bohr_gdb_end", gdb.BP_BREAKPOINT, internal=True)
        self.silent = session.plan["console"]  # stopped() prints the place

    def stop(self):
        session.over = True
        return True


def text_of_end():
    if session.word(STEP) + 1 < len(session.steps):
        return "the execution ends here, before its last recorded step"
    return f"the execution ends here: {session.plan['finding']}"


def loaded(event):
    """Sets the breakpoints as soon as the runtime, with the functions to stop in, is loaded."""
    if not session.breakpoints and LIBRARY in os.path.basename(event.new_objfile.filename or ""):
        session.breakpoints = [StepBreakpoint(), EndBreakpoint()]


def forget_return(hit):
    session.came_back = session.back in hit
    if session.back is not None:
        session.back.delete()
        session.back = None


def stopped(event):
    hit = event.breakpoints if isinstance(event, gdb.BreakpointEvent) else []
    forget_return(hit)
    session.before = any(isinstance(breakpoint, StepBreakpoint) for breakpoint in hit)
    session.stepped = type(event) is gdb.StopEvent and session.at() is not None
    if session.stepped and not session.plan["console"]:
        gdb.post_event(go_on)
    if not session.before and not any(isinstance(breakpoint, EndBreakpoint) for breakpoint in hit):
        return
    name_threads()
    own = own_frame()
    if own is not None:
        own.select()
    say(line_of(session.at()) if session.before else text_of_end())
    if session.plan["console"]:
        gdb.execute("frame")


def exited(event):
    forget_return([])
    session.over = session.before = session.stepped = False
    session.target = session.plan["first"]  # for the case that the user runs the program again


def go_to(step):
    """Runs to a step, from the start if the execution has passed it."""
    at = session.at()
    if at == step and session.before:
        say(line_of(step))
        return
    session.target = step
    if at is not None and step > at:
        session.set_until(step)
        gdb.execute("continue")
        return
    if gdb.selected_inferior().pid != 0:
        gdb.execute("kill", to_string=True)
    session.over = session.before = False
    session.target = step
    gdb.execute("run")


class Return(gdb.Breakpoint):
    """A breakpoint where the runtime returns to the program. gdb's own one never stops in inlined functions."""

    def __init__(self, own, silent):
        super().__init__(f"*{own.pc()}", gdb.BP_BREAKPOINT, internal=True)
        self.thread = gdb.selected_thread().global_num
        self.silent = silent
        self.sp = int(own.read_register("rsp"))

    def stop(self):
        return int(gdb.newest_frame().read_register("rsp")) == self.sp


def begins_line(frame):
    """Whether the runtime returns to the beginning of a line, not to the rest of the line that called it."""
    there = gdb.find_pc_line(frame.pc())
    return there.pc == frame.pc() and there.line != frame.find_sal().line


def come_back(own, silent):
    """Continues to where the runtime returns to the program. The stop may come after this function has returned."""
    session.back = Return(own, silent)
    gdb.execute("continue", to_string=silent)


def leave_runtime(command):
    """Before gdb steps by lines: takes the step that the thread stands before, and returns to the program. A
    thread that waits for its turn gets it first."""
    own = own_frame() if gdb.selected_thread() is not None else None
    if own is None or own == gdb.newest_frame():
        return
    if session.over:
        raise gdb.GdbError(f"{text_of_end()}; bohr back goes back")
    if command != "finish" and begins_line(own):
        return  # one line would be too much: gdb steps inside the runtime, then go_on() follows
    come_back(own, session.plan["console"])
    if not session.came_back:
        raise gdb.GdbError("another stop came before the step was done")


def go_on():
    """After gdb has stepped into the runtime: returns to the program, or to the next step if the thread's function
    has ended."""
    if not session.stepped:
        return
    session.stepped = False
    own = own_frame()
    if own is None:
        go_to(session.at() + 1)
    elif own != gdb.newest_frame():
        come_back(own, False)


class Leave(gdb.Command):
    """Part of next, step and finish."""

    def __init__(self):
        super().__init__("bohr-leave-runtime", gdb.COMMAND_OBSCURE)
        for command in ("next", "step", "finish"):
            gdb.execute(f"define hook-{command}\nbohr-leave-runtime {command}\nend")

    def invoke(self, argument, from_tty):
        leave_runtime(argument)


def number_of(argument, otherwise):
    if not argument:
        return otherwise
    try:
        number = int(argument)
    except ValueError:
        number = -1
    if number < 0:
        raise gdb.GdbError(f"a number of steps is wanted, not: {argument}")
    return number


def here():
    at = session.at()
    if at is None:
        raise gdb.GdbError("no step comes next: use bohr goto STEP, or run")
    return at


class Command(gdb.Command):
    """A subcommand of bohr: its words are in the class."""

    def __init__(self):
        super().__init__(f"bohr {self.name}", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        self.call(argument.strip())


class Bohr(gdb.Command):
    """Steps of the execution that is replayed: the moments at which threads can be switched."""

    def __init__(self):
        super().__init__("bohr", gdb.COMMAND_RUNNING, prefix=True)


class StepCommand(Command):
    """bohr step [N]: take this step, and stop before the next one (the N-th)."""

    name = "step"

    def call(self, argument):
        go_to(here() + number_of(argument, 1))


class NextSwitch(Command):
    """bohr next-switch: stop before the next step of another thread."""

    name = "next-switch"

    def call(self, argument):
        at = here()
        later = [i for i in range(at + 1, len(session.steps))
                 if session.steps[i]["thread"] != session.steps[i - 1]["thread"]]
        go_to(later[0] if later else END)


class Back(Command):
    """bohr back [N]: stop before the step before this one (N steps before)."""

    name = "back"

    def call(self, argument):
        at = session.at()
        at = len(session.steps) if at is None else at
        go_to(max(0, at - number_of(argument, 1)))


class Goto(Command):
    """bohr goto STEP: stop before that step, later or earlier than this one."""

    name = "goto"

    def call(self, argument):
        step = number_of(argument, None)
        if step is None or step >= len(session.steps):
            raise gdb.GdbError(f"which step? there are 0 to {len(session.steps) - 1}")
        go_to(step)


class Why(Command):
    """bohr why: what went wrong in this execution, and what comes next."""

    name = "why"

    def call(self, argument):
        plan = session.plan
        for line in plan["why"]:
            say(line)
        for number in plan["preemptions"]:
            say(f"what matters: {line_of(number)}")
        if session.at() is not None:
            say(f"{'comes next' if session.before else 'is being taken'}: {line_of(session.at())}")


class Threads(Command):
    """bohr threads: where each thread is, and the step that it takes next."""

    name = "threads"

    def call(self, argument):
        at = session.at()
        at = len(session.steps) if at is None else at
        ours = {session.word(THREADS + number): number for number in range(session.plan["threads"])}
        alive = {ours[thread.ptid[1]]: thread for thread in gdb.selected_inferior().threads()
                 if thread.ptid[1] in ours}
        for number in range(session.plan["threads"]):
            mark = "*" if at < len(session.steps) and session.steps[at]["thread"] == number else " "
            thread = alive.get(number)
            if thread is None:
                begun = any(step["thread"] == number for step in session.steps[:at])
                say(f"{mark} T{number}  {'has ended' if begun else 'does not exist yet'}")
                continue
            coming = [i for i in range(at, len(session.steps)) if session.steps[i]["thread"] == number]
            text = f"step {coming[0]}: {text_of(session.steps[coming[0]])}{place_of(session.steps[coming[0]])}" \
                if coming else "takes no more steps"
            say(f"{mark} T{number}  (thread {thread.num})  {text}")


class Steps(Command):
    """bohr steps: all steps of the execution."""

    name = "steps"

    def call(self, argument):
        at = session.at()
        for number in range(len(session.steps)):
            say(f"{'=>' if number == at else '  '} {line_of(number)}")


class WholePath(FrameDecorator):
    """Filtered frames have no `fullname` in the machine interface: a front end finds the source by `file` alone."""

    def filename(self):
        symtab = self.inferior_frame().find_sal().symtab
        return symtab.fullname() if symtab is not None else super().filename()


class OwnFrames:
    """A filter that lets backtraces begin with the program's own frames."""

    def __init__(self):
        self.name, self.priority, self.enabled = "bohr", 100, True
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        inner = True
        for frame in frames:
            inner = inner and is_ours(frame.inferior_frame())
            if not inner:
                yield frame if session.plan["console"] else WholePath(frame)


def quoted_environment():
    return " ".join(f"{name}={shlex.quote(value)}" for name, value in session.plan["environment"].items())


def start():
    gdb.execute("set confirm off")
    gdb.execute("set disable-randomization on")
    gdb.execute("set startup-with-shell on")
    gdb.execute("handle SIGURG nostop noprint pass", to_string=True)
    script = f"export {quoted_environment()}; exec \"$@\" < {shlex.quote(session.plan['input'])}"
    gdb.execute(f"set exec-wrapper sh -c {shlex.quote(script)} sh")


Bohr()
for command in (StepCommand, NextSwitch, Back, Goto, Why, Threads, Steps, Leave):
    command()
start()
OwnFrames()
gdb.events.new_objfile.connect(loaded)
gdb.events.stop.connect(stopped)
gdb.events.exited.connect(exited)
if session.plan["console"]:
    gdb.events.before_prompt.connect(go_on)
