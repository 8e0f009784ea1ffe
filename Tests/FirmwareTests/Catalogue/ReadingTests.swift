import TestSupport
import Testing
import UpdateModel

@testable import Firmware

@Suite struct `What was read over a connection` {
    private static let families = """
          - model: Tag
            kind: suota
            versions: dotted
            version_from: software-revision
            firmware: [{version: 1.0, hardware_versions: [V2]}, {version: 2.0, hardware_versions: [V2]}]
          - model: Lamp
            kind: nordic-secure
            versions: dotted
            recognised_by: {name: 'Lamp*'}
            firmware: [{version: 1.0}, {version: 2.0}]

        """

    private func reading(_ members: [WritableKeyPath<DeviceReading, String?>: String]) -> DeviceReading {
        var reading = DeviceReading()
        for (member, text) in members { reading[keyPath: member] = text }
        return reading
    }

    @Test func `completes the advertised data, so that a release can be chosen`() throws {
        let catalogue = try catalogue(Self.families)
        #expect(catalogue.match(CatalogueDevice()).nextReading(inSession: []) == .services)
        let (device, warnings) = catalogue.complete(
            CatalogueDevice(),
            with: reading([\.model: "tag", \.hardware: "v2", \.firmware: "9.0", \.software: "V1.0"]))
        #expect(warnings.isEmpty && device.version == "V1.0")
        #expect(catalogue.match(device).chosen?.version == "2.0")
    }

    @Test func `is no version if two texts differ and the family does not say which is the version`()
        throws
    {
        let catalogue = try catalogue(Self.families)
        var lamp = CatalogueDevice()
        lamp.name = "Lamp 7"
        #expect(catalogue.match(lamp).nextReading(inSession: []) == .services)
        let both = catalogue.complete(lamp, with: reading([\.firmware: "1.0", \.software: "17.1"])).device
        #expect(both.version == nil)
        #expect(catalogue.complete(lamp, with: reading([\.firmware: "1.0"])).device.version == "1.0")
        #expect(catalogue.complete(lamp, with: reading([\.software: "1.0"])).device.version == "1.0")
    }

    @Test func `keeps the advertised name, and the lower charge`() throws {
        var lamp = CatalogueDevice()
        (lamp.name, lamp.battery) = ("Lamp 7", 40)
        var reading = reading([\.name: "Nordic"])
        reading.battery = 30
        let (device, warnings) = try catalogue(Self.families).complete(lamp, with: reading)
        #expect(device.name == "Lamp 7" && device.battery == 30 && warnings.isEmpty)
    }

    @Test func `overrides what it contradicts, with a note`() throws {
        let catalogue = try catalogue(Self.families)
        var tag = device(version: "1.0", hardware: "2")
        let same = catalogue.complete(tag, with: reading([\.hardware: "V2", \.software: "V1.0.0"]))
        #expect(same.warnings.isEmpty && same.device.version == "1.0" && same.device.hardware == "2")
        tag.hardware = "3"
        let other = catalogue.complete(tag, with: reading([\.hardware: "V2", \.software: "1.1"]))
        #expect(other.device.hardware == nil && other.device.version == nil && other.device.model == "Tag")
        #expect(other.warnings.map(\.code) == ["identity-contradicted", "identity-contradicted"])
        #expect(catalogue.match(other.device).chosen == nil)
    }

    @Test func `replaces an advertised version if the family reports its own elsewhere`() throws {
        let catalogue = try catalogue(Self.families)
        var tag = device(version: "7", hardware: "2")
        tag.versionSource = .advertising
        let (device, warnings) = catalogue.complete(tag, with: reading([\.software: "1.0"]))
        #expect(warnings.isEmpty && device.version == "1.0" && device.versionSource == nil)
        #expect(catalogue.match(device).chosen?.version == "2.0")
    }

    @Test(arguments: ["advertising", "session"])
    func `does not include a version that is reported elsewhere`(source: String) throws {
        let catalogue = try catalogue(
            "  - {model: Tag, kind: suota, version_from: \(source), firmware: [{version: 1}]}\n")
        let (device, warnings) = catalogue.complete(device(), with: reading([\.firmware: "0"]))
        #expect(device.version == nil && warnings.isEmpty)
        #expect(catalogue.match(device).nextReading(inSession: []) == nil)
    }

    @Test func `does not include what it does not report`() throws {
        let catalogue = try catalogue(
            "  - {model: Tag, kind: suota, recognised_by: {maker: kkm, number: 5}, firmware: [{version: 1}]}\n"
        )
        var device = CatalogueDevice()
        device.number = 5
        #expect(catalogue.match(device).outcome == .unknown(missing: ["maker"]))
        #expect(catalogue.match(device).nextReading(inSession: []) == nil)
    }

    @Test func `has the version as one entry of a list for Feasycom's beacons`() throws {
        let catalogue = try catalogue(Self.families)
        let list = reading([\.software: "BP102,8.30"])
        #expect(catalogue.complete(device(hardware: "V2"), with: list).device.version == "8.30")
        let several = reading([\.software: "1.0,8.30"])
        #expect(catalogue.complete(device(hardware: "V2"), with: several).device.version == nil)
    }

    @Test func `keeps an advertised version when its text is no version`() throws {
        let catalogue = try catalogue(Self.families)
        let tag = device(version: "1.0", hardware: "V2")
        let (known, warnings) = catalogue.complete(tag, with: reading([\.software: "unknown"]))
        #expect(known.version == "1.0" && warnings.isEmpty)
    }

    /// A KBeacon that advertises a version, in a family whose beacons report it in their session.
    private static let tag = """
          - model: K11_NRF52XX
            kind: nordic-secure
            versions: dotted
            recognised_by: {maker: kkm, model: K11_NRF52XX}
            version_from: session
            firmware: [{version: V5.20, hardware_versions: [V3.0]}, {version: V5.21, hardware_versions: [V3.0]}]

        """
    private static let told: Set<String> = ["model", "name", "hardware", "version"]

    private func kBeacon(_ version: String? = nil) -> CatalogueDevice {
        var device = CatalogueDevice()
        (device.maker, device.family, device.version) = ("kkm", "kkm", version)
        device.versionSource = version == nil ? nil : .advertising
        device.reportsModelInSession = true
        return device
    }

    private func session(_ model: String, _ hardware: String, _ version: String) -> DeviceReading {
        var reading = DeviceReading()
        var session = DeviceReading.Session()
        (session.model, session.hardware, session.version) = (model, hardware, version)
        reading.session = session
        return reading
    }

    @Test(arguments: [nil, "5.20", "5.2"] as [String?])
    func `is that of the session if a KBeacon has one`(advertised: String?) throws {
        let catalogue = try catalogue(Self.tag)
        let beacon = kBeacon(advertised)
        #expect(catalogue.match(beacon).nextReading(inSession: Self.told) == .session)
        #expect(catalogue.match(beacon).nextReading(inSession: []) == .services)
        let (device, warnings) = catalogue.complete(beacon, with: session("K11_NRF52XX", "3.0", "5.20"))
        #expect(warnings.isEmpty && device.version == "5.20" && device.versionSource == nil)
        #expect(catalogue.match(device).chosen?.version == "V5.21")
        #expect(catalogue.match(device).nextReading(inSession: Self.told, asked: [.session]) == nil)
    }

    @Test func `rules out a KBeacon with another model or other hardware`() throws {
        let catalogue = try catalogue(Self.tag)
        let other = catalogue.complete(kBeacon(), with: session("K6_NRF52XX", "3.0", "5.20")).device
        #expect(catalogue.match(other).outcome == .wrongModel(["K11_NRF52XX"]))
        let later = catalogue.complete(kBeacon(), with: session("K11_NRF52XX", "4.0", "5.20")).device
        #expect(catalogue.match(later).outcome == .noFirmware)
        #expect(catalogue.match(later).nextReading(inSession: Self.told, asked: [.session]) == nil)
    }

    @Test func `finds a family that is recognised by its model alone, once a session reports it`() throws {
        let catalogue = try catalogue(
            Self.tag.replacing("            recognised_by: {maker: kkm, model: K11_NRF52XX}\n", with: ""))
        #expect(catalogue.match(kBeacon()).nextReading(inSession: Self.told) == .session)
        let (device, _) = catalogue.complete(kBeacon(), with: session("K11_NRF52XX", "3.0", "5.20"))
        #expect(catalogue.match(device).chosen?.version == "V5.21")
    }

    @Test func `includes the services if the family has its version there`() throws {
        let catalogue = try catalogue(
            Self.tag.replacing("version_from: session", with: "version_from: firmware-revision"))
        var reading = session("K11_NRF52XX", "3.0", "5.20")
        let (device, _) = catalogue.complete(kBeacon(), with: reading)
        let match = catalogue.match(device)
        #expect(match.nextReading(inSession: Self.told, asked: [.session]) == .services)
        reading.firmware = "V5.20"
        #expect(
            catalogue.match(catalogue.complete(kBeacon(), with: reading).device).chosen?.version == "V5.21")
    }
}
