"""Every name that one of our Python scripts uses is defined there, imported, or Python's own.

A script may not come to a wrong name in a run that passes, or only where a package is installed."""
import ast
import builtins
import pathlib
import subprocess
import symtable
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
KNOWN = set(dir(builtins)) | {"__file__", "__name__", "__doc__"}


def unknown_names(text, path):
    """Pairs of a function's name and a name that it uses and nobody defines."""
    if any(isinstance(node, ast.ImportFrom) and node.names[0].name == "*" for node in ast.walk(ast.parse(text))):
        return
    module = symtable.symtable(text, str(path), "exec")
    defined = KNOWN | {symbol.get_name() for symbol in module.get_symbols()
                       if symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace()}
    tables = [module]
    while tables:
        table = tables.pop()
        tables += table.get_children()
        for symbol in table.get_symbols():
            if symbol.is_referenced() and (symbol.is_global() or table is module) and symbol.get_name() not in defined:
                yield table.get_name(), symbol.get_name()


def scripts():
    for name in subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines():
        path = ROOT / name
        if path.suffix == ".py" or (path.is_file() and path.suffix == "" and path.read_bytes()[:40].split(b"\n")[0].endswith(b"python3")):
            yield name, path


def main():
    if list(unknown_names("def f():\n    return MISSING\n", "f")) != [("f", "MISSING")]:
        sys.exit("FAIL a name that nobody defines is not seen")
    wrong = [f"{name}: {function} uses {used}, which nobody defines" for name, path in scripts()
             for function, used in unknown_names(path.read_text(), path)]
    if wrong:
        sys.exit("FAIL " + "\n     ".join(wrong))
    print("ok   every name is defined")


main()
