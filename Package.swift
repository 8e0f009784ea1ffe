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

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

/// A module, which has a README.md.
func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, exclude: ["README.md"], swiftSettings: strict)
}

/// What is made for others, and only of what is offered to them.
func example(_ name: String, _ path: String, _ offered: [[String]]) -> Target {
    .executableTarget(
        name: name, dependencies: Set(offered.joined()).sorted().map { .init(stringLiteral: $0) },
        path: "Examples/" + path, swiftSettings: strict)
}

/// A vendor's folder: its files, procedures, sessions and settings.
func vendor(_ name: String) -> Target { library(name, model) }

/// A program that is released.
func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, exclude: ["README.md"], swiftSettings: strict,
        linkerSettings: released)
}

/// A module of tests and benches, in a folder of Tests.
func part(_ name: String, _ path: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, path: "Tests/" + path, swiftSettings: strict)
}

/// A program of tests and benches, in a folder of Tests.
func tool(
    _ name: String, _ path: String, _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: "Tests/" + path, exclude: exclude, swiftSettings: strict
    )
}

func tests(
    _ name: String, _ dependencies: [Target.Dependency], path: String? = nil, exclude: [String] = []
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies + ["TestSupport"], path: path, exclude: exclude,
        swiftSettings: strict + unoptimised)
}

// What others can import, by product.
let firmwareFiles = ["Bluetooth", "Bytes", "Dialog", "Feasycom", "Firmware", "Nordic", "UpdateModel"]
let beaconUpdates = ["Bluetooth", "UpdateEngine", "UpdateModel"]
let blueZRadio = ["BlueZ", "Bluetooth"]
let simulatedBeacons = ["Bluetooth", "Bytes", "Simulation"]

// What most modules depend on.
let wire: [Target.Dependency] = ["Bluetooth", "Bytes"]
let model = wire + ["UpdateModel"]
let updaters: [Target.Dependency] = ["Dialog", "Feasycom", "Nordic"]

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
        .systemLibrary(name: "CBluez", providers: [.apt(["libbluetooth-dev"])]),
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-gnutls-dev"])]),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(
            name: "CMicrohttpd", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CYaml", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CZip", pkgConfig: "libzip", providers: [.apt(["libzip-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        // What the program says of itself, and what it leaves at home. C, for the linker.
        .target(name: "CBuildNote"),
        .target(name: "NoLocaleData"),

        library("Bytes", ["CCrypto", "CYaml", "CZip", "CZlib"]),
        library("Bluetooth", ["Bytes", "CLinux"]),
        library("BlueZ", wire + ["CBluez", logging]),

        // What an update is, and the vendors, which never import each other.
        library("UpdateModel", ["Bluetooth", "Bytes"]),
        vendor("Nordic"),
        vendor("Dialog"),
        vendor("Feasycom"),
        vendor("KKM"),
        vendor("Orange"),

        library("Firmware", model + updaters + ["KKM", "Orange"]),
        library("Identity", model + ["Firmware"]),
        library("UpdateEngine", ["Bluetooth", "UpdateModel", logging]),

        // Many beacons at once. SQLite is in the journal only.
        library(
            "Tray", model + ["Firmware", "Identity", "UpdateEngine", logging]),
        library("TrayJournal", model + ["CLinux", "Identity", "Tray", grdb]),

        // Beacons that are not there. Never a vendor: client and simulator can disagree.
        library("Simulation", ["Bluetooth", "Bytes"]),

        // Several benches. libpq and libcurl are in the work server's client only, the HTTP server in the page.
        library("Work", model + ["Tray", "TrayJournal"]),
        library("WorkServer", model + ["CCurl", "CPostgres", "Tray", "Work"]),
        .target(
            name: "BenchPage",
            dependencies: [
                "Bluetooth", "Bytes", "CLinux", "CMicrohttpd", "Tray", "TrayJournal", "UpdateModel",
            ], exclude: ["README.md"], resources: [.embedInCode("Server/Page")], swiftSettings: strict),

        // The command line, in modules that compile side by side.
        library(
            "CommandKit",
            model + updaters + [
                "BlueZ", "CBuildNote", "CLinux", "Firmware", "Identity", "Simulation", "Tray", "TrayJournal",
                "UpdateEngine", "Work", argumentParser, logging,
            ]),
        library("FileCommands", model + updaters + ["CommandKit", "Firmware", "Identity", argumentParser]),
        library(
            "RadioCommands",
            model + updaters + [
                "BlueZ", "CLinux", "CommandKit", "Firmware", "Identity", "KKM", "Orange", "Simulation",
                "Tray",
                "TrayJournal", "UpdateEngine", argumentParser, logging,
            ]),
        library(
            "TrayCommands",
            model + [
                "CLinux", "CommandKit", "Dialog", "Firmware", "Identity", "KKM", "RadioCommands", "Tray",
                "TrayJournal", "UpdateEngine", "Work", argumentParser, logging,
            ]),
        library(
            "BeaconCommands", ["CommandKit", "FileCommands", "RadioCommands", "TrayCommands", argumentParser]),
        program("beacon-dfu", ["BeaconCommands", "NoLocaleData", argumentParser]),
        // The second program, for several benches: what `beacon-dfu` is to stay free of (libpq, TLS) is linked here only.
        library(
            "StationCommands",
            model + [
                "BenchPage", "CommandKit", "FileCommands", "Identity", "RadioCommands", "Tray",
                "TrayCommands",
                "TrayJournal", "Work", "WorkServer", argumentParser,
            ]),
        program("beacon-dfu-station", ["BeaconCommands", "StationCommands", "NoLocaleData", argumentParser]),

        example(
            "flash-one-beacon", "FlashOneBeacon",
            [firmwareFiles, beaconUpdates, blueZRadio, simulatedBeacons]),
        example("inspect-firmware", "InspectFirmware", [firmwareFiles]),
        example("test-phone-client", "TestPhoneClient", [simulatedBeacons]),
        tests("ExampleTests", ["flash-one-beacon", "inspect-firmware", "test-phone-client"]),

        // A vendor that does not exist, in one folder; see Tests/ExerciseVendor/README.md.
        part("MarbleUpdates", "ExerciseVendor/Updates", model),
        part("MarbleBeacons", "ExerciseVendor/Beacons", wire + ["Simulation"]),
        tool(
            "marble-dfu", "ExerciseVendor/Program",
            ["BeaconCommands", "CommandKit", "Firmware", "MarbleBeacons", "MarbleUpdates", "Simulation"]),
        tests("ExerciseVendorTests", ["marble-dfu", "Bytes"], path: "Tests/ExerciseVendor/Tests"),

        // What several tests, benches and fuzzers share.
        part("TestSupport", "TestSupport", ["Bytes", "UpdateModel"]),
        part("SeamContract", "SeamContract", ["Bluetooth"]),
        part(
            "UpdateBench", "UpdateBench",
            updaters + ["Bluetooth", "Simulation", "TestSupport", "UpdateEngine", "UpdateModel", logging]),
        part(
            "FaultTable", "FaultTable",
            updaters + [
                "Bluetooth", "KKM", "Simulation", "TestSupport", "UpdateBench", "UpdateEngine", "UpdateModel",
            ]),
        part(
            "TransferBench", "TransferBench/Library",
            model + ["Feasycom", "KKM", "Nordic", "Simulation", "TestSupport", "UpdateBench", "UpdateEngine"]),
        part("TraySamples", "TraySamples", ["Tray", "UpdateModel"]),
        part("WorkContract", "WorkContract", model + ["Tray", "Work"]),
        part("WorkServerInMemory", "WorkServerInMemory", model + ["Tray", "Work"]),
        part(
            "FuzzTargets", "Fuzzing/Targets",
            model + updaters + [
                "BlueZ", "CommandKit", "FaultTable", "FileCommands", "Firmware", "Identity", "KKM", "Orange",
                "RadioCommands",
                "Simulation", "TestSupport", "Tray", "UpdateBench", argumentParser,
            ]),

        // Programs of benches and tests.
        tool("idle-connection", "IdleConnection", ["Bluetooth", "Simulation"]),
        tool("transfer-bench", "TransferBench/Program", ["Nordic", "Simulation", "TransferBench"]),
        tool("advert-bench", "AdvertBench", ["Bluetooth", "Identity", "TestSupport"], exclude: ["peers.py"]),
        tool("fault-runs", "FaultRuns", ["FaultTable", "UpdateBench", argumentParser]),
        tool(
            "tray-bench", "TrayBench",
            [
                "Bluetooth", "Identity", "KKM", "Nordic", "Simulation", "TestSupport", "Tray", "UpdateBench",
                "UpdateEngine", "UpdateModel", argumentParser,
            ]),
        tool("journal-writer", "JournalWriter", ["Tray", "TrayJournal"]),
        tool("report-samples", "ReportSamples", ["Tray", "TraySamples"]),
        tool("bench-page-demo", "BenchPage/Program", ["BenchPage", "Tray", "UpdateModel", argumentParser]),
        .executableTarget(
            name: "kernel-bench-client",
            dependencies: [
                "BlueZ", "Bluetooth", "Nordic", "SeamContract", "UpdateEngine", "UpdateModel", logging,
            ],
            path: "Tests/KernelBench/client", swiftSettings: strict, linkerSettings: released),

        tests("BytesTests", ["Bytes"]),
        tests("BluetoothTests", wire + ["Simulation"]),
        tests("BlueZTests", wire + ["BlueZ", "Simulation", logging]),
        tests("UpdateModelTests", model + ["Simulation"]),
        tests(
            "NordicTests", model + ["Nordic"], exclude: ["Legacy/adafruit.py"]),
        tests("DialogTests", model + ["Dialog"]),
        tests("FeasycomTests", model + ["Feasycom"]),
        tests("KKMTests", model + ["KKM", "Simulation", "UpdateEngine"]),
        tests("OrangeTests", model + ["Orange", "Simulation", "UpdateEngine"]),
        tests("IdentityTests", ["Bluetooth", "Feasycom", "Identity", "KKM", "Orange", "UpdateModel"]),
        tests("FirmwareTests", model + updaters + ["Firmware", "Simulation"]),
        tests("FuzzingTests", ["Bytes", "FuzzTargets"]),
        tests("FaultTableTests", ["FaultTable"]),
        tests(
            "UpdateEngineTests",
            model + updaters + ["Simulation", "TransferBench", "UpdateBench", "UpdateEngine", logging]),
        tests(
            "TrayTests",
            model + [
                "Firmware", "Identity", "Simulation", "Tray", "TraySamples", "UpdateBench", "UpdateEngine",
                "tray-bench",
            ], exclude: ["Reports/Golden"]),
        tests(
            "TrayJournalTests",
            ["Bluetooth", "Identity", "Tray", "TrayJournal", "UpdateModel", "journal-writer", grdb],
            exclude: ["Journals"]),
        tests("SimulationTests", wire + ["SeamContract", "Simulation", "TransferBench"]),
        tests("WorkTests", model + ["Tray", "TrayJournal", "Work", "WorkContract", "WorkServerInMemory"]),
        tests("WorkServerTests", model + ["BenchPage", "Tray", "Work", "WorkContract", "WorkServer"]),
        tests("BenchPageTests", ["UpdateModel", "BenchPage", "Bluetooth", "Tray", "TrayJournal"]),
        tests(
            "CommandTests",
            model + [
                "BeaconCommands", "BlueZ", "CommandKit", "Dialog", "FaultTable", "Feasycom", "FileCommands",
                "Firmware", "Identity", "KKM", "Nordic", "Orange", "RadioCommands", "Simulation",
                "TrayCommands", "Tray", "TrayJournal",
                "TraySamples", "UpdateEngine", "Work", argumentParser,
                logging,
            ]),
        tests("EndToEndTests", model + ["Nordic", "Tray", "TrayJournal", "idle-connection"]),
    ]
)

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
