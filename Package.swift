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
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let protobuf = Target.Dependency.product(name: "SwiftProtobuf", package: "swift-protobuf")
func library(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}
func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}
let package = Package(
    name: "beacon-dfu",
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
        // HELPER-PACKAGES
    ],
    targets: [
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        library("ByteCoding"),
        library("Digests", ["CZlib", crypto]),
        library("BluetoothTypes", ["ByteCoding"]),
        library("Timing"),
        library("GATT", ["ByteCoding", "BluetoothTypes", "Timing"]),
        .systemLibrary(name: "CZip", pkgConfig: "libzip", providers: [.apt(["libzip-dev"])]),
        library("Archives", ["CZip"]),
        library("NordicMessages", [protobuf], exclude: ["init_packet.proto"]),
        library("NordicDFU", ["ByteCoding", "Digests", "Archives", "NordicMessages", protobuf]),
        library("Vendors", ["Archives", "NordicDFU"]),
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
        tests("ArchivesTests", ["Archives", "TestSupport"]),
        tests("NordicDFUTests", ["ByteCoding", "Digests", "Archives", "NordicDFU", "TestSupport"]),
        tests("VendorsTests", ["Archives", "NordicDFU", "Vendors", "TestSupport"]),
        // HELPER-TARGETS
    ]
)
