import BluetoothTypes
import FoundationEssentials
import Glibc
import SimulatedDevice
import TestSupport
import Testing

@testable import SimulatedRadio

/// A folder that is gone after the test.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/beacon-dfu-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, to name: String = "scenario.yaml") throws -> String {
        try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)"))
        return "\(path)/\(name)"
    }
}

@Suite struct `A scenario file` {
    static func scenario(_ text: String) throws -> Scenario {
        let folder = try TemporaryFolder()
        return try Scenario(path: folder.write(text))
    }

    /// What is wrong with the file, without its path.
    static func problem(_ text: String) throws -> String? {
        do {
            _ = try scenario(text)
            return nil
        } catch let error as ScenarioError {
            #expect(error.description == "\(error.path): \(error.problem)")
            return error.problem
        }
    }

    /// The table under "Lies" is what there is.
    @Test func `knows every lie that the page about scenarios has`() throws {
        let page = try String(contentsOfFile: Samples.root + "/docs/scenarios.md", encoding: .utf8)
        let section = try #require(page.split(separator: "### Lies").last?.split(separator: "\n## ").first)
        let keys = section.split(separator: "\n").compactMap { line in
            line.hasPrefix("| `") ? line.dropFirst(3).prefix { $0 != ":" } : nil
        }
        #expect(keys.count == 22)
        var lies: [AttributeLie] = []
        for key in keys {
            let text = "beacons: [{address: 'F0:0D:BE:AC:07:10', faults: [{\(key): 7}]}]"
            let fault = try #require(Self.scenario(text).cast.first?.faults.first, "\(key)")
            guard case .lie(let lie, let packet) = fault else {
                Issue.record("\(key) is \(fault)")
                continue
            }
            #expect(packet == 7 || packet == 1)
            lies.append(lie)
        }
        #expect(Set(lies).count == keys.count)
        #expect(lies.contains(.mtu(7)) && lies.contains(.lateAnswers(.milliseconds(7))))
    }

    @Test func `sets everything that it names`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            """
            link: {interval_ms: 30, event_ms: 5, data_length: 27, phy: 2M}
            state: kept
            beacons:
              - kind: nordic-secure
                address: F0:0D:BE:AC:07:10
                name: Window
                bootloader_name: Boot
                personality: sdk-15.3
                mode: application
                key: test
                hardware: 51
                softdevice: 0x101
                application_version: 7
                bootloader_version: 8
                flash: instant
                flash_kb: 1024
                rssi: -77
                faults:
                  - cut_before_packet: 1
                  - cut_after_packet: 2
                  - lose_packet: 3
                  - lose_notification: 4
                  - double_notification: 5
                  - corrupt_checksum: 6
                  - power_loss_after_packet: 7
                  - lose_flash_write: 8
                  - slow_bootloader_ms: 9
                  - silence_from_packet: 10
            """)
        let scenario = try Scenario(path: path)
        #expect(scenario.statePath == folder.path + "/kept")
        let link = try #require(scenario.link)
        #expect(link.interval == .milliseconds(30) && link.eventLength == .milliseconds(5))
        #expect(link.dataLength == 27 && link.phy == .le2M)
        let beacon = try #require(scenario.cast.first)
        let what = beacon.description
        #expect(what.address.description == "F0:0D:BE:AC:07:10")
        #expect(what.name == "Window" && what.bootloaderName == "Boot" && what.personality == .sdk15_3)
        #expect(what.program == .application && what.key != nil && what.hardwareVersion == 51)
        #expect(what.softDevice == 0x101 && what.applicationVersion == 7 && what.bootloaderVersion == 8)
        #expect(what.timing == .instant && what.layout.size == 1024 * 1024 && what.rssi == -77)
        #expect(
            beacon.faults == [
                .cut(beforePacket: 1), .cut(afterPacket: 2), .losePacket(3), .loseNotification(4),
                .doubleNotification(5), .corruptChecksum(6), .powerLoss(afterPacket: 7), .loseFlashWrite(8),
                .slowBootloader(.milliseconds(9)), .silence(fromPacket: 10),
            ])
    }

    @Test func `may have a link that loses packets, from a seed`() throws {
        let link = try Self.scenario(
            "beacons: []\nlink: {loss: 0.1, seed: 7, encrypted: true, packets_per_event: 4}"
        ).link
        var wanted = LinkModel()
        wanted.loss = 0.1
        wanted.seed = 7
        wanted.isEncrypted = true
        wanted.packetsPerEvent = 4
        #expect(link == wanted)
    }

    @Test func `needs no more than addresses`() throws {
        let scenario = try Self.scenario("beacons: [{address: 'F0:0D:BE:AC:07:10'}]")
        #expect(scenario.statePath == nil && scenario.link == LinkModel())
        let what = try #require(scenario.cast.first).description
        #expect(what.program == .bootloader && what.key == nil && what.softDevice == 0x98)
        #expect(what.personality == .sdk17_1 && what.timing == .stock && what.layout == FlashLayout())
    }

    @Test func `may be JSON, and may leave the SoftDevice out`() throws {
        let scenario = try Self.scenario(
            #"{"beacons": [{"address": "F0:0D:BE:AC:07:10", "softdevice": 0, "key": "none"}], "state": "/x"}"#
        )
        #expect(scenario.cast.first?.description.softDevice == nil)
        #expect(scenario.statePath == "/x")
    }

    @Test func `takes a public key as the vendor's tool prints it`() throws {
        let one = String(repeating: "0", count: 126) + "zz"
        #expect(
            try Self.problem("beacons: [{address: 'F0:0D:BE:AC:07:10', key: '\(one)'}]")
                == "F0:0D:BE:AC:07:10: key is 'test', 'none', or 128 digits as nrfutil prints a public key")
    }

    static let beaconKeys =
        "address, answers_entry, application_version, battery, battery_mv, bonded, bootloader_address, bootloader_name, "
        + "bootloader_takes_name, bootloader_version, buttonless, crashes_on_name, device_revision, device_type, "
        + "faults, firmware_revision, flash, flash_kb, handover, hardware, image_check, key, kind, memory, "
        + "mode, name, personality, pins, receiver, refuses_signature, rssi, signature_check_ms, softdevice, version, "
        + "wrong_pins_status"
    static let limits =
        "a link has interval_ms from 1 to 4000, event_ms above 0 and up to 4000, data_length from 27 to 251, "
        + "packets_per_event of at least 1, and loss from 0 to 0.9"

    @Test(
        arguments: [
            ("beacon: []", "there is no key 'beacon' here; the keys are beacons, link, state"),
            ("link: {}", "the key 'beacons' is missing"),
            ("beacons: [{name: x}]", "the key 'address' is missing"),
            (
                "beacons: [{address: 'F0:0D:BE:AC:07:10', nmae: x}]",
                "beacons.Index 0: there is no key 'nmae' here; the keys are \(beaconKeys)"
            ),
            (
                "beacons: []\nlink: {mtu: 3}",
                "link: there is no key 'mtu' here; the keys are data_length, encrypted, event_ms, "
                    + "interval_ms, loss, packets_per_event, phy, seed"
            ),
            ("beacons: [{address: here}]", "'here' is not an address; it looks like F0:0D:BE:AC:01:00"),
            (
                "beacons: [{address: 'F0:0D:BE:AC:07'}]",
                "'F0:0D:BE:AC:07' is not an address; it looks like F0:0D:BE:AC:01:00"
            ),
            ("beacons: []\nlink: {phy: 3M}", "phy is 1M or 2M, not 3M"),
            ("beacons: []\nlink: {interval_ms: 0}", limits), ("beacons: []\nlink: {interval_ms: -5}", limits),
            ("beacons: []\nlink: {interval_ms: .inf}", limits),
            ("beacons: []\nlink: {interval_ms: .nan}", limits),
            ("beacons: []\nlink: {interval_ms: 1e300}", limits),
            ("beacons: []\nlink: {event_ms: -.inf}", limits),
            ("beacons: []\nlink: {event_ms: 0}", limits), ("beacons: []\nlink: {event_ms: .nan}", limits),
            ("beacons: []\nlink: {data_length: 26}", limits),
            ("beacons: []\nlink: {data_length: 252}", limits),
            ("beacons: []\nlink: {loss: 0.91}", limits), ("beacons: []\nlink: {loss: -0.1}", limits),
            ("beacons: []\nlink: {loss: .nan}", limits),
            ("beacons: []\nlink: {packets_per_event: 0}", limits),
        ])
    func `that makes no sense is refused in these words`(_ text: String, _ problem: String) throws {
        #expect(try Self.problem(text) == problem)
    }

    @Test(
        arguments: [
            ("kind: dialog", "kind is nordic-secure, nordic-legacy or suota, not dialog"),
            (
                "personality: sdk-18",
                "personality is one of sdk-12.3, sdk-13.1, sdk-14.2, sdk-15.0, sdk-15.3, sdk-16.0, "
                    + "sdk-17.1, sdk-17.1-saving-progress, not sdk-18"
            ),
            (
                "buttonless: sdk-15",
                "buttonless is one of none, sdk-14, sdk-13, sdk-14-bonded, sdk-12, not sdk-15"
            ),
            ("bootloader_address: there", "bootloader_address 'there' is not an address"),
            ("mode: sleep", "mode is bootloader or application, not sleep"),
            ("key: abc", "key is 'test', 'none', or 128 digits as nrfutil prints a public key"),
            ("flash: slow", "flash is stock or instant, not slow"),
            ("flash_kb: 128", "flash_kb is from 256 to 4096, not 128"),
            ("flash_kb: 8192", "flash_kb is from 256 to 4096, not 8192"),
            ("faults: [{explode: 3}]", "there is no fault 'explode'"),
        ])
    func `with a strange beacon says which and why`(_ key: String, _ problem: String) throws {
        #expect(
            try Self.problem("beacons: [{address: 'F0:0D:BE:AC:07:10', \(key)}]")
                == "F0:0D:BE:AC:07:10: \(problem)")
    }

    @Test func `that is not there is missing`() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: ScenarioError.self) { try Scenario(path: folder.path + "/none.yaml") }
        #expect(error?.isMissing == true)
        #expect(error?.description == folder.path + "/none.yaml: cannot be opened")
    }

    @Test(arguments: [
        "", "}", "beacons: [", "just text", "- 1", "\u{0}", "beacons: 7", "beacons: [7]", "\t\tx: y",
        "beacons: [{address: 'F0:0D:BE:AC:07:10', rssi: 500}]",
        "beacons: [{address: 'F0:0D:BE:AC:07:10', hardware: -1}]",
        "beacons: [{address: 'F0:0D:BE:AC:07:10', faults: {a: b}}]",
        "beacons: [{address: 'F0:0D:BE:AC:07:10', flash_kb: 99999999999999999999}]",
    ])
    func `that is no scenario is refused with a reason`(_ text: String) throws {
        let problem = try #require(try Self.problem(text))
        #expect(!problem.isEmpty)
    }

    @Test func `that is not text is refused`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/bytes.yaml"
        try Data([0xFF, 0xFE, 0x00, 0x80, 0x01]).write(to: URL(filePath: path))
        #expect(throws: ScenarioError.self) { try Scenario(path: path) }
    }
}
