// swift-tools-version: 6.2

import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

/// Swift's libraries linked into the programs that are released. SwiftPM's `--static-swift-stdlib` compiles modules for it too, and the
/// toolchain has no Testing for those: programs and tests would share no module (docs/decisions/0051-build-and-size.md).
let released: [LinkerSetting] = [
    .unsafeFlags(
        [
            "-static-stdlib", "-lswiftSynchronization", "-lCoreFoundation", "-l_FoundationCShims",
            "-l_FoundationCollections", "-l_FoundationICU",
        ], .when(configuration: .release))
]
/// The tests themselves, not what they test: four times as fast to compile, and without lines for a debugger.
let unoptimised: [SwiftSetting] = [
    .unsafeFlags(["-Xfrontend", "-Onone", "-Xfrontend", "-gnone"], .when(configuration: .release))
]

let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

/// A module, which has a README.md.
func library(
    _ name: String, _ base: [Target.Dependency], _ more: Target.Dependency..., resources: [Resource]? = nil
) -> Target {
    .target(
        name: name, dependencies: base + more, exclude: ["README.md"], resources: resources,
        swiftSettings: strict)
}

/// What is made for others, and only of what is offered to them.
func example(_ name: String, _ path: String, _ offered: [String]...) -> Target {
    .executableTarget(
        name: name, dependencies: Set(offered.joined()).sorted().map { .init(stringLiteral: $0) },
        path: "Examples/" + path, swiftSettings: strict)
}

/// A program that is released.
func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, exclude: ["README.md"], swiftSettings: strict,
        linkerSettings: released)
}

/// A module of tests and benches, in a folder of Tests.
func part(
    _ name: String, _ path: String, _ base: [Target.Dependency], _ more: Target.Dependency...
) -> Target {
    .target(name: name, dependencies: base + more, path: "Tests/" + path, swiftSettings: strict)
}

/// A program of tests and benches, in a folder of Tests.
func tool(
    _ name: String, _ path: String, _ parts: Target.Dependency..., exclude: [String] = [],
    linking: [LinkerSetting]? = nil
) -> Target {
    .executableTarget(
        name: name, dependencies: parts, path: "Tests/" + path, exclude: exclude, swiftSettings: strict,
        linkerSettings: linking)
}

func tests(
    _ name: String, _ base: [Target.Dependency], _ more: Target.Dependency..., path: String? = nil,
    exclude: [String] = []
) -> Target {
    .testTarget(
        name: name, dependencies: base + more + ["TestSupport"], path: path, exclude: exclude,
        swiftSettings: strict + unoptimised)
}

// What others can import, by product.
let firmwareFiles = [
    "Bluetooth", "Bytes", "Dialog", "Feasycom", "Firmware", "MCUboot", "Nordic", "UpdateModel",
]
let beaconUpdates = ["Bluetooth", "UpdateEngine", "UpdateModel"]
let blueZRadio = ["BlueZ", "Bluetooth"]
let simulatedBeacons = ["Bluetooth", "Bytes", "Simulation"]

// What most modules depend on.
let wire: [Target.Dependency] = ["Bluetooth", "Bytes"]
let model = wire + ["UpdateModel"]
let updaters: [Target.Dependency] = ["Dialog", "Feasycom", "MCUboot", "Nordic"]
let bench: [Target.Dependency] = ["Simulation", "UpdateBench", "UpdateEngine"]

let package = Package(
    name: "beacon-dfu",
    products: [
        .executable(name: "beacon-dfu", targets: ["beacon-dfu"]),
        .executable(name: "beacon-dfu-station", targets: ["beacon-dfu-station"]),
        .library(name: "FirmwareFiles", targets: firmwareFiles),
        .library(name: "BeaconUpdates", targets: beaconUpdates),
        .library(name: "BlueZRadio", targets: blueZRadio),
        .library(name: "SimulatedBeacons", targets: simulatedBeacons),
        .library(name: "BeaconCommands", targets: ["BeaconCommands", "CommandKit"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    ],
    targets: [
        .systemLibrary(name: "CLinux"),
        // What the program says of itself, and what it leaves at home. C, for the linker.
        .target(name: "CBuildNote"),
        .target(name: "NoLocaleData"),
        library("Bytes", ["CCrypto", "CYaml", "CZip", "CZlib"]),
        library("Bluetooth", ["Bytes", "CLinux"]),
        library("BlueZ", wire, "CBluez", logging),
        library("UpdateModel", ["Bluetooth", "Bytes"]),
        library("Firmware", model + updaters, "KKM", "Orange"),
        library("UpdateEngine", ["Bluetooth", "UpdateModel", logging]),
        // Many beacons at once. SQLite is in the journal only.
        library("Tray", model, "Firmware", "UpdateEngine", logging),
        library("TrayJournal", model, "CLinux", "Firmware", "Tray", "UpdateEngine", grdb),
        // Beacons that are not there. Never a vendor: client and simulator can disagree.
        library("Simulation", ["Bluetooth", "Bytes"]),
        // Several benches. libpq and libcurl are in the work server's client only, the HTTP server in the page.
        library("Work", model, "Tray", "TrayJournal"),
        library("WorkServer", model, "CCurl", "CPostgres", "Tray", "Work"),
        library(
            "BenchPage", model, "CLinux", "CMicrohttpd", "Tray", "TrayJournal",
            resources: [.embedInCode("Server/Page")]),
        // The command line, in modules that compile side by side.
        library(
            "CommandKit", model + updaters, "BlueZ", "CBuildNote", "CLinux", "Firmware", "Simulation", "Tray",
            "TrayJournal", "UpdateEngine", "Work", arguments, logging),
        library("FileCommands", model + updaters, "CommandKit", "Firmware", arguments),
        library(
            "RadioCommands", model + updaters, "BlueZ", "CommandKit", "Firmware", "Simulation", "Tray",
            "TrayJournal", "UpdateEngine", arguments, logging),
        library(
            "TrayCommands", model, "CLinux", "CommandKit", "Firmware", "Tray", "TrayJournal", "UpdateEngine",
            "Work", arguments, logging),
        library(
            "BeaconCommands", ["CommandKit", "FileCommands", "RadioCommands", "TrayCommands", arguments]),
        program("beacon-dfu", ["BeaconCommands", "NoLocaleData", arguments]),
        // The second program, for several benches: what `beacon-dfu` is to stay free of (libpq, TLS) is linked here only.
        library(
            "StationCommands", model, "BenchPage", "CommandKit", "FileCommands", "Firmware", "Tray",
            "TrayCommands", "TrayJournal", "Work", "WorkServer", arguments),
        program("beacon-dfu-station", ["BeaconCommands", "StationCommands", "NoLocaleData", arguments]),
        // What others can make of the libraries.
        example(
            "flash-one-beacon", "FlashOneBeacon", firmwareFiles, beaconUpdates, blueZRadio, simulatedBeacons),
        example("inspect-firmware", "InspectFirmware", firmwareFiles),
        example("test-phone-client", "TestPhoneClient", simulatedBeacons),
        tests("ExampleTests", ["flash-one-beacon", "inspect-firmware", "test-phone-client"]),
        // A vendor that does not exist, in one folder; see Tests/ExerciseVendor/README.md.
        part("MarbleUpdates", "ExerciseVendor/Updates", model),
        part("MarbleBeacons", "ExerciseVendor/Beacons", wire, "Simulation"),
        tool(
            "marble-dfu", "ExerciseVendor/Program", "BeaconCommands", "CommandKit", "Firmware",
            "MarbleBeacons", "MarbleUpdates", "Simulation"),
        tests("ExerciseVendorTests", ["marble-dfu", "Bytes"], path: "Tests/ExerciseVendor/Tests"),
        // What several tests, benches and fuzzers share.
        part("TestSupport", "TestSupport", ["Bytes", "UpdateModel"]),
        part("SeamContract", "SeamContract", ["Bluetooth"]),
        part(
            "UpdateBench", "UpdateBench", updaters, "Bluetooth", "Simulation", "TestSupport", "UpdateEngine",
            "UpdateModel", logging),
        part("FaultTable", "FaultTable", updaters + bench, "Bluetooth", "KKM", "TestSupport", "UpdateModel"),
        part(
            "TransferBench", "TransferBench/Library", model + bench, "Feasycom", "KKM", "MCUboot", "Nordic",
            "TestSupport"),
        part("TraySamples", "TraySamples", ["Tray", "UpdateModel"]),
        part("WorkContract", "WorkContract", model, "Tray", "Work"),
        part("WorkServerInMemory", "WorkServerInMemory", model, "Tray", "Work"),
        part(
            "FuzzTargets", "Fuzzing/Targets", model + updaters, "BlueZ", "CommandKit", "FaultTable",
            "FileCommands", "Firmware", "KKM", "Orange", "Simulation", "TestSupport", "Tray", "UpdateBench",
            arguments),
        // Programs of benches and tests.
        tool("idle-connection", "IdleConnection", "Bluetooth", "Simulation"),
        tool("transfer-bench", "TransferBench/Program", "Bluetooth", "Nordic", "Simulation", "TransferBench"),
        tool("advert-bench", "AdvertBench", "Bluetooth", "Firmware", "TestSupport", exclude: ["peers.py"]),
        tool("fault-runs", "FaultRuns", "FaultTable", "UpdateBench", arguments),
        tool(
            "tray-bench", "TrayBench", "Bluetooth", "Firmware", "KKM", "Nordic", "Simulation", "TestSupport",
            "Tray", "UpdateBench", "UpdateEngine", "UpdateModel", arguments),
        tool("journal-writer", "JournalWriter", "Tray", "TrayJournal"),
        tool("report-samples", "ReportSamples", "Tray", "TraySamples"),
        tool("bench-page-demo", "BenchPage/Program", "BenchPage", "Tray", "UpdateModel", arguments),
        tool(
            "kernel-bench-client", "KernelBench/client", "BlueZ", "Bluetooth", "Nordic", "SeamContract",
            "UpdateEngine", "UpdateModel", logging, linking: released),
        tests("BytesTests", ["Bytes"]),
        tests("BluetoothTests", wire, "Simulation"),
        tests("BlueZTests", wire, "BlueZ", "Simulation", logging),
        tests("UpdateModelTests", model, "Simulation"),
        tests("NordicTests", model, "Nordic", exclude: ["Legacy/adafruit.py"]),
        tests("MCUbootTests", model, "MCUboot", "Simulation", "UpdateEngine", logging),
        tests("DialogTests", model, "Dialog"),
        tests("FeasycomTests", model, "Feasycom"),
        tests("KKMTests", model, "KKM", "Simulation", "UpdateEngine"),
        tests("OrangeTests", model, "Orange", "Simulation", "UpdateEngine"),
        tests("FirmwareTests", model + updaters, "Firmware", "KKM", "Orange", "Simulation"),
        tests("FuzzingTests", ["Bytes", "FuzzTargets"]),
        tests("FaultTableTests", ["FaultTable"]),
        tests("UpdateEngineTests", model + updaters + bench, "TransferBench", logging),
        tests(
            "TrayTests", model + bench, "Firmware", "Tray", "TraySamples", "tray-bench",
            exclude: ["Reports/Golden"]),
        tests(
            "TrayJournalTests", ["Bluetooth", "Firmware", "Tray", "TrayJournal", "UpdateModel"],
            "journal-writer", grdb, exclude: ["Journals"]),
        tests("SimulationTests", wire, "SeamContract", "Simulation", "TransferBench"),
        tests("WorkTests", model, "Tray", "TrayJournal", "Work", "WorkContract", "WorkServerInMemory"),
        tests("WorkServerTests", model, "BenchPage", "Tray", "Work", "WorkContract", "WorkServer"),
        tests("BenchPageTests", ["UpdateModel", "BenchPage", "Bluetooth", "Tray", "TrayJournal"]),
        tests(
            "CommandTests", model + updaters, "BeaconCommands", "BlueZ", "CommandKit", "FaultTable",
            "FileCommands", "Firmware", "KKM", "Orange", "RadioCommands", "Simulation", "TrayCommands",
            "Tray", "TrayJournal", "TraySamples", "UpdateEngine", "Work", arguments, logging),
        tests("EndToEndTests", model, "Nordic", "Tray", "TrayJournal", "idle-connection"),
    ]
)

package.targets += [
    ("CBluez", nil, "libbluetooth-dev"), ("CCrypto", "libcrypto", "libssl-dev"),
    ("CCurl", "libcurl", "libcurl4-gnutls-dev"), ("CMicrohttpd", "libmicrohttpd", "libmicrohttpd-dev"),
    ("CPostgres", "libpq", "libpq-dev"), ("CYaml", "yaml-0.1", "libyaml-dev"),
    ("CZip", "libzip", "libzip-dev"), ("CZlib", "zlib", "zlib1g-dev"),
].map { .systemLibrary(name: $0, pkgConfig: $1, providers: [.apt([$2])]) }

// The vendors, which never import each other: their files, procedures, sessions and settings.
package.targets += ["Nordic", "MCUboot", "Dialog", "Feasycom", "KKM", "Orange"].map { library($0, model) }

// Has no `main` of its own: it links only with libFuzzer's, which `scripts/fuzz` asks for.
if Context.environment["BEACON_DFU_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzzing/Runner",
            swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]))
}

// Builds do not need it; see `scripts/docs`.
if Context.environment["BEACON_DFU_DOCS"] != nil {
    package.dependencies.append(
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", exact: "1.5.0"))
}
