import TestSupport
import Testing
import UpdateModel

@testable import Firmware

func catalogue(_ models: String) throws -> Catalogue {
    try Catalogue(files: [("c.yaml", Array("catalogue: 1\nmodels:\n\(models)".utf8))])
}

func device(
    model: String? = "Tag", version: String? = nil, hardware: String? = nil, battery: Int? = nil
) -> CatalogueDevice {
    var device = CatalogueDevice()
    (device.model, device.version, device.hardware, device.battery) = (model, version, hardware, battery)
    return device
}

@Suite struct `The match of a beacon` {
    static let tag = """
          - model: Tag
            kind: suota
            versions: dotted
            version_from: software-revision
            firmware:
              - {version: 1.0}
              - {version: 3.1, hardware_versions: [V1, V2]}
              - {version: 4.0, through: 3.1, hardware_versions: [V2]}
              - {version: 4.1, withdrawn: bricks some units, hardware_versions: [V2]}
              - {version: 5.0, channel: beta, minimum_installed: 4.0}

        """

    private static func reasons(_ match: CatalogueMatch) -> [String] {
        match.rejections.map { "\($0.firmware.version) \($0.reason.code)" }
    }

    @Test func `is the highest release that fits, with the reason against every other`() throws {
        let match = try catalogue(Self.tag).match(device(version: "V3.1", hardware: "v2"))
        #expect(match.chosen?.version == "4.0")
        #expect(
            Self.reasons(match) == [
                "1.0 downgrade", "3.1 same-version", "4.1 firmware-withdrawn", "5.0 channel-not-chosen",
            ])
    }

    @Test func `goes through the version that a later one requires`() throws {
        let match = try catalogue(Self.tag).match(device(version: "2.0", hardware: "V2"))
        #expect(match.chosen?.version == "3.1")
        #expect(Self.reasons(match).contains("4.0 version-between-needed"))
    }

    @Test func `includes beta releases only on request`() throws {
        let both: Set<CatalogueChannel> = [.release, .beta]
        let match = try catalogue(Self.tag).match(device(version: "4.0", hardware: "V2"), channels: both)
        #expect(match.chosen?.version == "5.0")
        let early = try catalogue(Self.tag).match(device(version: "3.1", hardware: "V2"), channels: both)
        #expect(early.chosen?.version == "4.0")
        #expect(Self.reasons(early).contains("5.0 installed-version-too-low"))
    }

    @Test(arguments: [
        // A lower release than the installed one, and one of several that fit.
        ("1.0", "3.1", "update-available", "1.0"), ("V3.1", "2.0", "update-available", "3.1"),
        ("1.0", "0.9", "update-available", "1.0"),
        // Every other rule stays.
        ("4.0", "4.0", "up-to-date", "same-version"), ("4.1", "4.0", "no-firmware", "firmware-withdrawn"),
        ("5.0", "4.0", "no-firmware", "channel-not-chosen"),
        ("4.0", "2.0", "no-firmware", "version-between-needed"), ("7.0", "4.0", "no-firmware", "none"),
    ])
    func `is the release that a user names, if it may be installed`(
        _ named: String, _ installed: String, _ word: String, _ result: String
    ) throws {
        let match = try catalogue(Self.tag).match(device(version: installed, hardware: "V2"), naming: named)
        #expect(match.outcome.word == word)
        #expect((match.chosen?.version ?? match.rejectionOfNamed?.reason.code.rawValue ?? "none") == result)
        let isLower = match.chosen.map { $0.version < installed } ?? false
        #expect(match.warnings.contains { $0.code == .finding.downgrade } == isLower)
    }

    @Test(arguments: [
        ("4.0", "V2", "up-to-date"), ("9.9", "V2", "up-to-date"), ("3.1", "V1", "up-to-date"),
        ("2.0", "V9", "up-to-date"), ("0.9", "V9", "update-available"),
    ])
    func `never downgrades a beacon`(version: String, hardware: String, word: String) throws {
        #expect(
            try catalogue(Self.tag).match(device(version: version, hardware: hardware)).outcome.word == word)
    }

    @Test func `reports what is missing`() throws {
        let tray = try catalogue(Self.tag)
        #expect(tray.match(device()).outcome == .unknown(missing: ["version", "hardware"]))
        #expect(tray.match(device(version: "2.0")).outcome == .unknown(missing: ["hardware"]))
        #expect(
            tray.match(device(version: "two", hardware: "V2")).outcome
                == .unknown(missing: ["a version of the scheme dotted"]))
        #expect(tray.match(device(model: nil)).outcome == .unknown(missing: ["model"]))
        #expect(tray.match(device(model: "Tog")).outcome == .notListed)
    }

    @Test func `uses a version only from the family's own source`() throws {
        func outcome(_ source: VersionSource?, _ from: String) throws -> CatalogueMatch.Outcome {
            var beacon = device(version: "1")
            beacon.versionSource = source
            return try catalogue(
                "  - {model: Tag, kind: suota, version_from: \(from), firmware: [{version: 2}]}\n"
            ).match(beacon).outcome
        }
        #expect(try outcome(.advertising, "software-revision") == .unknown(missing: ["version"]))
        #expect(try outcome(.advertising, "advertising").word == "update-available")
        #expect(try outcome(nil, "software-revision").word == "update-available")
        let any = try catalogue("  - {model: Tag, kind: suota, firmware: [{version: 2}]}\n")
        var beacon = device(version: "1")
        beacon.versionSource = .advertising
        #expect(any.match(beacon).outcome.word == "update-available")
    }

    @Test func `waits for what decides between equally specific families`() throws {
        let shelf = try catalogue(
            """
              - {model: A, kind: suota, recognised_by: {maker: kkm, model: K*}, firmware: [{version: 2}]}
              - {model: B, kind: suota, recognised_by: {maker: kkm, number: 5}, firmware: [{version: 3}]}

            """)
        var beacon = device(model: "K1", version: "1")
        beacon.maker = "kkm"
        #expect(shelf.match(beacon).outcome == .unknown(missing: ["number"]))
        beacon.number = 4
        #expect(shelf.match(beacon).chosen?.version == "2")
    }

    @Test func `does not choose a kind before the maker was heard`() throws {
        let shelf = try catalogue(
            "  - {model: A, kind: suota, recognised_by: {family: kkm, name: 'K*'}, firmware: [{version: 2}]}\n"
        )
        var beacon = device(model: nil, version: "1")
        (beacon.family, beacon.name) = ("ibeacon", "K1")
        #expect(shelf.match(beacon).outcome == .unknown(missing: ["model"]))
        beacon.familyMayChange = true
        #expect(shelf.match(beacon).outcome == .unknown(missing: ["family"]))
        beacon.family = "kkm"
        #expect(shelf.match(beacon).chosen?.version == "2")
    }

    @Test(arguments: [
        ("decimal", "V5.9", "V5.20", "up-to-date", true),
        ("decimal", "V5.20", "V5.9", "update-available", true),
        ("dotted", "V5.9", "V5.20", "update-available", true),
        ("dotted", "5.9", "V5.20", "update-available", true),
        ("dotted", "V6.2", "V6.02", "up-to-date", false), ("dotted", "V6.02", "V6.2", "up-to-date", true),
        ("dotted", "5.9", "5.20", "update-available", false),
        ("decimal", "V5.20", "V5.21", "update-available", false),
    ])
    func `reports where the two orders of KKM's versions disagree`(
        scheme: String, installed: String, release: String, word: String, isDisputed: Bool
    ) throws {
        let match = try catalogue(
            "  - {model: Tag, kind: suota, versions: \(scheme), firmware: [{version: \(release)}]}\n"
        ).match(device(version: installed))
        #expect(match.outcome.word == word)
        #expect(match.warnings.map(\.code) == (isDisputed ? ["version-order-disputed"] : []))
    }

    @Test func `of another model of a maker names the supported ones`() throws {
        let shelf = try catalogue(
            """
              - {model: A, kind: suota, recognised_by: {maker: kkm, model: A}}
              - {model: B, kind: suota, recognised_by: {family: kkm, number: 2}}
              - {model: B, kind: fbeacon, recognised_by: {maker: kkm, name: "B*"}}
              - {model: C, kind: suota, recognised_by: {maker: estimote, model: C}}

            """)
        var beacon = device(model: "X")
        (beacon.maker, beacon.family, beacon.name, beacon.number) = ("kkm", "kkm", "X1", 7)
        #expect(shelf.match(beacon).outcome == .wrongModel(["A", "B"]))
        #expect(shelf.match(beacon).outcome.word == "wrong-model")
        beacon.family = "kkm-old"
        #expect(shelf.match(beacon).outcome == .wrongModel(["A", "B"]))
        beacon.maker = "minew"
        #expect(shelf.match(beacon).outcome == .notListed)
        beacon.maker = "kkm"
        beacon.model = nil
        #expect(shelf.match(beacon).outcome == .unknown(missing: ["model"]))
    }

    @Test func `names the models of a family whose releases are all for others`() throws {
        let shelf = try catalogue(
            """
              - model: K
                kind: suota
                recognised_by: {maker: kkm}
                firmware: [{version: 2, models: [K6, "K7*"]}, {version: 3, withdrawn: bad}]

            """)
        var beacon = device(model: "K9", version: "1")
        beacon.maker = "kkm"
        #expect(shelf.match(beacon).outcome == .wrongModel(["K6", "K7*"]))
        beacon.model = "K70"
        #expect(shelf.match(beacon).chosen?.version == "2")
    }

    @Test func `waits for a charged battery`() throws {
        let tray = try catalogue(
            "  - {model: Tag, kind: suota, minimum_battery: 40, firmware: [{version: 2}]}\n"
                + "  - {model: Tog, kind: suota, firmware: [{version: 2}]}\n")
        #expect(tray.match(device(version: "1", battery: 39)).outcome.word == "battery-low")
        #expect(tray.match(device(version: "1", battery: 40)).outcome.word == "update-available")
        #expect(
            tray.match(device(model: "Tog", version: "1", battery: 39)).outcome.word == "update-available")
        #expect(tray.match(device(model: "Tog", version: "1", battery: 19)).outcome.word == "battery-low")
        #expect(tray.match(device(version: "2", battery: 1)).outcome == .upToDate)
    }

    @Test(arguments: [(2399, "battery-low"), (2400, "update-available")])
    func `waits for a battery with enough voltage`(millivolts: Int, word: String) throws {
        var tag = device(version: "1")
        tag.millivolts = millivolts
        let tray = try catalogue("  - {model: Tag, kind: suota, firmware: [{version: 2}]}\n")
        #expect(tray.match(tag).outcome.word == word)
    }

    @Test func `names the vendor where only the vendor can help`() throws {
        let tray = try catalogue(
            "  - {model: E, kind: vendor-only, recognised_by: {maker: estimote}, vendor_way: call them}\n")
        var device = CatalogueDevice()
        device.maker = "estimote"
        #expect(tray.match(device).outcome == .vendorOnly("call them"))
        device.isBootloader = true
        #expect(tray.match(device).outcome == .bootloader)
    }

    @Test func `is with the more specific family, and with neither of two equally specific ones`() throws {
        let tray = try catalogue(
            """
              - {model: A, kind: suota, recognised_by: {model: "BP*"}, firmware: [{version: 2}]}
              - {model: B, kind: suota, recognised_by: {model: "BP1*", maker: kkm}, firmware: [{version: 3}]}
              - {model: C, kind: fbeacon, recognised_by: {model: "BP9?"}, firmware: [{version: 4}]}

            """)
        var beacon = device(model: "BP102", version: "1")
        #expect(tray.match(beacon).outcome == .unknown(missing: ["maker"]))
        beacon.maker = "other"
        #expect(tray.match(beacon).chosen?.version == "2")
        beacon.maker = "kkm"
        #expect(tray.match(beacon).chosen?.version == "3")
        beacon.maker = nil
        beacon.model = "bp90"
        #expect(tray.match(beacon).outcome.word == "ambiguous")
        beacon.kind = FirmwareKind(rawValue: "fbeacon")
        #expect(tray.match(beacon).chosen?.version == "4")
    }

    @Test func `reports where decimal order and parts disagree, and what was withdrawn`() throws {
        let tray = try catalogue(
            """
              - model: K
                kind: nordic-secure
                versions: decimal
                firmware: [{version: V5.20, withdrawn: drains the battery}, {version: V5.9}]

            """)
        let match = tray.match(device(model: "K", version: "V5.20"))
        #expect(match.chosen?.version == "V5.9")
        #expect(match.warnings.map(\.code) == ["installed-withdrawn", "version-order-disputed"])
    }
}
