# The two commands of the README are `make demo` and `make test`; both set the machine up first.

# SwiftPM reads the manifests of all packages anew, a minute and a half, where any variable of the environment is another one than before.
SWIFT ?= env -u _ -u OLDPWD -u SHLVL -u MAKEFLAGS -u MAKELEVEL -u MAKEOVERRIDES -u MFLAGS swift
# `BUILD=:` where `make everything` has built.
BUILD = $(SWIFT) build
PROGRAM := .build/release/beacon-dfu
STATION := .build/release/beacon-dfu-station
CHECKED := --explicit-target-dependency-import-check error
# Relocations in a sixth of the room, which the C library understands from 2.36 on (Debian 12, Ubuntu 24.04).
RELATIVE := $(shell getconf GNU_LIBC_VERSION | awk '{ split($$2, n, "."); if (n[1] > 2 || n[2] >= 36) print "-Xlinker -z -Xlinker pack-relative-relocs" }')
# Programs and tests are built with these: other flags build every module again (docs/decisions/0056-one-build.md). Nothing is
# loaded from the program's own folder; code is small, and what nothing calls is left out; no path of this folder is in it
# (docs/decisions/0051-size.md).
RELEASE := -c release --disable-local-rpath $(CHECKED) \
    -Xswiftc -enable-testing -Xswiftc -Osize -Xswiftc -Xfrontend -Xswiftc -function-sections -Xcc -Os -Xcc -ffunction-sections -Xcc -fdata-sections \
    -Xswiftc -debug-prefix-map -Xswiftc $(CURDIR)=/usr/src/beacon-dfu -Xcc -ffile-prefix-map=$(CURDIR)=/usr/src/beacon-dfu \
    -Xswiftc -use-ld=lld -Xlinker --no-export-dynamic -Xlinker --gc-sections -Xlinker --icf=safe -Xlinker --as-needed \
    -Xlinker -z -Xlinker now $(RELATIVE)
SWIFT_FILES := Package.swift Sources Tests Examples
RUNS ?= 20000
PLACES ?= 40
KILLS ?= 300
# All tests begin at once otherwise, each simulation with a thread and descriptors, and wait for each other until their
# time is over. Swift 6.2 does not have the option.
WIDTH = $(shell $(SWIFT) test --help-hidden | grep -o -e --experimental-maximum-parallelization-width)

.PHONY: build-station station-programs everything test-station test-kernel-bench test-kernel-simulate test-kernel-clients install uninstall deb test-package test-reproducible test-kernel-sessions setup demo build test kill-batch test-kernel faults fuzz bench docs lint format samples messages clean

setup:
	@scripts/setup

build: setup
	$(BUILD) --product beacon-dfu $(RELEASE)

# All programs and tests at once, where one core is not left waiting for the largest module; for `.ci/run`.
everything: setup
	$(BUILD) --build-tests $(RELEASE)

# The second program, for several benches: some minutes more, for the server of its page.
build-station: setup
	$(BUILD) --product beacon-dfu-station $(RELEASE)

# Installs what `make build` has built, and `make build-station` where it has; run it as root for a PREFIX that is root's. DESTDIR is for
# who packs it.
PREFIX ?= /usr/local
install:
	@test -e $(PROGRAM) || { echo "make: there is no $(PROGRAM): run make build first" >&2; exit 1; }
	@scripts/package/stamp $(PROGRAM) .build/beacon-dfu.stamped make
	@scripts/package/tree .build/beacon-dfu.stamped $(DESTDIR)$(PREFIX)
	@test ! -e $(STATION) || { scripts/package/stamp $(STATION) .build/beacon-dfu-station.stamped make && \
	    PREFIX=$(PREFIX) scripts/package/tree .build/beacon-dfu-station.stamped $(DESTDIR)$(PREFIX) beacon-dfu-station; }

uninstall:
	@scripts/package/tree --list | while read -r path; do rm -rf $(DESTDIR)$(PREFIX)/$$path; done

# The Debian packages, their symbols and the tarball, in .build/packages; see docs/guide/releasing.md. STATION= leaves the second program
# out.
deb: build $(if $(STATION),build-station)
	@scripts/package/deb $(PROGRAM) .build/packages $(STATION)

# What is in them, and the package in a fresh Debian. The latter needs root.
test-package: deb
	@scripts/setup python3 python3-venv lintian mandoc debootstrap systemd
	@scripts/package/check .build/packages
	@scripts/package/try .build/packages

# The same again from another folder, byte by byte: a second build; TWICE=all for both programs, which takes twice as long.
test-reproducible: STATION := $(if $(TWICE),$(STATION))
test-reproducible: deb
	@scripts/package/twice .build/packages $(TWICE)

demo: build
	@scripts/demo $(PROGRAM)

# tshark reads what --capture has written; objcopy (binutils) reads and writes Intel HEX beside us, protoc init
# packets, OpenSSL keys and signatures, Python ZIP files, adafruit-nrfutil Legacy packages, and
# two readers of reports read those. Chromium opens pages, and PostgreSQL is the engine of tests, where these are installed.
# Not `everything`: the server of the page alone takes minutes, and `make test-station` tries that one.
# Programs that tests run:
RUN_BY_TESTS := beacon-dfu idle-connection journal-writer marble-dfu flash-one-beacon inspect-firmware test-phone-client
test:
	@scripts/setup tshark binutils protobuf-compiler openssl python3
	@scripts/python-tools
	@for product in beacon-dfuPackageTests $(RUN_BY_TESTS); do \
	    echo "$(BUILD) --product $$product" && $(BUILD) --product $$product $(RELEASE) || exit 1; done
	scripts/test $(dir $(PROGRAM))beacon-dfuPackageTests.xctest $(addsuffix =16,$(WIDTH))

# The second program as processes, its engine and its page: benches that share orders, over cut networks and killed servers, and browsers.
station-programs: setup
	@for product in beacon-dfu beacon-dfu-station bench-page-demo; do $(BUILD) --product $$product $(RELEASE) || exit 1; done

test-station: station-programs
	@scripts/setup python3 openssl chromium iproute2
	@scripts/postgres
	scripts/test-station $(dir $(PROGRAM))

# Trays of simulated beacons, killed at random moments and resumed: nobody is flashed without a row, or forgotten.
kill-batch: build
	@scripts/kill-batch $(PROGRAM) --runs $(KILLS)

# The program on a real kernel's Bluetooth sockets, in a virtual machine; see Tests/KernelBench/README.md.
test-kernel: build
	$(BUILD) --product kernel-bench-client $(RELEASE)
	Tests/KernelBench/lanes $(PROGRAM) $(dir $(PROGRAM))kernel-bench-client

# The bench itself, its beacons and its guest, with tools of others: after a change of it, two minutes.
test-kernel-bench:
	Tests/KernelBench/bench

# The same with beacons that have a session: thirteen minutes more, which CI does not have.
test-kernel-sessions: build
	Tests/KernelBench/bench --program $(PROGRAM) --sessions --deadline 1200

# What `simulate` serves, to a client outside the guest: four minutes more.
test-kernel-simulate: build
	Tests/KernelBench/bench --program $(PROGRAM) --simulate

# An update client from PyPI and BlueZ's tools with the beacons that `simulate` serves.
test-kernel-clients: build
	Tests/KernelBench/bench --program $(PROGRAM) --others

# Simulated beacons under every fault at PLACES places (docs/faults.md has 40; or a divisor of it), every cut of a SUOTA image, and RUNS
# random runs. SEED begins elsewhere.
faults: setup
	$(BUILD) --product fault-runs $(RELEASE)
	.build/release/fault-runs --table --at-most $(PLACES) --check docs/faults.md
	.build/release/fault-runs --cuts
	.build/release/fault-runs --runs $(RUNS) $(if $(SEED),--seed $(SEED))

# Every reader of foreign bytes, for FUZZ_SECONDS each (20); TARGETS names some. See docs/decisions/0013-fuzzing.md.
fuzz: setup
	@scripts/fuzz $(TARGETS)

# Opt-in figures beside a peer in the same run; see docs/performance.md.
bench: build
	@scripts/setup python3 python3-venv unzip
	$(BUILD) --product transfer-bench $(RELEASE)
	@scripts/bench $(PROGRAM)
	@scripts/bench $(PROGRAM) --transfers $(dir $(PROGRAM))transfer-bench
	$(BUILD) --product advert-bench $(RELEASE)
	@scripts/bench $(PROGRAM) --adverts $(dir $(PROGRAM))advert-bench
	$(BUILD) --product tray-bench $(RELEASE)
	@$(dir $(PROGRAM))tray-bench --model --engine --faults 2

# What the libraries offer, as a site in .build/docs: `python3 -m http.server -d .build/docs`.
docs:
	@scripts/setup python3
	@scripts/docs

lint:
	$(SWIFT) format lint --strict --parallel --recursive $(SWIFT_FILES)
	@scripts/vendor-names
	@scripts/option-names
	@scripts/test-process
	@scripts/inherited
	@scripts/links

format:
	$(SWIFT) format format --in-place --recursive $(SWIFT_FILES)

# Rebuilds every sample byte for byte; `git diff` then shows what a changed recipe has changed.
samples:
	@scripts/setup python3
	cd firmware-samples && python3 make_samples.py

# Only after a change of init_packet.proto; needs protoc and protoc-gen-swift. The generated code is committed.
messages:
	cd Sources/NordicMessages && protoc --swift_out=. --swift_opt=Visibility=Package \
		--swift_opt=UseAccessLevelOnImports=true init_packet.proto

clean:
	rm -rf .build
