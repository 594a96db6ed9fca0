# The front door; CMake does the work (see CMakePresets.json).
BUILD ?= build
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
CMAKE = cmake --log-level=WARNING -B $(BUILD) --preset release

.PHONY: all setup demo check asan test test-all packages bench corpus results time-to-bug figures golden format tidy install deb clean

all: setup
	@$(CMAKE) >/dev/null
	@cmake --build $(BUILD) -j $(JOBS)

setup:
	@tools/setup

# The tool alone, without tests and benchmarks.
demo: setup
	@$(CMAKE) >/dev/null
	@cmake --build $(BUILD) -j $(JOBS) --target src/all
	@tools/demo $(BUILD)/bin/bohr

# Three tiers of tests (tests/support/tier.py). After every edit: unit tests, property tests with a tenth of their
# programs, and the programs in reset mode.
check: all
	@tools/run-tests $(BUILD) $(JOBS) check

asan: setup
	@cmake --log-level=WARNING -B $(BUILD)/asan --preset asan >/dev/null
	@cmake --build $(BUILD)/asan -j $(JOBS)

# Every test, with a sample of compilers, carriers and isolation modes.
test: all asan
	@tools/run-tests $(BUILD) $(JOBS) test

# All of them, with the long form of the tests against the oracle (tests/oracle), which takes hours, and with what needs
# large packages: a browser, VS Code, test frameworks, other build systems, shells.
test-all: packages all asan
	@tools/run-tests $(BUILD) $(JOBS) all

packages: setup
	@tools/setup chromium libgtest-dev catch2 meson dpkg-dev python3-jsonschema zsh fish
	@command -v npm >/dev/null || tools/setup npm
	@tools/sarif-schema $(BUILD)/sarif-2.1.0.json
	@tools/debug-adapter $(BUILD)/debug-adapter
	@tools/vscode $(BUILD)/vscode

bench: all
	@python3 -B bench/bench.py --build $(BUILD)

# STRATEGIES=auto,pct LIMIT=1000 SECONDS=60 BOUND=2 SEEDS=20 FIRST=1 FORMAT=markdown PROGRAMS="queue stack"
corpus: all
	@tools/corpus --bohr $(BUILD)/bin/bohr --results $(BUILD)/corpus --jobs $(JOBS) \
		$(if $(STRATEGIES),--strategies $(STRATEGIES)) $(if $(LIMIT),--limit $(LIMIT)) \
		$(if $(SECONDS),--time $(SECONDS)) $(if $(BOUND),--bound $(BOUND)) \
		$(if $(SEEDS),--seeds $(SEEDS)) $(if $(FIRST),--first) $(if $(FORMAT),--format $(FORMAT)) $(PROGRAMS)

results: all
	@tools/corpus --bohr $(BUILD)/bin/bohr --results $(BUILD)/corpus --jobs $(JOBS) --time 4 --seeds 10 \
		--published-seeds 20 --doubt-seeds 60 --strategies preempt,delay,dfs,random,pct,pos,surw,rf,rare,few,auto \
		--page docs/RESULTS.md
	@$(MAKE) time-to-bug

# The part of that page about best-first and depth-first search.
time-to-bug: all
	@tools/time-to-bug --bohr $(BUILD)/bin/bohr --jobs $(JOBS) --page docs/RESULTS.md

figures: all
	@tools/figures --bohr $(BUILD)/bin/bohr
	@tools/block-trees --bohr $(BUILD)/bin/bohr
	@tools/strategy-trees --bohr $(BUILD)/bin/bohr
	@tools/state-graph >docs/figures/states.svg

golden: all
	@tools/update-golden $(BUILD)/bin/bohr

format:
	@tools/setup
	@tools/check-format --fix

tidy: all
	@tools/setup clang-tidy
	@git ls-files 'src/*.c' | xargs clang-tidy -p $(BUILD) --quiet

install: all
	@cmake --install $(BUILD) --prefix $(PREFIX)

deb: all
	@tools/setup dpkg-dev
	@cd $(BUILD) && cpack -G DEB -B packages >/dev/null && ls packages/*.deb

clean:
	rm -rf $(BUILD)
