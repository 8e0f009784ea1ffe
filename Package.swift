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
/// toolchain has no Testing for those: programs and tests would share no module (docs/decisions/0056-one-build.md).
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
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let hummingbirdTLS = Target.Dependency.product(name: "HummingbirdTLS", package: "hummingbird")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let protobuf = Target.Dependency.product(name: "SwiftProtobuf", package: "swift-protobuf")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")

func library(
    _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
    .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

/// What is made for others, and only of what is offered to them.
func example(_ name: String, _ path: String, _ offered: [[String]]) -> Target {
    .executableTarget(
        name: name, dependencies: Set(offered.joined()).sorted().map { .init(stringLiteral: $0) },
        path: "Examples/" + path, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict + unoptimised)
}

// What others can import, by product.
let firmwareFiles = [
    "Archives", "BluetoothTypes", "ByteCoding", "Catalogue", "DialogSUOTA", "Digests", "FBeacon",
    "FirmwareModel", "HexFiles", "NordicDFU", "UpdateCore", "Validation", "Vendors",
]
let beaconUpdates = [
    "BluetoothTypes", "FirmwareModel", "GATT", "PacketSockets", "Radio", "Sessions", "Timing", "UpdateCore",
    "UpdateEngine",
]
let blueZRadio = ["BlueZ", "BluetoothTypes", "PacketSockets", "Radio", "Timing"]
let simulatedBeacons = [
    "BluetoothTypes", "ByteCoding", "Digests", "GATT", "PacketSockets", "Radio", "SimulatedDevice",
    "SimulatedRadio", "SimulatedTime", "Timing", "YAMLText",
]

let package = Package(
    name: "beacon-dfu",
    products: [
        .executable(name: "beacon-dfu", targets: ["beacon-dfu"]),
        .executable(name: "beacon-dfu-station", targets: ["beacon-dfu-station"]),
        .library(name: "FirmwareFiles", targets: firmwareFiles),
        .library(name: "BeaconUpdates", targets: beaconUpdates),
        .library(name: "BlueZRadio", targets: blueZRadio),
        .library(name: "SimulatedBeacons", targets: simulatedBeacons),
        .library(name: "BeaconCommands", targets: ["BeaconCommands"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-protobuf", exact: "1.39.0"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    ],
    targets: [
        .systemLibrary(
            name: "CZip", pkgConfig: "libzip", providers: [.apt(["libzip-dev"])]),
        .systemLibrary(
            name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CLinux"),
        // What the program says of itself, and what it leaves at home. C, for the linker.
        .target(name: "CBuildNote"),
        .target(name: "NoLocaleData"),
        .systemLibrary(name: "CBluez", providers: [.apt(["libbluetooth-dev"])]),
        .systemLibrary(
            name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),

        // Bytes, files and formats.
        library("ByteCoding"),
        library("Spelling"),
        library("Digests", ["CZlib", crypto]),
        library("Ciphers", [crypto, cryptoExtras]),
        library("Archives", ["CZip", "CZlib"]),
        library("HexFiles", ["ByteCoding"]),
        library("NordicMessages", [protobuf], exclude: ["init_packet.proto"]),

        // The vocabulary of the air, and what travels over it.
        library("BluetoothTypes", ["ByteCoding"]),
        library("Timing"),
        library("GATT", ["ByteCoding", "BluetoothTypes", "Timing"]),
        library("Radio", ["BluetoothTypes", "GATT", "Timing"]),
        library("PacketSockets", ["ByteCoding", "CLinux", "GATT", "Timing"]),
        library("Capture", ["ByteCoding", "BluetoothTypes", "GATT", "Radio", "Timing"]),

        library(
            "BlueZ",
            ["CBluez", "ByteCoding", "BluetoothTypes", "GATT", "PacketSockets", "Radio", "Timing", logging]),

        // What is said of firmware and devices, by whichever vendor.
        library("FirmwareModel", ["BluetoothTypes"]),

        // What to say over GATT and who says it, the contract of an update, and the vendors.
        library("Sessions", ["BluetoothTypes", "GATT", "Timing"]),
        library("UpdateCore", ["ByteCoding", "BluetoothTypes", "FirmwareModel", "Sessions"]),
        library(
            "NordicDFU",
            [
                "ByteCoding", "Digests", "Archives", "HexFiles", "BluetoothTypes", "FirmwareModel",
                "Sessions", "UpdateCore",
                "NordicMessages", protobuf,
            ]),
        library(
            "DialogSUOTA",
            [
                "ByteCoding", "Ciphers", "Digests", "BluetoothTypes", "FirmwareModel", "Sessions",
                "UpdateCore",
            ]),
        library(
            "KBeacon",
            ["ByteCoding", "Digests", "BluetoothTypes", "YAMLText", "Sessions", "UpdateCore"]),
        library(
            "FBeacon",
            [
                "ByteCoding", "Digests", "BluetoothTypes", "FirmwareModel", "YAMLText", "Sessions",
                "UpdateCore",
            ]),
        library("OrangeTag", ["ByteCoding", "BluetoothTypes", "GATT", "YAMLText", "Sessions"]),
        library(
            "Vendors",
            [
                "ByteCoding", "BluetoothTypes", "Digests", "Archives", "HexFiles", "FirmwareModel",
                "UpdateCore",
                "NordicDFU", "DialogSUOTA", "FBeacon",
            ]),

        // One beacon that is spoken to.
        library("BeaconSessions", ["BluetoothTypes", "GATT", "Radio", "Sessions", "Timing"]),

        // Who is this beacon, and what does it run.
        library("BeaconIdentity", ["ByteCoding", "BluetoothTypes", "FBeacon", "Radio", "Spelling"]),

        // What may be released.
        library("YAMLText", ["ByteCoding", "Spelling", yams]),
        library("Secrets", ["BluetoothTypes", "Sessions", "YAMLText"]),
        library(
            "Catalogue",
            ["ByteCoding", "Digests", "FirmwareModel", "UpdateCore", "Vendors", "Spelling", "YAMLText"]),
        library(
            "Validation",
            [
                "ByteCoding", "Digests", "FirmwareModel",
                "UpdateCore", "Vendors", "Catalogue", "ReportFormats", "Spelling",
                "YAMLText",
            ]),

        // Many beacons at once.
        library(
            "Tray",
            [
                "BeaconIdentity", "BluetoothTypes", "ByteCoding", "Catalogue", "FirmwareModel", "Radio",
                "Spelling",
                "UpdateCore",
                "Vendors", "YAMLText",
            ]),
        library(
            "TrayJournal",
            [
                "BeaconIdentity", "BluetoothTypes", "ByteCoding", "Digests", "PacketSockets", "Spelling",
                "Tray",
                grdb,
            ]),
        // Work that several benches share.
        library("WorkOrders", ["Tray"]),
        library(
            "Stations",
            ["ByteCoding", "Digests", "PacketSockets", "Timing", "Tray", "TrayJournal", "WorkOrders"]),
        library("FileMirror", ["Stations", "Timing", "WorkOrders", nioCore, nioHTTP1, nioPosix, nioSSL]),
        library("Postgres", ["CPostgres", "PacketSockets", "Timing"]),
        library(
            "StationEngine",
            ["ByteCoding", "Digests", "PacketSockets", "Postgres", "Timing", "Tray", "WorkOrders"]),
        library("Hooks", ["CLinux", "PacketSockets", "Timing", "Tray", "TrayJournal"]),

        // How results are written down.
        library("ReportFormats", ["ByteCoding", "Digests"]),
        library("TrayReports", ["ByteCoding", "ReportFormats", "Tray"]),

        // The page that shows benches at work: what it says, and how it is served.
        library("BenchPage", ["ByteCoding", "Tray"]),
        library("BenchSources", ["BenchPage", "CLinux", "Tray", "TrayJournal"]),
        .target(
            name: "BenchServer",
            dependencies: [
                "BenchPage", "Tray", hummingbird, hummingbirdCore, hummingbirdTLS, logging, nioCore, nioSSL,
                httpTypes,
            ], resources: [.embedInCode("Page")], swiftSettings: strict),

        // How it is driven.
        library(
            "UpdateEngine",
            [
                "FirmwareModel", "Sessions", "UpdateCore", "BluetoothTypes", "GATT", "Radio", "Timing",
                logging,
            ]),

        library(
            "TrayEngine",
            [
                "BeaconIdentity", "BluetoothTypes", "GATT", "Radio", "Sessions", "Timing", "Tray",
                "UpdateCore",
                "UpdateEngine", logging,
            ]),

        // Beacons that are not there. Never a vendor target: client and simulator can disagree.
        library("SimulatedDevice", ["ByteCoding", "Digests", "BluetoothTypes", "GATT", "Timing"]),
        library(
            "SimulatedRadio",
            [
                "ByteCoding", "BluetoothTypes", "Digests", "GATT", "Radio", "PacketSockets",
                "SimulatedDevice", "Timing", "YAMLText",
            ]),
        library("SimulatedTime", ["PacketSockets", "Timing"]),

        library(
            "BeaconCommands",
            [
                "CBuildNote", "CLinux", "ByteCoding", "Ciphers", "Digests", "Archives", "BluetoothTypes",
                "GATT", "Radio",
                "PacketSockets", "FirmwareModel", "Sessions", "UpdateCore",
                "NordicDFU", "DialogSUOTA", "FBeacon", "KBeacon", "OrangeTag", "Vendors", "Catalogue",
                "Validation", "HexFiles",
                "Spelling", "YAMLText", "Secrets", "BeaconSessions",
                "BeaconIdentity", "UpdateEngine", "SimulatedDevice", "SimulatedRadio", "BlueZ",
                "Capture", "ReportFormats", "Stations", "Timing", "Tray", "TrayEngine", "Hooks",
                "TrayJournal", "TrayReports", "WorkOrders",
                argumentParser,
                logging,
            ]),
        .executableTarget(
            name: "beacon-dfu", dependencies: ["BeaconCommands", "NoLocaleData", argumentParser],
            swiftSettings: strict, linkerSettings: released),

        // The second program, for several benches: what `beacon-dfu` is to stay free of (libpq) is linked here only.
        library(
            "StationCommands",
            [
                "BeaconCommands", "BeaconIdentity", "BenchPage", "BenchServer", "BenchSources", "ByteCoding",
                "Catalogue", "FileMirror", "PacketSockets", "Postgres", "StationEngine", "Stations", "Timing",
                "Tray", "TrayJournal", "UpdateCore", "WorkOrders",
                "YAMLText", argumentParser,
            ]),
        .executableTarget(
            name: "beacon-dfu-station",
            dependencies: ["BeaconCommands", "StationCommands", "NoLocaleData", argumentParser],
            swiftSettings: strict, linkerSettings: released),

        example(
            "flash-one-beacon", "FlashOneBeacon",
            [firmwareFiles, beaconUpdates, blueZRadio, simulatedBeacons]),
        example("inspect-firmware", "InspectFirmware", [firmwareFiles]),
        example("test-phone-client", "TestPhoneClient", [simulatedBeacons]),
        tests("ExampleTests", ["flash-one-beacon", "inspect-firmware", "test-phone-client", "TestSupport"]),

        // A vendor that does not exist, in one folder; see Tests/ExerciseVendor/README.md.
        .target(
            name: "MarbleUpdates",
            dependencies: [
                "ByteCoding", "Digests", "BluetoothTypes", "FirmwareModel", "Sessions", "UpdateCore",
            ], path: "Tests/ExerciseVendor/Updates", swiftSettings: strict),
        .target(
            name: "MarbleBeacons",
            dependencies: [
                "ByteCoding", "Digests", "BluetoothTypes", "SimulatedDevice", "SimulatedRadio", "Timing",
                "YAMLText",
            ], path: "Tests/ExerciseVendor/Beacons", swiftSettings: strict),
        .executableTarget(
            name: "marble-dfu",
            dependencies: ["BeaconCommands", "MarbleBeacons", "MarbleUpdates", "SimulatedRadio", "Vendors"],
            path: "Tests/ExerciseVendor/Program", swiftSettings: strict),
        .testTarget(
            name: "ExerciseVendorTests",
            dependencies: ["marble-dfu", "ByteCoding", "Digests", "TestSupport"],
            path: "Tests/ExerciseVendor/Tests", swiftSettings: strict + unoptimised),

        .target(
            name: "TestSupport", dependencies: ["ByteCoding", "Digests"], path: "Tests/TestSupport",
            swiftSettings: strict),
        // What is fuzzed, for `make fuzz` and for ordinary tests.
        .target(
            name: "FuzzTargets",
            dependencies: [
                "ByteCoding", "Archives", "BeaconIdentity", "BluetoothTypes", "FirmwareModel", "GATT",
                "Sessions", "UpdateCore", "BlueZ",
                "Capture", "HexFiles",
                "NordicDFU",
                "DialogSUOTA", "FBeacon", "KBeacon", "OrangeTag", "Vendors", "Catalogue", "ReportFormats",
                "Tray", "Validation", "YAMLText",
                "SimulatedDevice", "SimulatedRadio", "SimulatedTime", "TestSupport", "BeaconCommands",
                "FaultTable", "UpdateBench", argumentParser,
            ],
            path: "Tests/Fuzzing/Targets", swiftSettings: strict),
        // What holds for every adapter, for tests and for the kernel bench.
        .target(
            name: "SeamContract",
            dependencies: ["BluetoothTypes", "GATT", "Radio", "Timing"],
            path: "Tests/SeamContract", swiftSettings: strict),
        tests(
            "SeamContractTests",
            [
                "SeamContract", "BluetoothTypes", "Capture", "PacketSockets", "Radio", "SimulatedDevice",
                "SimulatedRadio", "SimulatedTime", "Timing",
            ]),
        // Measures in a process of its own what an idle connection costs.
        .executableTarget(
            name: "idle-connection",
            dependencies: ["BluetoothTypes", "GATT", "PacketSockets", "SimulatedDevice", "Timing"],
            path: "Tests/IdleConnection", swiftSettings: strict),
        // The senders and the modelled air of `make bench`, for the program that prints them and for tests.
        .target(
            name: "TransferBench",
            dependencies: [
                "BeaconSessions", "BluetoothTypes", "Digests", "FBeacon", "GATT", "KBeacon", "NordicDFU",
                "PacketSockets", "Radio", "Sessions", "SimulatedDevice",
                "SimulatedRadio", "SimulatedTime", "TestSupport", "Timing", "UpdateBench", "UpdateCore",
            ], path: "Tests/TransferBench/Library", swiftSettings: strict),
        .executableTarget(
            name: "transfer-bench",
            dependencies: ["NordicDFU", "SimulatedDevice", "SimulatedRadio", "TransferBench"],
            path: "Tests/TransferBench/Program", swiftSettings: strict),
        // What it costs to know beacons by their reports, for `make bench`.
        .executableTarget(
            name: "advert-bench", dependencies: ["BeaconIdentity", "BluetoothTypes", "TestSupport"],
            path: "Tests/AdvertBench", exclude: ["peers.py"], swiftSettings: strict),
        // An engine for several benches that needs no network.
        .target(
            name: "WorkServerInMemory", dependencies: ["ByteCoding", "Digests", "Tray", "WorkOrders"],
            path: "Tests/WorkServerInMemory", swiftSettings: strict),
        tests(
            "StationsTests",
            [
                "ByteCoding", "Digests", "WorkServerInMemory", "Stations", "TestSupport", "Timing", "Tray",
                "TrayJournal", "WorkContract", "WorkOrders",
            ]),
        tests("FuzzingTests", ["FuzzTargets", "ByteCoding", "TestSupport"]),
        // What the kernel bench runs beside the program; see Tests/KernelBench/README.md.
        .executableTarget(
            name: "kernel-bench-client",
            dependencies: [
                "BlueZ", "BluetoothTypes", "GATT", "NordicDFU", "PacketSockets", "Radio", "SeamContract",
                "Timing",
                "UpdateCore", "UpdateEngine", logging,
            ], path: "Tests/KernelBench/client", swiftSettings: strict, linkerSettings: released),
        tests("ByteCodingTests", ["ByteCoding", "TestSupport"]),
        tests("YAMLTextTests", ["Spelling", "TestSupport", "YAMLText"]),
        tests("DigestsTests", ["ByteCoding", "Digests", "TestSupport"]),
        tests("CiphersTests", ["Ciphers", "TestSupport"]),
        tests("ArchivesTests", ["Archives", "TestSupport"]),
        tests("BluetoothTypesTests", ["BluetoothTypes", "ByteCoding", "TestSupport"]),
        tests(
            "GATTTests",
            [
                "GATT", "BluetoothTypes", "ByteCoding", "PacketSockets", "Timing", "SimulatedTime",
                "TestSupport",
            ]),
        tests(
            "CaptureTests",
            [
                "Capture", "BluetoothTypes", "ByteCoding", "GATT", "PacketSockets", "Radio", "SimulatedRadio",
                "SimulatedTime", "TestSupport", "Timing",
            ]),
        tests("PacketSocketsTests", ["PacketSockets", "GATT", "Timing", "SimulatedTime"]),
        tests(
            "BlueZTests",
            [
                "BlueZ", "BluetoothTypes", "ByteCoding", "GATT", "PacketSockets", "Radio", "Timing",
                "SimulatedTime", "TestSupport", logging,
            ]),
        tests(
            "SessionsTests", ["Sessions", "BluetoothTypes", "GATT", "Timing", "SimulatedTime"]),
        tests("UpdateCoreTests", ["FirmwareModel", "UpdateCore", "BluetoothTypes", "Sessions"]),
        tests(
            "NordicDFUTests",
            [
                "FirmwareModel", "NordicDFU", "Sessions", "UpdateCore", "BluetoothTypes", "ByteCoding",
                "Digests", "Archives",
                "TestSupport",
            ],
            exclude: ["Legacy/adafruit.py"]),
        tests(
            "DialogSUOTATests",
            [
                "FirmwareModel", "DialogSUOTA", "Sessions", "UpdateCore", "BluetoothTypes", "ByteCoding",
                "Ciphers",
                "TestSupport",
            ]),
        tests(
            "CatalogueTests",
            ["Catalogue", "FirmwareModel", "Spelling", "TestSupport", "UpdateCore", "Vendors", "YAMLText"]),
        // Trays in simulated time: tests run small ones, the program tables and faults of large ones.
        .executableTarget(
            name: "tray-bench",
            dependencies: [
                "BeaconIdentity", "BeaconSessions", "BluetoothTypes", "KBeacon", "NordicDFU", "Radio",
                "Sessions",
                "SimulatedDevice", "SimulatedRadio", "SimulatedTime", "TestSupport", "Timing", "Tray",
                "TrayEngine", "UpdateBench", "UpdateCore", "UpdateEngine", argumentParser,
            ], path: "Tests/TrayBench", swiftSettings: strict),
        tests(
            "TrayEngineTests",
            [
                "BeaconIdentity", "BluetoothTypes", "Radio", "SimulatedDevice", "SimulatedRadio", "Tray",
                "TrayEngine", "UpdateBench", "UpdateCore", "UpdateEngine", "tray-bench",
            ]),
        tests(
            "TrayTests",
            ["BeaconIdentity", "Catalogue", "TestSupport", "Tray", "UpdateCore", "YAMLText", "tray-bench"]),
        // Writes to a journal until it is killed.
        .executableTarget(
            name: "journal-writer", dependencies: ["Tray", "TrayJournal"], path: "Tests/JournalWriter",
            swiftSettings: strict),
        tests(
            "TrayJournalTests",
            [
                "journal-writer", "BeaconIdentity", "BluetoothTypes", "TestSupport", "Tray", "TrayJournal",
                grdb,
            ], exclude: ["Journals"]),
        // Records of runs that never were, for tests and for `scripts/report-pictures`.
        .target(
            name: "TraySamples", dependencies: ["Tray"], path: "Tests/TraySamples", swiftSettings: strict),
        .executableTarget(
            name: "report-samples", dependencies: ["Tray", "TrayReports", "TraySamples"],
            path: "Tests/ReportSamples", swiftSettings: strict),
        tests(
            "TrayReportsTests",
            ["ReportFormats", "TestSupport", "Tray", "TrayReports", "TraySamples"], exclude: ["Golden"]),
        // What holds for every source of work that several benches share, for tests of each.
        .target(
            name: "WorkContract", dependencies: ["ByteCoding", "Digests", "Tray", "WorkOrders"],
            path: "Tests/WorkContract", swiftSettings: strict),
        tests(
            "StationEngineTests",
            [
                "ByteCoding", "Digests", "PacketSockets", "Postgres", "StationEngine", "Timing", "Tray",
                "WorkContract", "WorkOrders",
            ]),
        tests("BenchPageTests", ["BenchPage", "BenchSources", "Tray", "TrayJournal"]),
        // A page of benches that never were, for Tests/BenchPage/run and for looking at it.
        .executableTarget(
            name: "bench-page-demo",
            dependencies: ["BenchPage", "BenchServer", "BenchSources", "Tray", argumentParser],
            path: "Tests/BenchPage/Program", swiftSettings: strict),
        tests("HooksTests", ["Hooks", "TestSupport", "Timing", "Tray", "TrayJournal"]),
        tests("BeaconIdentityTests", ["BeaconIdentity", "BluetoothTypes", "Radio", "TestSupport"]),
        tests(
            "KBeaconTests",
            [
                "BeaconSessions", "BluetoothTypes", "ByteCoding", "GATT", "KBeacon", "PacketSockets", "Radio",
                "Sessions",
                "SimulatedDevice", "SimulatedRadio", "SimulatedTime", "TestSupport", "Timing", "YAMLText",
            ]),
        tests(
            "OrangeTagTests",
            [
                "BeaconSessions", "BluetoothTypes", "ByteCoding", "GATT", "OrangeTag", "Radio", "Sessions",
                "SimulatedDevice", "SimulatedRadio", "SimulatedTime", "TestSupport", "Timing", "YAMLText",
            ]),
        tests("SecretsTests", ["BluetoothTypes", "Secrets", "Sessions", "TestSupport", "YAMLText"]),
        tests(
            "FBeaconTests",
            [
                "BluetoothTypes", "Sessions", "UpdateCore", "FirmwareModel", "FBeacon", "ByteCoding",
                "TestSupport", "YAMLText",
            ]),
        tests("HexFilesTests", ["HexFiles", "TestSupport"]),
        tests(
            "VendorsTests",
            [
                "UpdateCore", "FirmwareModel",
                "Vendors", "NordicDFU", "DialogSUOTA", "FBeacon", "Archives", "ByteCoding", "Digests",
                "TestSupport",
            ]),
        tests(
            "SimulatedDeviceTests",
            ["SimulatedDevice", "GATT", "BluetoothTypes", "ByteCoding", "Digests", "Timing", "TestSupport"]),
        tests(
            "SimulatedRadioTests",
            [
                "SimulatedRadio", "SimulatedDevice", "Radio", "ByteCoding", "Digests", "GATT",
                "BluetoothTypes",
                "PacketSockets", "Timing", "SimulatedTime", "TestSupport", "TransferBench", "YAMLText",
            ]),
        // Updates of simulated beacons in virtual time, for tests and for whoever wants many of them.
        .target(
            name: "UpdateBench",
            dependencies: [
                "FirmwareModel", "UpdateEngine", "Sessions", "UpdateCore", "NordicDFU", "DialogSUOTA",
                "FBeacon", "SimulatedDevice", "SimulatedRadio",
                "Radio",
                "GATT", "BluetoothTypes", "PacketSockets", "TestSupport", "Timing", "SimulatedTime", logging,
            ], path: "Tests/UpdateBench", swiftSettings: strict),
        // Which faults end how, for which kind of beacon.
        .target(
            name: "FaultTable",
            dependencies: [
                "UpdateBench", "BluetoothTypes", "DialogSUOTA", "FBeacon", "FirmwareModel", "KBeacon",
                "NordicDFU",
                "Sessions", "SimulatedDevice",
                "SimulatedRadio", "UpdateCore", "UpdateEngine", "TestSupport",
            ], path: "Tests/FaultTable", swiftSettings: strict),
        .executableTarget(
            name: "fault-runs", dependencies: ["FaultTable", "UpdateBench", argumentParser],
            path: "Tests/FaultRuns",
            swiftSettings: strict),
        tests("FaultTableTests", ["FaultTable", "TestSupport"]),
        tests(
            "UpdateEngineTests",
            [
                "FirmwareModel", "UpdateBench",
                "UpdateEngine", "Sessions", "UpdateCore", "NordicDFU", "DialogSUOTA", "FBeacon",
                "SimulatedDevice", "SimulatedRadio",
                "Radio",
                "GATT", "BluetoothTypes", "Digests", "PacketSockets", "Timing", "SimulatedTime",
                "TestSupport", "TransferBench",
                logging,
            ]),
        tests(
            "ValidationTests",
            [
                "UpdateCore", "FirmwareModel",
                "Validation", "Catalogue", "YAMLText", "NordicDFU", "DialogSUOTA", "ByteCoding",
                "SimulatedDevice", "Digests", "TestSupport", crypto,
            ]),
        tests(
            "CommandTests",
            [
                "BeaconCommands", "BeaconIdentity", "ByteCoding", "DialogSUOTA", "FirmwareModel", "NordicDFU",
                "ReportFormats", "Tray", "TrayJournal", "TraySamples", "WorkOrders",
                "Catalogue", "Spelling", "Validation", "Vendors",
                "BlueZ", "Secrets", "Sessions", "UpdateCore", "YAMLText",
                "BluetoothTypes", "FaultTable", "GATT", "PacketSockets", "Radio", "SimulatedDevice",
                "SimulatedRadio", "SimulatedTime", "Timing", "TestSupport", "UpdateEngine", argumentParser,
                logging,
            ]),
        tests(
            "EndToEndTests",
            [
                "idle-connection", "Archives", "BluetoothTypes", "Capture", "NordicDFU", "TestSupport",
                "Tray",
                "TrayJournal",
            ]),
    ]
)

// Has no `main` of its own: it links only with libFuzzer's, which `scripts/fuzz` asks for.
if Context.environment["BEACON_DFU_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzzing/Runner",
            swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]))
}

// Who only builds has no use for it; see `scripts/docs`.
if Context.environment["BEACON_DFU_DOCS"] != nil {
    package.dependencies.append(
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", exact: "1.5.0"))
}
