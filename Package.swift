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

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let protobuf = Target.Dependency.product(name: "SwiftProtobuf", package: "swift-protobuf")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")

func library(
    _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
    .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

let package = Package(
    name: "beacon-dfu",
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    ],
    targets: [
        .systemLibrary(
            name: "CZip", pkgConfig: "libzip", providers: [.apt(["libzip-dev"])]),
        .systemLibrary(
            name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CLinux"),
        library("ByteCoding"),
        library("Digests", ["CZlib", crypto]),
        library("Archives", ["CZip"]),
        library("NordicMessages", [protobuf], exclude: ["init_packet.proto"]),
        library("BluetoothTypes", ["ByteCoding"]),
        library("Timing"),
        library("GATT", ["ByteCoding", "BluetoothTypes", "Timing"]),
        library("Radio", ["BluetoothTypes", "GATT", "Timing"]),
        library("PacketSockets", ["CLinux", "GATT"]),
        library("UpdateCore", ["BluetoothTypes"]),
        library(
            "NordicDFU",
            [
                "ByteCoding", "Digests", "Archives", "BluetoothTypes", "UpdateCore",
                "NordicMessages", protobuf,
            ]),
        library("Vendors", ["ByteCoding", "Digests", "Archives", "NordicDFU", "UpdateCore"]),
        library("UpdateEngine", ["UpdateCore", "BluetoothTypes", "GATT", "Radio", "Timing", logging]),
        library("SimulatedDevice", ["ByteCoding", "Digests", "BluetoothTypes", "GATT", "Timing"]),
        library(
            "SimulatedRadio",
            [
                "BluetoothTypes", "Digests", "GATT", "Radio", "PacketSockets", "SimulatedDevice", "Timing",
                yams,
            ]),
        library("VirtualTime", ["CLinux", "GATT", "PacketSockets", "Timing"]),
        .target(
            name: "TestSupport",
            dependencies: [
                "ByteCoding", "BluetoothTypes", "GATT", "Timing", "VirtualTime", "PacketSockets",
            ],
            path: "Tests/TestSupport", swiftSettings: strict),
        tests("ArchivesTests", ["Archives", "TestSupport"]),
        tests(
            "PacketSocketsTests",
            ["PacketSockets", "GATT", "Timing", "VirtualTime", "TestSupport"]),
        tests(
            "NordicDFUTests",
            [
                "NordicDFU", "NordicMessages", "UpdateCore", "BluetoothTypes", "ByteCoding", "Digests",
                "Archives", "TestSupport",
            ]),
        tests("VendorsTests", ["Vendors", "NordicDFU", "TestSupport"]),
        tests(
            "SimulatedDeviceTests",
            [
                "SimulatedDevice", "GATT", "BluetoothTypes", "ByteCoding", "Digests", "Timing",
                "VirtualTime", "TestSupport",
            ]),
        tests(
            "UpdateEngineTests",
            [
                "UpdateEngine", "UpdateCore", "NordicDFU", "Vendors", "SimulatedDevice", "SimulatedRadio",
                "Radio", "GATT", "BluetoothTypes", "ByteCoding", "Digests", "PacketSockets", "Timing",
                "VirtualTime", "TestSupport",
            ]),
    ]
)
