"""docs/ARCHITECTURE.md and CONTRIBUTING.md name files and folders that exist, and every room of src."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PATH = re.compile(r"`([\w.+-]+(?:/[\w.+-]+)+/?|\w[\w.-]*\.(?:c|h|S|def|py|md|cmake|txt))`")
FOLDERS = ("", "src", "src/runtime", "docs")


def missing(text, exists):
    """Paths that the text names and that are not there. What has <...> in it stands for many."""
    return sorted({path for path in PATH.findall(text) if not any(exists(ROOT / folder / path) for folder in FOLDERS)})


def main():
    if missing("see `core/no_such.h` and `core/op.h`, `0.2 %`, `gone.c`", pathlib.Path.exists) != ["core/no_such.h", "gone.c"]:
        sys.exit("FAIL a path that does not exist is not seen")
    for page in (ROOT / "docs" / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md"):
        text = page.read_text()
        if len(PATH.findall(text)) < 10:
            sys.exit(f"FAIL {page.name}\n     expected   paths\n     actual     {PATH.findall(text)}")
        gone = missing(text, pathlib.Path.exists)
        if gone:
            sys.exit(f"FAIL {page.name}\n     expected   only names of files that exist\n     actual     {', '.join(gone)}")
    text = (ROOT / "docs" / "ARCHITECTURE.md").read_text()
    rooms = [folder for module in ("strategy", "coordinator", "runtime") for folder in (ROOT / "src" / module).iterdir()
             if folder.is_dir() and any(folder.rglob("*.c"))]
    unnamed = [folder.name for folder in rooms if not re.search(rf"^\| `{folder.name}[`/]", text, re.M)]
    if not rooms or unnamed:
        sys.exit(f"FAIL docs/ARCHITECTURE.md\n     expected   a row for each room\n     actual     none for {', '.join(unnamed)}")
    print(f"ok   paths, and {len(rooms)} rooms")


main()
