# The front door; CMake does the work (see CMakePresets.json).
BUILD ?= build
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
CMAKE = cmake --log-level=WARNING -B $(BUILD) --preset release

.PHONY: all setup demo test bench golden format tidy install clean

all: setup
	@$(CMAKE) >/dev/null
	@cmake --build $(BUILD) -j $(JOBS)

setup:
	@tools/setup

demo: all
	@tools/demo $(BUILD)/bin/bohr

test: all
	@cmake --log-level=WARNING -B $(BUILD)/asan --preset asan >/dev/null
	@cmake --build $(BUILD)/asan -j $(JOBS)
	@tools/run-tests $(BUILD) $(JOBS)

bench: all
	@python3 -B bench/bench.py --build $(BUILD)

golden: all
	@tools/update-golden $(BUILD)/bin/bohr

format:
	@tools/setup clang-format
	@git ls-files '*.c' '*.h' '*.cpp' | xargs clang-format -i

tidy: all
	@tools/setup clang-tidy
	@git ls-files 'src/*.c' | xargs clang-tidy -p $(BUILD) --quiet

install: all
	@cmake --install $(BUILD) --prefix $(PREFIX)

clean:
	rm -rf $(BUILD)
