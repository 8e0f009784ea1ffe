import Bluetooth
package import UpdateModel

extension KKMVendor: AdvertisingVendor {
    package var frameFormats: [any FrameFormat.Type] {
        [
            KKMSystem.self, KKMSensor.self, KKMEncryptedSensor.self, KKMExtended.self, KKMEBeacon.self,
            KKMAOA.self, KKMOld.self,
        ]
    }
}

/// The advertisement of KKM's beacons before 2019: their service in a list of services.
package struct KKMOld: FrameFormat {
    package static let kind = FrameKind("kkm-old", of: .kkmOld)
    package static let places: [FramePlace] = [
        .service(BluetoothUUID(high: 0xEE0C_2080_8786_40BA, low: 0xAB96_99B9_1AC9_81D8))
    ]

    package init(parsing reader: inout FrameReader) {}
}

extension Maker { package static let kkm = Maker("kkm", "KKM") }

extension Family {
    /// KBeacons. Only the second generation advertises its version, in one of several rotating frames. After 10 s (four
    /// frames at 2 s, plus a margin) a beacon of unknown generation counts as one of the first (beacon-frames.md, One
    /// identity of many frames).
    package static let kkm = Family(
        "kkm", of: .kkm, [.version, .battery, .id], otherwise: [.battery],
        advertisesAllParts: hasSystemFrame, includesBeacon: hasSystemFrame, changesUUID: true,
        versionTimeout: .seconds(10))
    package static let kkmOld = Family("kkm-old", of: .kkm, changesUUID: true)

    /// Whether a system frame is among its rotating frames. A name beginning with KBPro, the factory default, implies
    /// one.
    @Sendable private static func hasSystemFrame(_ heard: HeardFrames) -> Bool {
        heard.isSecondGeneration || heard.name?.hasPrefix("KBPro") == true
            || heard.address.kind == .public && heard.address.bytes.starts(with: KKMSystem.prefix)
    }
}
