#!/usr/bin/env python3
"""The number of executions that cxx_stop_callback.cpp expects is the one counted from the library's text."""
import pathlib
import re
import sys

tests = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(tests / "support"))
import count_stop_callback  # noqa: E402

text = (tests / "programs" / "cxx_stop_callback.cpp").read_text()
expected = int(re.search(r"expect: executions (\d+)", text).group(1))
if expected != count_stop_callback.count():
    print(f"FAIL cxx_stop_callback\n     expected   {count_stop_callback.count()} executions\n     actual     {expected}")
    sys.exit(1)
