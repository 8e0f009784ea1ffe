import Bluetooth
import TestSupport
import Testing

@testable import Simulation

@Suite(.timeLimit(.minutes(10))) struct `A beacon of kind fbeacon of a scenario` {
    private static func described(_ keys: String) throws -> FBeaconScenarioBeacon {
        let text = "beacons: [{kind: fbeacon, address: 'F0:0D:BE:AC:08:00', \(keys)}]"
        return try #require(
            `A scenario file`.scenario(text).beacons.compactMap { $0 as? FBeaconScenarioBeacon }.first)
    }

    @Test func `is a BP102 by default`() throws {
        let description = try Self.described("").description
        #expect(description.advertiser.model == 21 && description.firmware.version == 830)
        #expect(description.access == FBeaconAccess() && description.entry == FBeaconEntry())
        #expect(description.transfer == FBeaconTransfer() && description.answers == FBeaconAnswers())
        #expect(description.images == .any(version: 831) && description.maximumMTU == 247)
    }

    @Test func `is defined by its keys`() throws {
        let description = try Self.described(
            "name: Tag, model: 20, model_name: BT909, version: 218, battery: 50, features: [buzzer], rssi: -70, "
                + "bootloader: 204, mtu: 185, flow_control: true, flash: instant, room_kb: 256, pin: '0000', "
                + "wrong_pin_ends_link: true, busy: true, answer_form: spaced, says_lename: true, "
                + "restoring_digit: 1, entry_refusal: 'ERROR,LOW', "
                + "entry_length: 14, entry_version: 1, entry_model: 300, stays_connected: false, "
                + "link_ends_after_ms: 500, opening: C, overwrites: true, acknowledges_unchecked: true, "
                + "images: [{length: 1024, crc: c2e0, version: 226}], broadcasts: 2, period_ms: 500, frames: [feasycom]"
        ).description
        let advertiser = description.advertiser
        #expect(advertiser.name == "Tag" && advertiser.model == 20 && advertiser.title == "BT909")
        #expect(advertiser.battery == 50 && advertiser.features == .buzzer && description.rssi == -70)
        #expect(description.firmware.version == 218 && description.bootloader == 204)
        #expect(description.maximumMTU == 185 && description.hasFlowControl)
        #expect(description.timing == .instant && description.maximumImageSize == 256 * 1024)
        var access = FBeaconAccess()
        access.pin = "0000"
        access.endsLinkAfterWrongPIN = true
        access.isBusy = true
        #expect(description.access == access)
        var answers = FBeaconAnswers()
        answers.form = .spaced
        answers.usesLENAME = true
        #expect(description.answers == answers)
        var entry = FBeaconEntry()
        entry.restoringDigit = 1
        entry.refusal = "ERROR,LOW"
        entry.length = 14
        entry.version = 1
        entry.model = 300
        entry.staysConnected = false
        entry.linkEndsAfter = .milliseconds(500)
        #expect(description.entry == entry)
        #expect(description.transfer.opening == .skippingPreamble)
        #expect(description.transfer.overwrites && description.transfer.acknowledgesUnchecked)
        #expect(
            description.images == .known([FBeaconImage(length: 1024, checksum: 0xC2E0, version: 226)]))
        #expect(description.plan.period == .milliseconds(500) && description.plan.slots.count == 1)
        #expect(try Self.described("").description.broadcasts == 10 && description.broadcasts == 2)
        #expect(try Self.described("opening: NAK").description.transfer.opening == .sum)
        #expect(try Self.described("updated_version: 900").description.images == .any(version: 900))
    }

    @Test func `has faults of its own`() throws {
        let names = [
            "busy_session", "forget_setting", "refuse_setting", "refuse_packet", "refuse_from_packet",
            "flood_refusals", "lose_answer", "delay_answer", "wrong_answer", "cancel_at_packet",
            "ignore_end", "refuse_end", "cut_in_packet", "power_loss_in_packet", "keep_old_application",
        ]
        #expect(ScenarioKind.fbeacon.faults.keys.sorted() == names.sorted())
        let list = names.map { "{\($0): 3}" }.joined(separator: ", ")
        let faults: [FBeaconFault] = [
            .busy(3), .forgetSetting(3), .refuseSetting(3), .refusePacket(3), .refuseFromPacket(3),
            .floodRefusals(3), .loseAnswer(3), .delayAnswer(3, by: .milliseconds(1500)),
            .replaceAnswer(3, with: 0x3F), .cancelAtPacket(3), .ignoreEnd(3), .refuseEnd(3),
            .cutInPacket(3), .powerLossInPacket(3), .keepOldApplication,
        ]
        #expect(try Self.described("faults: [\(list)]").faults == faults.map { .fbeacon($0) })
    }

    @Test(arguments: [
        ("pin: '123'", "a PIN must have 4 or 6 digits"), ("pin: abcd", "a PIN must have 4 or 6 digits"),
        ("mtu: 22", "from 23 to 247"), ("mtu: 248", "from 23 to 247"), ("room_kb: 6", "a multiple of 4"),
        ("answer_form: x", "'x' is not one of lines, spaced"),
        ("opening: X", "'X' is not one of C, NAK, S"), ("restoring_digit: 2", "from 0 to 1"),
        ("broadcasts: 11", "from 0 to 10"), ("entry_length: 15", "from 0 to 14"),
        ("images: [{length: 3}]", "an image needs 'length', 'crc'"),
        ("images: [{length: 3, crc: '123', version: 3}]", "a CRC must have 4 hexadecimal digits"),
        ("images: [{length: 0, crc: '1234', version: 3}]", "'0' is not a number"),
        ("images: [], updated_version: 3", "'images' have versions of their own"),
        ("key: test", "a beacon of kind fbeacon has no key"), ("personality: sdk-11", "has no personality"),
        ("faults: [{cut_in_block: 1}]", "a beacon of kind fbeacon has no fault 'cut_in_block'"),
        ("name: A name of far more than 29 characters", "scan response takes"),
    ])
    func `is refused with an unknown key`(keys: String, problem: String) throws {
        let text = "beacons: [{kind: fbeacon, address: 'F0:0D:BE:AC:08:00', \(keys)}]"
        let found = try `A scenario file`.problem(text)
        #expect(found?.contains(problem) == true, "\(found ?? "none")")
    }

    /// Every key and every fault of its own is in the page, and the page has no other.
    @Test func `is fully described in the page about scenarios`() throws {
        let page = try String(decoding: Samples.file(at: Samples.root + "/docs/scenarios.md"), as: UTF8.self)
        let section = try #require(
            page.split(separator: "## A beacon of kind `fbeacon`").last?.split(separator: "\n## ").first)
        let named = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
            .flatMap { row in
                row.dropFirst().prefix { $0 != "|" }
                    .split(separator: "`", omittingEmptySubsequences: false).enumerated()
                    .filter { $0.offset % 2 == 1 }.map { String($0.element) }
            }
        let shared = Set(ScenarioKind.advertisers.flatMap(\.keys)).subtracting(["pin"])
        let own = Set(ScenarioKind.fbeacon.keys).subtracting(shared).subtracting(["flash"])
        #expect(own.subtracting(named).sorted() == [])
        #expect(Set(named).subtracting(own).sorted() == [])
        for fault in ScenarioKind.fbeacon.faults.keys {
            #expect(page.contains("| `\(fault): "), "\(fault)")
        }
    }

    @Test func `is remembered between runs`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            "state: kept\nbeacons: [{kind: fbeacon, address: 'F0:0D:BE:AC:08:00', version: 830, updated_version: 840, "
                + "flash: instant}]")
        for version in ["8.30", "8.40", "8.40"] {
            try await VirtualTime.run { time in
                try await Scenario(path: path).play(time: time.clock, readiness: time) { adapter in
                    let beacon = try #require(adapter.peers.first as? FBeaconBeacon)
                    let air = FBeaconAir(adapter: adapter, beacon: beacon, time: time.clock)
                    #expect(try await air.information().last == "BP102,\(version)")
                    #expect(try await air.update() == [0x06])
                }
            }
        }
    }
}
