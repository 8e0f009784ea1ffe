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

/// The service of KKM's beacons before 2019, EE0C2080-8786-40BA-AB96-99B91AC981D8, in a list of services.
package struct KKMOld: FrameFormat {
    package static let kind = FrameKind("kkm-old", of: .kkmOld)
    package static let places: [FramePlace] = [
        .service(BluetoothUUID(high: 0xEE0C_2080_8786_40BA, low: 0xAB96_99B9_1AC9_81D8))
    ]

    package init(parsing reader: inout FrameReader) {}
}

extension Maker { package static let kkm = Maker("kkm", "KKM") }

extension Family {
    /// KBeacons. Those of the first generation advertise no version, and those of the second do so in one of several
    /// rotating frames. A beacon whose frames do not tell its generation is assumed to be of the first after 10 s: four
    /// frames at 2 s, plus a margin (beacon-frames.md, One identity of many frames).
    package static let kkm = Family(
        "kkm", of: .kkm, [.version, .battery, .id], otherwise: [.battery], whole: hasSystemFrame,
        claims: hasSystemFrame, changesUUID: true, versionTimeout: .seconds(10))
    package static let kkmOld = Family("kkm-old", of: .kkm, changesUUID: true)

    /// Whether a system frame is among its rotating frames. The name is the factory default of such beacons, and
    /// unlikely for others.
    @Sendable private static func hasSystemFrame(_ heard: HeardFrames) -> Bool {
        heard.isSecondGeneration || heard.name?.hasPrefix("KBPro") == true
            || heard.address.kind == .public && heard.address.bytes.starts(with: KKMSystem.prefix)
    }
}
