import Bluetooth
import Testing

@testable import Simulation

@Suite(.timeLimit(.minutes(10))) struct `A SUOTA beacon of a scenario` {
    private static func described(_ keys: String) throws -> SUOTAScenarioBeacon {
        let text = "beacons: [{kind: suota, address: 'F0:0D:BE:AC:08:00', \(keys)}]"
        return try #require(`A scenario file`.scenario(text).suota.first)
    }

    @Test func `is a DA14585 by default`() throws {
        let beacon = try Self.described("").description
        #expect(beacon.personality == .da14585)
        #expect(beacon.board == SUOTABoard(.da14585))
        #expect(beacon.model == "DA14585")
    }

    @Test func `is in the built-in tray twice`() {
        let beacons = Scenario.builtIn.suota.map(\.description)
        #expect(beacons.map(\.address.description) == ["F0:0D:BE:AC:06:00", "F0:0D:BE:AC:07:00"])
        #expect(beacons.map(\.personality) == [.da14585, .da14683Channel])
    }

    @Test(arguments: SUOTAPersonality.named.keys.sorted())
    func `has a profile by name`(name: String) throws {
        #expect(try Self.described("personality: \(name)").description.personality == .named[name])
    }

    @Test func `is defined by its keys`() throws {
        let cast = try Self.described(
            "name: Tag, version: 3.2.1, memory: i2c, pins: '00510203', wrong_pins_status: 0x14, flash: instant, "
                + "rssi: -70, battery: 42, battery_mv: 2900, signature_check_ms: 8000, refuses_signature: true, faults: [{cut_in_block: 3}, {ignore_reboot: 1}, {early_notification: 1}, "
                + "{wrong_status: 2}, {delay_response: 4}, {power_loss_in_block: 5}, {refuse_channel: 1}, "
                + "{memory_info: 64}]")
        let beacon = cast.description
        #expect(beacon.name == "Tag" && beacon.rssi == -70)
        #expect(beacon.board.first?.version == "3.2.1")
        #expect(beacon.board.memory == .i2c && beacon.board.pins == 0x0051_0203)
        #expect(beacon.board.wrongPinsStatus == .productHeader)
        #expect(beacon.personality.timing == .instant)
        #expect(beacon.batteryPercent == 42 && beacon.batteryMillivolts == 2900)
        #expect(beacon.board.signatureCheck == .seconds(8) && !beacon.board.signatureHolds)
        #expect(
            cast.faults == [
                .suota(.cutInBlock(3)), .suota(.ignoreReboot), .suota(.earlyNotification(1)),
                .suota(.replaceStatus(2, with: 0x06)),
                .suota(.delayResponse(4, by: .seconds(5))), .suota(.powerLossInBlock(5)),
                .suota(.refuseChannel),
                .suota(.answerMemoryInfo(64)),
            ])
    }

    @Test func `can be reached at any pins if so configured`() throws {
        #expect(try Self.described("pins: any").description.board.pins == nil)
    }

    @Test(arguments: [
        ("personality: sdk-17.1", "'sdk-17.1' is not one of da14531, da14580, da14585,"),
        ("memory: ram", "'ram' is not one of i2c, spi"), ("pins: '123'", "pins must be 'any', or GPIO_MAP"),
        ("version: 1.2.3.4.5.6.7.8.9", "a version must have 1 to 15 characters"),
        ("flash: slow", "'slow' is not one of instant, stock"),
        ("wrong_pins_status: 2", "wrong_pins_status must be 0x14, 0x16 or 0x06"),
        ("key: test", "a beacon of kind suota has no key"), ("mode: bootloader", "has no mode"),
        ("softdevice: 1", "has no softdevice"), ("buttonless: none", "has no buttonless"),
        ("hardware: 52", "has no hardware"), ("handover: none", "has no handover"),
        ("flash_kb: 256", "has no flash_kb"), ("battery: 101", "'101' is not a number from 0 to 100"),
        ("battery_mv: 0", "'0' is not a number from 1 to 65535"),
        ("signature_check_ms: 120001", "'120001' is not a number from 0 to 120000"),
        ("personality: da14683, signature_check_ms: 1", "signature_check_ms is only for 58x chips"),
        ("faults: [{power_loss_in_object: 1}]", "a beacon of kind suota has no fault 'power_loss_in_object'"),
        ("faults: [{cut_in_block: 1, refuse_channel: 1}]", "an entry of faults needs exactly one fault"),
    ])
    func `is refused with an unknown key`(keys: String, problem: String) throws {
        let text = "beacons: [{kind: suota, address: 'F0:0D:BE:AC:08:00', \(keys)}]"
        #expect(try `A scenario file`.problem(text)?.contains(problem) == true)
    }

    @Test(arguments: [
        "version: '1'", "memory: spi", "pins: any", "wrong_pins_status: 0x14", "battery: 50",
        "signature_check_ms: 1",
        "refuses_signature: true", "faults: [{cut_in_block: 1}]",
    ])
    func `has keys that others have not`(keys: String) throws {
        let text = "beacons: [{address: 'F0:0D:BE:AC:08:00', \(keys)}]"
        #expect(
            try `A scenario file`.problem(text)?.contains("a beacon of kind nordic-secure has no") == true)
    }

    @Test func `must not have an address of another`() throws {
        let text = """
            beacons:
              - {address: 'F0:0D:BE:AC:08:00'}
              - {kind: suota, address: 'F0:0D:BE:AC:08:01'}
            """
        #expect(try `A scenario file`.problem(text)?.contains("would both be heard at") == true)
    }

    @Test func `is remembered between runs`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            "state: kept\nbeacons: [{kind: suota, address: 'F0:0D:BE:AC:08:00', personality: da14531}]")
        for (version, next) in [("1.0.0", "2.0.0"), ("2.0.0", "3.0.0"), ("3.0.0", "4.0.0")] {
            try await VirtualTime.run { time in
                try await Scenario(path: path).play(time: time.clock, readiness: time) { adapter in
                    let beacon = try #require(adapter.peers.first as? SUOTABeacon)
                    let air = SUOTAAir(adapter: adapter, beacon: beacon, time: time.clock)
                    #expect(try await air.version() == version)
                    try await air.talk { talk async throws in
                        let file = SUOTAFirmware(version: next).stored(.da1458x)
                        #expect(try await talk.update(file) == 0x02)
                        try await talk.reboot()
                    }
                }
            }
        }
    }
}
