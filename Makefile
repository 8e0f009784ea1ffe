# The README names `make demo` and `make test`; both install missing packages first.

# SwiftPM reads the manifests of all packages again (a minute and a half) if any environment variable has changed.
SWIFT ?= env -u _ -u OLDPWD -u SHLVL -u MAKEFLAGS -u MAKELEVEL -u MAKEOVERRIDES -u MFLAGS swift
# `BUILD=:` after `make everything`.
BUILD = $(SWIFT) build
PROGRAM := .build/release/beacon-dfu
STATION := .build/release/beacon-dfu-station
CHECKED := --explicit-target-dependency-import-check error
# Relocations in a sixth of the space; needs C library 2.36 or later (Debian 12, Ubuntu 24.04).
RELATIVE := $(shell getconf GNU_LIBC_VERSION | awk '{ split($$2, n, "."); if (n[1] > 2 || n[2] >= 36) print "-Xlinker -z -Xlinker pack-relative-relocs" }')
# Flags of programs and tests: other flags would build every module again (docs/decisions/0051-build-and-size.md). No rpath to
# the program's own folder, small code, no unreferenced code, no build path in the binary.
RELEASE := -c release --disable-local-rpath $(CHECKED) \
    -Xswiftc -enable-testing -Xswiftc -Osize -Xswiftc -Xfrontend -Xswiftc -function-sections -Xcc -Os -Xcc -ffunction-sections -Xcc -fdata-sections \
    -Xswiftc -debug-prefix-map -Xswiftc $(CURDIR)=/usr/src/beacon-dfu -Xcc -ffile-prefix-map=$(CURDIR)=/usr/src/beacon-dfu \
    -Xswiftc -gline-tables-only -Xswiftc -use-ld=lld -Xlinker --no-export-dynamic -Xlinker --gc-sections -Xlinker --icf=safe -Xlinker --as-needed \
    -Xlinker -z -Xlinker now $(RELATIVE)
SWIFT_FILES := Package.swift Sources Tests Examples
RUNS ?= 20000
PLACES ?= 40
KILLS ?= 300
# Otherwise all tests start at once, each simulation with a thread and descriptors, and wait for each other until their
# time limits. Swift 6.2 does not have the option.
WIDTH = $(shell $(SWIFT) test --help-hidden | grep -o -e --experimental-maximum-parallelization-width)

.PHONY: build-station station-programs everything test-station test-kernel-bench test-kernel-simulate test-kernel-clients test-imgtool install uninstall deb test-package test-reproducible test-kernel-sessions test-kernel-mcuboot setup demo build test kill-batch test-kernel faults fuzz bench docs lint format codes samples clean

setup:
	@scripts/setup

build: setup
	$(BUILD) --product beacon-dfu $(RELEASE)

# All programs and tests in one build, so that no core idles while the largest module compiles; for `.ci/run`.
everything: setup
	$(BUILD) --build-tests $(RELEASE)

# The second program, for several benches.
build-station: setup
	$(BUILD) --product beacon-dfu-station $(RELEASE)

# Installs the program of `make build`, and that of `make build-station` if it was built; run as root if PREFIX belongs to root. DESTDIR
# is for packagers.
PREFIX ?= /usr/local
install:
	@test -e $(PROGRAM) || { echo "make: $(PROGRAM) does not exist: run make build first" >&2; exit 1; }
	@scripts/package/stamp $(PROGRAM) .build/beacon-dfu.stamped make
	@scripts/package/tree .build/beacon-dfu.stamped $(DESTDIR)$(PREFIX)
	@test ! -e $(STATION) || { scripts/package/stamp $(STATION) .build/beacon-dfu-station.stamped make && \
	    PREFIX=$(PREFIX) scripts/package/tree .build/beacon-dfu-station.stamped $(DESTDIR)$(PREFIX) beacon-dfu-station; }

uninstall:
	@scripts/package/tree --list | while read -r path; do rm -rf $(DESTDIR)$(PREFIX)/$$path; done

# The Debian packages, their symbols and the tarball, in .build/packages; see docs/guide/releasing.md. STATION= omits the second
# program.
deb: build $(if $(STATION),build-station)
	@scripts/package/deb $(PROGRAM) .build/packages $(STATION)

# Checks the packages' contents, and tries the package in a fresh Debian, which needs root.
test-package: deb
	@scripts/setup python3 python3-venv lintian mandoc debootstrap systemd
	@scripts/package/check .build/packages
	@scripts/package/try .build/packages

# Builds the packages again in another folder and compares them byte by byte; TWICE=all for both programs takes twice as long.
test-reproducible: STATION := $(if $(TWICE),$(STATION))
test-reproducible: deb
	@scripts/package/twice .build/packages $(TWICE)

demo: build
	@scripts/demo $(PROGRAM)

# Independent tools for comparison: tshark reads files of --capture; objcopy (binutils) reads and writes Intel HEX, protoc init
# packets, OpenSSL keys and signatures, Python ZIP files, adafruit-nrfutil Legacy packages, and two parsers read the reports.
# If installed, Chromium opens pages, and PostgreSQL is the work server of tests.
# Not `everything`: `make test-station` tests the second program.
# Programs that tests run:
RUN_BY_TESTS := beacon-dfu idle-connection journal-writer marble-dfu flash-one-beacon inspect-firmware test-phone-client
test:
	@scripts/setup tshark binutils protobuf-compiler openssl python3
	@scripts/python-tools
	@for product in beacon-dfuPackageTests $(RUN_BY_TESTS); do \
	    echo "$(BUILD) --product $$product" && $(BUILD) --product $$product $(RELEASE) || exit 1; done
	scripts/test $(dir $(PROGRAM))beacon-dfuPackageTests.xctest $(addsuffix =16,$(WIDTH))

# The second program as processes, with its work server and page: benches that share orders, cut networks, killed servers, browsers.
station-programs: setup
	@for product in beacon-dfu beacon-dfu-station bench-page-demo; do $(BUILD) --product $$product $(RELEASE) || exit 1; done

test-station: station-programs
	@scripts/setup python3 openssl chromium iproute2
	@scripts/postgres
	scripts/test-station $(dir $(PROGRAM))

# Trays of simulated beacons, killed at random times and resumed: no unit is flashed without a row, or left out.
kill-batch: build
	@scripts/kill-batch $(PROGRAM) --runs $(KILLS)

# Images of `build mcuboot` compared byte by byte with those of imgtool, MCUboot's own tool from PyPI; `validate` reads imgtool's. Five
# minutes.
test-imgtool: build
	@scripts/setup python3 python3-venv
	@scripts/python-tools Tests/MCUbootPeers/imgtool.txt .build/imgtool
	.build/imgtool/bin/python Tests/MCUbootPeers/imgtool.py $(PROGRAM)

# The program on a real kernel's Bluetooth sockets, in a virtual machine; see Tests/KernelBench/README.md.
test-kernel: build
	$(BUILD) --product kernel-bench-client $(RELEASE)
	Tests/KernelBench/lanes $(PROGRAM) $(dir $(PROGRAM))kernel-bench-client

# The bench itself, its beacons and its guest, with independent tools; run it after a change of the bench, two minutes.
test-kernel-bench:
	Tests/KernelBench/bench

# The same with beacons that have a session: thirteen minutes more, not in CI.
test-kernel-sessions: build
	Tests/KernelBench/bench --program $(PROGRAM) --sessions --deadline 1200

# Beacons that `simulate` serves, with a client outside the guest: four minutes more.
test-kernel-mcuboot: build
	Tests/KernelBench/bench --program $(PROGRAM) --mcuboot

test-kernel-simulate: build
	Tests/KernelBench/bench --program $(PROGRAM) --simulate

# Update clients from PyPI and BlueZ's tools with the beacons that `simulate` serves.
test-kernel-clients: build
	Tests/KernelBench/bench --program $(PROGRAM) --others --scenario-deadline 150 --deadline 900

# Simulated beacons under every fault at PLACES places (docs/faults.md has 40; or a divisor of it), every cut of a SUOTA image, and RUNS
# random runs. SEED is the first seed.
faults: setup
	$(BUILD) --product fault-runs $(RELEASE)
	.build/release/fault-runs --table --at-most $(PLACES) --check docs/faults.md
	.build/release/fault-runs --cuts
	.build/release/fault-runs --runs $(RUNS) $(if $(SEED),--seed $(SEED))

# Every parser of untrusted bytes, for FUZZ_SECONDS each (20); TARGETS selects some. See Tests/Fuzzing/Targets/FuzzTarget.swift.
fuzz: setup
	@scripts/fuzz $(TARGETS)

# Opt-in measurements, compared with other tools in the same run; see docs/performance.md.
bench: build
	@scripts/setup python3 python3-venv unzip
	$(BUILD) --product transfer-bench $(RELEASE)
	@scripts/bench $(PROGRAM)
	@scripts/bench $(PROGRAM) --transfers $(dir $(PROGRAM))transfer-bench
	$(BUILD) --product advert-bench $(RELEASE)
	@scripts/bench $(PROGRAM) --adverts $(dir $(PROGRAM))advert-bench
	$(BUILD) --product tray-bench $(RELEASE)
	@$(dir $(PROGRAM))tray-bench --model --engine --faults 2

# The documentation of the libraries, as a site in .build/docs: `python3 -m http.server -d .build/docs`.
docs:
	@scripts/setup python3
	@scripts/docs

lint:
	$(SWIFT) format lint --strict --parallel --recursive $(SWIFT_FILES)
	@! git ls-files | grep -E '\.(swiftmodule|swiftdoc|swiftsourceinfo|o|pyc)$$' || { echo "make: builds write these files: remove them from the repository" >&2; exit 1; }
	@scripts/vendor-names
	@scripts/option-names
	@scripts/test-process
	@scripts/inherited
	@scripts/imports
	@scripts/links
	@scripts/words
	@scripts/changelog

format:
	$(SWIFT) format format --in-place --recursive $(SWIFT_FILES)

# Writes the table of failure codes in docs/troubleshooting.md, which a test compares with the program.
codes: build
	@scripts/failure-codes $(PROGRAM)

# Rebuilds every sample byte for byte; `git diff` then shows the effect of a changed recipe.
samples:
	@scripts/setup python3
	cd firmware-samples && python3 make_samples.py

clean:
	rm -rf .build
