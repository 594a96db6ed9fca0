#!/usr/bin/env python3
"""Executions a second and nanoseconds a step, in every isolation mode and on both carriers, beside
what the bare machine costs in the same run. Usage: bench.py --build FOLDER [--check]

--check fails unless reset is at least 60 times as fast as fork and an average step costs at most four
bare switches between fibers."""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
MODES = [  # name, options, executions
    ("reset, userfaultfd", ["--isolate", "reset", "--tracking", "userfault"], 1_000_000),
    ("reset, mprotect", ["--isolate", "reset", "--tracking", "protect"], 1_000_000),
    ("reset, no checkpoint", ["--isolate", "reset", "--no-checkpoint"], 300_000),
    ("fork", ["--isolate", "fork"], 5_000),
    ("exec", ["--isolate", "exec"], 300),
    ("kernel threads, fork", ["--isolate", "fork", "--carrier", "kernel"], 2_000),
    ("kernel threads, exec", ["--isolate", "exec", "--carrier", "kernel"], 300),
]
SPEEDUP_MIN = 60
SWITCHES_MAX = 4


def run(bohr, program, options, executions, folder):
    """Wall and CPU seconds, executions and steps; None where the machine does not allow the mode."""
    report = folder / "result.json"
    report.unlink(missing_ok=True)
    command = [bohr, "run", "-q", "--no-progress", "-s", "random", "-n", str(executions),
               "-o", folder / "out", "--json", report] + options + [program]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode == 2 and "userfaultfd" in done.stderr:
        return None
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\nexit status {done.returncode}\n"
                 f"{done.stdout}{done.stderr}")
    return json.loads(report.read_text())


def measure(bohr, program, options, executions, folder):
    """Costs of one execution and one step, without those of starting up."""
    little = run(bohr, program, options, max(executions // 50, 2), folder)
    much = run(bohr, program, options, executions, folder)
    if little is None or much is None:
        return None
    more = {name: much[name] - little[name]
            for name in ("executions", "steps", "wall_seconds", "cpu_seconds")}
    return {"rate": more["executions"] / max(more["wall_seconds"], 1e-9),
            "steps": much["steps"] / much["executions"],
            "step": more["cpu_seconds"] * 1e9 / more["steps"]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    bohr = (arguments.build / "bin" / "bohr").resolve()
    bare = json.loads(subprocess.check_output([arguments.build / "bench" / "bare"]))
    print(f"bare switch between fibers {bare['switch']:.1f} ns, fork and wait "
          f"{bare['fork'] / 1000:.0f} us ({1e9 / bare['fork']:,.0f} a second)\n")
    print(f"{'program':<10}{'steps':>6}  {'mode':<22}{'executions/s':>14}{'ns/step':>12}"
          f"{'switches/step':>15}{'to fork':>9}")
    failed = False
    with tempfile.TemporaryDirectory(prefix="bohr-bench-") as temporary:
        folder = pathlib.Path(temporary)
        for source in sorted((HERE / "programs").glob("*.c")):
            program = folder / source.stem
            subprocess.run([bohr, "cc", "-O2", "-o", program, source], check=True)
            results = {name: measure(bohr, program, options, executions, folder)
                       for name, options, executions in MODES}
            for name, result in results.items():
                if result is None:
                    print(f"{source.stem:<10}{'':>6}  {name:<22}{'not allowed here':>14}")
                    continue
                speedup = result["rate"] / results["fork"]["rate"]
                switches = result["step"] / bare["switch"]
                print(f"{source.stem:<10}{result['steps']:>6.1f}  {name:<22}{result['rate']:>14,.0f}"
                      f"{result['step']:>12,.1f}{switches:>15,.1f}{speedup:>9,.1f}")
            best = results["reset, userfaultfd"] or results["reset, mprotect"]
            speedup = best["rate"] / results["fork"]["rate"]
            switches = best["step"] / bare["switch"]
            if speedup < SPEEDUP_MIN:
                failed = True
                print(f"{source.stem}: reset is {speedup:.0f} times fork, wanted {SPEEDUP_MIN}")
            if switches > SWITCHES_MAX:
                failed = True
                print(f"{source.stem}: a step costs {switches:.1f} bare switches, "
                      f"wanted {SWITCHES_MAX}")
    sys.exit(1 if failed and arguments.check else 0)


main()
