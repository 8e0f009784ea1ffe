import Bluetooth
import Bytes
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import Simulation

extension Scenario {
    init(path: String) throws {
        try self.init(parsing: [UInt8](Data(contentsOf: URL(filePath: path))), path: path)
    }

    /// Beacons with a Nordic bootloader.
    var nordic: [NordicScenarioBeacon] { beacons.compactMap { $0 as? NordicScenarioBeacon } }
    /// Beacons with SUOTA.
    var suota: [SUOTAScenarioBeacon] { beacons.compactMap { $0 as? SUOTAScenarioBeacon } }
}

/// A folder that is deleted after the test.
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

    /// The error in the file, with its place.
    static func problem(_ text: String) throws -> String? {
        do throws(YAMLProblem) {
            _ = try Scenario(parsing: Array(text.utf8), path: "scenario.yaml")
            return nil
        } catch { return error.description }
    }

    /// The table under "Protocol violations" is complete.
    @Test func `has every fault of the attribute protocol that the page about scenarios lists`() throws {
        let page = try String(contentsOfFile: Samples.root + "/docs/scenarios.md", encoding: .utf8)
        let section = try #require(
            page.split(separator: "### Protocol violations").last?.split(separator: "\n## ").first)
        let keys = section.split(separator: "\n").compactMap { line in
            line.hasPrefix("| `") ? line.dropFirst(3).prefix { $0 != ":" } : nil
        }
        #expect(keys.count == 22)
        var attributeFaults: [AttributeFault] = []
        for key in keys {
            let text = "beacons: [{address: 'F0:0D:BE:AC:07:10', faults: [{\(key): 7}]}]"
            let fault = try #require(Self.scenario(text).nordic.first?.faults.first, "\(key)")
            guard case .attributeFault(let attributeFault, let packet) = fault else {
                Issue.record("\(key) is \(fault)")
                continue
            }
            #expect(packet == 7 || packet == 1)
            attributeFaults.append(attributeFault)
        }
        #expect(Set(attributeFaults).count == keys.count)
        #expect(attributeFaults.contains(.mtu(7)) && attributeFaults.contains(.lateAnswers(.milliseconds(7))))
    }

    @Test func `names adapters, how they connect, and how often beacons advertise`() throws {
        let beacon = "{address: 'F0:0D:BE:AC:07:10', advertising_ms: 1000, bootloader_advertising_ms: 100}"
        let scenario = try Self.scenario(
            """
            connecting: kernel
            adapters:
              - {links: 8}
              - {name: far, links: 5, rssi: -12, spread: 3, unplugged_s: [10, 20.5], returns_as: nearer}
            beacons: [\(beacon)]
            """)
        #expect(
            scenario.adapters == [
                SimulatedController(connecting: .kernel, links: 8, spread: 6),
                SimulatedController(
                    name: "far", connecting: .kernel, links: 5, gain: -12, spread: 3,
                    unplugged: [.seconds(10), .milliseconds(20_500)], returningName: "nearer"),
            ])
        #expect(scenario.nordic.first?.description.advertisingInterval == .seconds(1))
        #expect(scenario.nordic.first?.description.bootloaderAdvertisingInterval == .milliseconds(100))
        let link = try Self.scenario("{link: {interval_ms: asked, event_ms: 2.5}, beacons: [\(beacon)]}").link
        #expect(link?.followsRequests == true && link?.eventLength == .microseconds(2500))
        let three = try Self.scenario("{adapters: 3, connecting: accept-list, beacons: [\(beacon)]}")
        #expect(three.adapters.map(\.name) == ["sim0", "sim1", "sim2"])
        #expect(three.adapters.allSatisfy { $0.connecting == .acceptList && $0.spread == 6 })
        let plain = try Self.scenario("beacons: [{address: 'F0:0D:BE:AC:07:10', advertising_ms: 500}]")
        #expect(plain.adapters == [SimulatedController()])
        #expect(plain.nordic.first?.description.bootloaderAdvertisingInterval == .milliseconds(500))
    }

    @Test(arguments: [
        ("adapters: 0", "use 1 to 16 adapters"), ("adapters: [{links: 0}]", "from 1 to 250"),
        ("adapters: [{name: a b}]", "an adapter name"),
        ("adapters: [{}, {name: sim0}]", "two adapters are named sim0"),
        ("adapters: [{unplugged_s: [5, 5]}]", "each time must be later than the one before"),
        (
            "adapters: [{unplugged_s: [5], returns_as: b}]",
            "returns_as needs a time in unplugged_s"
        ),
        ("adapters: [{replaced: true}]", "replaced needs a time in unplugged_s"),
        ("adapters: [{unplugged_s: [5, 9], replaced: true, returns_as: b}]", "does not come back"),
        ("adapters: [{unplugged_s: [5, 9], returns_as: a b}]", "an adapter name"),
        ("connecting: fast", "accept-list"),
    ])
    func `refuses impossible adapters`(_ line: String, _ reason: String) throws {
        let problem = try Self.problem("\(line)\nbeacons: [{address: 'F0:0D:BE:AC:07:10'}]")
        #expect(problem?.contains(reason) == true, "\(problem ?? "none")")
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
                away_s: [1, 2.5, 9]
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
                  - lose_packets_percent: 11
                  - lose_packets_within_us: 12
                  - lose_answer: 13
                  - lose_burst_at_byte: 14
            """)
        let scenario = try Scenario(path: path)
        #expect(scenario.statePath == folder.path + "/kept")
        let link = try #require(scenario.link)
        #expect(link.interval == .milliseconds(30) && link.eventLength == .milliseconds(5))
        #expect(link.dataLength == 27 && link.phy == .le2M)
        let beacon = try #require(scenario.nordic.first)
        let what = beacon.description
        #expect(what.address.description == "F0:0D:BE:AC:07:10")
        #expect(what.name == "Window" && what.bootloaderName == "Boot" && what.personality == .sdk15_3)
        #expect(what.program == .application && what.key != nil && what.hardwareVersion == 51)
        #expect(what.softDevice == 0x101 && what.applicationVersion == 7 && what.bootloaderVersion == 8)
        #expect(what.timing == .instant && what.layout.size == 1024 * 1024 && what.rssi == -77)
        let faults: [Fault] = [
            .cut(beforePacket: 1), .cut(afterPacket: 2), .losePacket(3), .loseNotification(4),
            .doubleNotification(5), .nordic(.corruptChecksum(6)), .powerLoss(afterPacket: 7),
            .loseFlashWrite(8),
            .slowBootloader(.milliseconds(9)), .silence(fromPacket: 10), .losePackets(percent: 11),
            .loseQuickPackets(within: .microseconds(12)), .nordic(.loseAnswer(13)),
            .nordic(.loseBurst(atByte: 14)), .away(from: .seconds(1), until: .seconds(2.5)),
            .away(from: .seconds(9), until: nil),
        ]
        #expect(beacon.faults == faults)
    }

    @Test func `may have a link that loses packets, from a seed`() throws {
        let link = try Self.scenario(
            "beacons: [{address: 'F0:0D:BE:AC:07:10'}]\nlink: {loss: 0.1, seed: 7, encrypted: true, packets_per_event: 4}"
        ).link
        var wanted = LinkModel()
        wanted.loss = 0.1
        wanted.seed = 7
        wanted.isEncrypted = true
        wanted.packetsPerEvent = 4
        #expect(link == wanted)
    }

    @Test(arguments: [
        ("{after_s: 1}", "a change needs 'after_s' and 'interval_ms'"),
        ("{after_s: 1, interval_ms: 0}", "from 1 to 4000"),
        (
            "{after_s: 2, interval_ms: 15}, {after_s: 2, interval_ms: 30}",
            "each time must be later than the one before"
        ),
    ])
    func `refuses impossible changes of a link`(_ changes: String, _ reason: String) throws {
        let problem = try Self.problem(
            "beacons: [{address: 'F0:0D:BE:AC:07:10'}]\nlink: {changes: [\(changes)]}")
        #expect(problem?.contains(reason) == true, "\(problem ?? "none")")
    }

    @Test func `needs no more than addresses`() throws {
        let scenario = try Self.scenario("beacons: [{address: 'F0:0D:BE:AC:07:10'}]")
        #expect(scenario.statePath == nil && scenario.link == LinkModel())
        let what = try #require(scenario.nordic.first).description
        #expect(what.program == .bootloader && what.key == nil && what.softDevice == 0x98)
        #expect(what.personality == .sdk17_1 && what.timing == .stock && what.layout == FlashLayout())
    }

    @Test func `may be JSON, and may omit the SoftDevice`() throws {
        let scenario = try Self.scenario(
            #"{"beacons": [{"address": "F0:0D:BE:AC:07:10", "softdevice": 0, "key": "none"}], "state": "/x"}"#
        )
        #expect(scenario.nordic.first?.description.softDevice == nil)
        #expect(scenario.statePath == "/x")
    }

    @Test func `accepts a public key as the vendor's tool prints it`() throws {
        let one = String(repeating: "0", count: 126) + "zz"
        #expect(
            try Self.problem("beacons: [{address: 'F0:0D:BE:AC:07:10', key: '\(one)'}]")
                == "line 1, column 47: a key must be 'test', 'none', or the 128 digits of a public key")
    }

    @Test(
        arguments: [
            ("beacon: []", "line 1, column 1: unknown key 'beacon'; did you mean 'beacons'?"),
            (
                "tray: []",
                "line 1, column 1: unknown key 'tray'; valid keys are beacons, link, state, connecting, adapters"
            ),
            ("link: {}", "line 1, column 1: 'beacons' is missing"),
            ("beacons: []", "line 1, column 10: the list of beacons is empty"),
            ("beacons: [{name: x}]", "line 1, column 11: 'address' is missing"),
            (
                "beacons:\n  - address: F0:0D:BE:AC:07:10\n    nmae: x",
                "line 3, column 5: unknown key 'nmae'; did you mean 'name'?"
            ),
            (
                "beacons: []\nlink: {mtu: 3}",
                "line 2, column 8: unknown key 'mtu'; valid keys are interval_ms, event_ms, data_length, phy, "
                    + "packets_per_event, encrypted, loss, seed, changes"
            ),
            (
                "beacons: [{address: here}]",
                "line 1, column 21: 'here' is not an address (example: F0:0D:BE:AC:01:00)"
            ),
            (
                "beacons:\n- address: F0:0D:BE:AC:07:10\n- address: F0:0D:BE:AC:07",
                "line 3, column 12: 'F0:0D:BE:AC:07' is not an address (example: F0:0D:BE:AC:01:00)"
            ),
            (
                "beacons: []\nlink: fast",
                "line 2, column 7: link must be a mapping or the word instant, not 'fast'"
            ),
            ("beacons: []\nlink: {phy: 3M}", "line 2, column 13: '3M' is not one of 1M, 2M, coded"),
            ("beacons: []\nstate: ''\nlink: instant", "line 1, column 10: the list of beacons is empty"),
        ])
    func `with invalid values is refused with these errors`(_ text: String, _ problem: String) throws {
        #expect(try Self.problem(text) == problem)
    }

    @Test(
        arguments: [
            ("interval_ms", "0", "1 to 4000"), ("interval_ms", "-5", "1 to 4000"),
            ("interval_ms", ".inf", "1 to 4000"), ("interval_ms", ".nan", "1 to 4000"),
            ("interval_ms", "1e300", "1 to 4000"), ("event_ms", "-.inf", "0 to 4000"),
            ("event_ms", ".nan", "0 to 4000"), ("data_length", "26", "27 to 251"),
            ("data_length", "252", "27 to 251"), ("loss", "0.91", "0 to 0.9"), ("loss", "-0.1", "0 to 0.9"),
            ("loss", ".nan", "0 to 0.9"), ("packets_per_event", "0", "1 to 2147483647"),
        ])
    func `with a link beyond its limits is refused with the limits`(
        _ key: String, _ value: String, _ limits: String
    ) throws {
        #expect(
            try Self.problem("beacons: []\nlink: {\(key): \(value)}")
                == "line 2, column \(10 + key.count): '\(value)' is not a number from \(limits)")
    }

    @Test func `with a link that never sends is refused`() throws {
        #expect(
            try Self.problem("beacons: []\nlink: {event_ms: 0}")
                == "line 2, column 18: event_ms must be above 0")
    }

    @Test(
        arguments: [
            (
                "kind: dialog",
                "'dialog' is not one of "
                    + ScenarioKind.builtIn.map(\.name).sorted().joined(separator: ", ")
            ),
            ("kind: nordic-secur", "did you mean 'nordic-secure'?"),
            (
                "personality: sdk-18",
                "'sdk-18' is not one of sdk-12.3, sdk-13.1, sdk-14.2, sdk-15.0, sdk-15.3, sdk-16.0, sdk-17.1, "
                    + "sdk-17.1-saving-progress"
            ),
            (
                "buttonless: sdk-15",
                "'sdk-15' is not one of none, sdk-12, sdk-13, sdk-14, sdk-14-bonded; did you mean 'sdk-12'?"
            ),
            ("bootloader_address: there", "'there' is not an address"),
            ("mode: sleep", "'sleep' is not one of application, bootloader"),
            ("key: abc", "a key must be 'test', 'none', or the 128 digits of a public key"),
            ("flash: slow", "'slow' is not one of instant, stock"),
            ("flash_kb: 128", "'128' is not a number from 256 to 4096"),
            ("flash_kb: 8192", "'8192' is not a number from 256 to 4096"),
            ("rssi: 500", "'500' is not a number from -128 to 127"),
            ("bonded: yes", "'yes' is neither true nor false"),
            ("name: [a]", "a single value is expected here"), ("name: x, name: y", "'name' appears twice"),
            ("faults: {lose_packet: 3}", "a list is expected here"),
            ("faults: [lose_packet]", "a mapping is expected here"),
            ("faults: [{}]", "an entry of faults needs exactly one fault"),
            ("faults: [{lose_packet: 1, cut_after_packet: 2}]", "an entry of faults needs exactly one fault"),
            ("faults: [{lose_packet: 0}]", "'0' is not a number from 1 to"),
            (
                "faults: [{loose_packet: 3}]",
                "unknown key 'loose_packet'; did you mean 'lose_packet'?"
            ),
            ("faults: [{cut_in_block: 3}]", "a beacon of kind nordic-secure has no fault 'cut_in_block'"),
            ("faults: [{explode: 3}]", "unknown key 'explode'; valid keys are "),
        ])
    func `with an invalid beacon is refused with the beacon and the reason`(_ key: String, _ words: String)
        throws
    {
        let text = "beacons:\n- address: F0:0D:BE:AC:06:10\n- {address: 'F0:0D:BE:AC:07:10', \(key)}"
        let problem = try #require(try Self.problem(text))
        #expect(problem.hasPrefix("line 3, column ") && problem.contains(words), "\(problem)")
    }

    @Test(arguments: [
        "", "}", "beacons: [", "just text", "- 1", "\u{0}", "beacons: 7", "beacons: [7]", "\t\tx: y",
        "beacons: [{address: 'F0:0D:BE:AC:07:10', rssi: 500}]",
        "beacons: [{address: 'F0:0D:BE:AC:07:10', hardware: -1}]",
        "beacons: [{address: 'F0:0D:BE:AC:07:10', faults: {a: b}}]",
        "beacons: [{address: 'F0:0D:BE:AC:07:10', flash_kb: 99999999999999999999}]",
    ])
    func `that is not a scenario is refused with a reason`(_ text: String) throws {
        let problem = try #require(try Self.problem(text))
        #expect(!problem.isEmpty)
    }

    @Test func `that is not text is refused`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/bytes.yaml"
        try Data([0xFF, 0xFE, 0x00, 0x80, 0x01]).write(to: URL(filePath: path))
        #expect(throws: YAMLProblem.self) { try Scenario(path: path) }
    }
}
