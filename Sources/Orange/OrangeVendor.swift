package import Bluetooth
package import UpdateModel

/// Orange: settings of Beacon Tags, which any client can read and write after their button was pressed. There are no
/// public updates.
package struct OrangeVendor: SettingsVendor {
    package typealias Settings = OrangeTagSettings

    package let name = "orange"
    package let kinds: [FirmwareKind] = []
    package let fileExtensions: [String] = []
    package let beaconNoun = "Orange Beacon Tag"
    package let families = ["orange-tag"]
    /// The time for a person to find the tag and press its button; the tag itself has no such limit.
    package let buttonTimeout: Duration? = .seconds(60)

    package init() {}

    package func recognise(_ file: [UInt8]) -> PackageFile? { nil }

    package func isOffered(by device: DeviceInventory, heardAs beacon: HeardBeacon) -> Bool {
        device.offers(OrangeTagService.uuid)
    }

    package func reportedFacts(hasSecret: Bool) -> Set<String> { [] }

    package func session(
        with beacon: HeardBeacon, at address: DeviceAddress, by secret: Secret?
    ) -> OrangeTagSession { OrangeTagSession() }

    package func reading(from device: DeviceInventory) -> SessionReading? {
        Self.reading(
            OrangeTagSettings { characteristic in
                guard case .value(let bytes)? = device.reading(of: characteristic) else { return nil }
                return bytes
            })
    }

    package func reading(of peer: OrangeTagFacts) -> MappedDialogue<OrangeTagSettingsReading, SessionReading>
    {
        MappedDialogue(OrangeTagSettingsReading()) { (settings) throws(SessionFailure) in
            Self.reading(settings)
        }
    }

    private static func reading(_ settings: OrangeTagSettings) -> SessionReading {
        SessionReading(
            "orange-tag",
            rows: [("session", "not needed (Orange Beacon Tag)")]
                + settings.paths.map { ("\($0)", settings.values[$0]?.description) },
            application: ApplicationFacts(settings: ReportedSettings(settings)))
    }

    package var support: [MakerSupport] {
        let tried = MakerSupport.Answer.proven([.source, .simulated, .peripheral])
        return [
            MakerSupport(
                "orange-tag", title: "Orange Beacon Tag",
                [
                    .scan: .proven([.source, .simulated]), .query: tried, .settingsRead: tried,
                    .settingsWritten: tried, .updated: .notPublic,
                ],
                gaps: [
                    .init(
                        "updates of its firmware",
                        needed: "a package, and a recording of an update, if there are any")
                ])
        ]
    }
}

extension OrangeTagSettings: VendorSettings {
    package static func facts(of peer: OrangeTagFacts) -> [String] {
        ["Orange Beacon Tag"] + (peer.firmware.map { ["firmware \($0)"] } ?? [])
    }
}

extension OrangeVendor: AdvertisingVendor {
    package var frameFormats: [any FrameFormat.Type] { [OrangeTagAdvert.self] }
}

package struct OrangeTagAdvert: FrameFormat {
    package static let kind = FrameKind("orange-tag", of: .orangeTag)
    package static let places: [FramePlace] = [.service(OrangeTagService.uuid)]

    package init(parsing reader: inout FrameReader) {}
}

extension Maker {
    package static let orange = Maker(
        "orange", "Orange", vendorWay: "there is no public update; ask the operator who sold it")
}

extension Family {
    package static let orangeTag = Family("orange-tag", of: .orange)
}
