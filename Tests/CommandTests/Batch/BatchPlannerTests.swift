import ArgumentParser
import Bluetooth
import Dialog
import Firmware
import Nordic
import Simulation
import TestSupport
import Testing
import Tray
import UpdateModel

@testable import CommandKit
@testable import TrayCommands

private func sample(_ name: String) -> String { Samples.root + "/firmware-samples/" + name }

private func sending(_ options: [String], _ tray: String) throws -> UnitSending {
    let file = try TrayFile(parsing: Array("{tray: 1, firmware: a.zip, \(tray)}".utf8))
    var source = TraySource([], getting: .file("a.zip"), expecting: nil)
    (source.slots, source.description) = (file.slots, file.description)
    return try UnitSending(try SendingOptions.parse(options), for: source)
}

@Suite struct `The sending options of a unit` {
    private static let pins = "miso=P0_5,mosi=P0_6,cs=P0_3,sck=P0_0"
    private static let others = "scl=P0_2,sda=P0_3"

    @Test func `are its slot's, else the command line's, else the tray's`() throws {
        let units = try sending(
            ["--interval", "20"],
            "interval: '30', packet_size: '100', slots: [{slot: A1}, {slot: A2, interval: '40'}]")
        #expect(units["A1"].vendors[TransferOptions.self][.interval] == "20")
        #expect(units["A2"].vendors[TransferOptions.self][.interval] == "40")
        for slot in ["A1", "A2"] {
            #expect(units[slot].vendors[TransferOptions.self][.packetSize] == "100")
        }
    }

    /// Pins and bank of two kinds of memory must not be mixed.
    @Test func `that describe a memory are taken as a whole`() throws {
        let tray = "pins: '\(Self.pins)', slots: [{slot: A1}, {slot: A2, profile: mine}]"
        let units = try sending([], tray)
        #expect(units["A1"].vendors[SUOTAPreferences.self][.pins] == Self.pins)
        #expect(units["A2"].vendors[SUOTAPreferences.self][.profile] == "mine")
        #expect(units["A2"].vendors[SUOTAPreferences.self][.pins] == nil)
        let own = try sending(["--pins", Self.others], "profile: mine, slots: [{slot: A1}]")
        #expect(own["A1"].vendors[SUOTAPreferences.self][.pins] == Self.others)
        #expect(own["A1"].vendors[SUOTAPreferences.self][.profile] == nil)
    }

    @Test func `name the bootloader that is expected`() throws {
        let bootloader = "F0:0D:BE:AC:01:01"
        let units = try sending([], "slots: [{slot: A1, bootloader: '\(bootloader)'}, {slot: A2}]")
        let device = try #require(DeviceSelector("id:a"))
        let targets = units.targets(["A1", "A2"].map { TrayTarget(slot: $0, device: device) })
        #expect(targets.map { Set($0.bootloaders.map(\.description)) } == [[bootloader], []])
    }

    @Test(arguments: [
        ("pins: any, slots: [{slot: A1}]", "'pins' of the tray"),
        ("slots: [{slot: A1, interval: '5'}]", "'interval' of slot A1"),
    ])
    func `are refused with their place if they are wrong`(_ tray: String, _ words: String) {
        let failure = #expect(throws: CommandFailure.self) { try sending([], tray) }
        #expect(failure?.code == "tray-invalid" && failure?.message.contains(words) == true)
    }

    @Test func `are refused if they have no effect on the unit's file`() throws {
        let units = try sending([], "slots: [{slot: A1, pins: '\(Self.pins)'}]")
        let nordic = try FileContent(path: sample("nordic/tiny.zip")).vendorFile()
        let failure = #expect(throws: CommandFailure.self) { try units.check(nordic, for: "A1") }
        #expect(failure?.message.contains("slot A1: 'pins' has no effect") == true)
        try units.check(try FileContent(path: sample("dialog/58x.img")).vendorFile(), for: "A1")
    }
}

@Suite(.timeLimit(.minutes(10))) struct `The plan for a unit` {
    /// A KBeacon with a battery of 100 % and of 5 %, and a bootloader of Nordic's.
    private static let (full, low) = ("0E16AAFE220564DD3402065B5C0614", "0E16AAFE220505DD3402065B5C0614")
    private static let bootloader = "030259FE 080944667554617267"

    private static func planner(
        _ options: [String] = [], _ files: [String: String] = [:], common: String? = "nordic/tiny.zip",
        _ tray: String = "rule: {name: A}"
    ) throws -> BatchPlanner {
        let install = try InstallOptions.parse(options)
        return BatchPlanner(
            common: common.map { .file(sample($0)) }, sources: files.mapValues { .file(sample($0)) },
            sending: try sending([], tray), install: install, acceptsReappearance: false,
            settings: try TraySettings([]), secrets: SecretStore(SecretsFile()))
    }

    private static func plan(
        _ planner: BatchPlanner, for hex: String, after earlier: FirmwareRecord? = nil
    ) async throws -> UnitJob {
        var target = TrayTarget(slot: "A1", device: try #require(DeviceSelector("id:a")))
        target.earlier = earlier
        let (beacon, unit) = (try sighting(hex), target)
        return try await VirtualTime.run { time in
            try await planner.job(
                for: unit, found: beacon, with: ScriptedAir(time: time.clock, reports: []),
                warning: { _ in })
        }
    }

    @Test func `has the slot's file, else the tray's, and the accepted risks that the file has`() async throws
    {
        let options = ["--force", "lower-version", "--force", "running-bank"]
        let job = try await Self.plan(try Self.planner(options), for: Self.full)
        #expect(job.firmware.path == sample("nordic/tiny.zip") && job.risks == [.lowerVersion])
        let own = try Self.planner([], ["A1": "nordic/vector-a.zip"])
        #expect(try await Self.plan(own, for: Self.full).firmware.path == sample("nordic/vector-a.zip"))
    }

    @Test(arguments: [
        ("020106 0303F5FE", "wrong-device"),
        ("17169AFE2211223344556677880100000000000000082F57", "vendor-only"),
        ("0A160DD061626364 0301 64 030259FE", "would-lock-beacon"), (low, "battery-low"),
    ])
    func `is refused for a beacon that must not be updated`(_ hex: String, _ code: String) async throws {
        let planner = try Self.planner()
        do {
            _ = try await Self.plan(planner, for: hex)
            Issue.record("planned")
        } catch {
            #expect(planner.verdict(for: error, at: try sighting(hex).address, sending: nil).code == code)
        }
    }

    @Test func `checks the battery again before the update, as advertised and as reported`() async throws {
        let job = try await Self.plan(try Self.planner(), for: Self.full)
        try job.admit(try report(Self.full))
        let heard = #expect(throws: UpdateFailure.self) { try job.admit(try report(Self.low)) }
        #expect(heard?.code == "battery-low")
        try job.inspect(ApplicationFacts(battery: 20))
        let told = #expect(throws: UpdateFailure.self) { try job.inspect(ApplicationFacts(battery: 19)) }
        #expect(told?.code == "battery-low")
        // Some stacks report 255 for an unknown charge.
        try job.inspect(ApplicationFacts(battery: 255))
    }

    @Test func `continues in a bootloader with the earlier file, which must not have changed`() async throws {
        let planner = try Self.planner()
        var earlier = try await Self.plan(
            try Self.planner([], common: "nordic/vector-a.zip"), for: Self.full
        ).firmware
        #expect(
            try await Self.plan(planner, for: Self.bootloader, after: earlier).firmware.path == earlier.path)
        #expect(
            try await Self.plan(planner, for: Self.full, after: earlier).firmware.path
                == sample("nordic/tiny.zip"))
        earlier.sha256 = String(repeating: "0", count: 64)
        let changed = earlier
        let failure = await #expect(throws: CommandFailure.self) {
            try await Self.plan(planner, for: Self.bootloader, after: changed)
        }
        #expect(failure?.code == "file-changed")
    }

    @Test func `needs each option to have an effect on a file`() throws {
        let files = ["A1": "nordic/tiny.zip", "A2": "dialog/58x.img"]
        try Self.planner(["--force", "running-bank"], files, common: nil).checkFiles()
        let failure = #expect(throws: CommandFailure.self) {
            try Self.planner(["--force", "running-bank"], ["A1": "nordic/tiny.zip"], common: nil).checkFiles()
        }
        #expect(
            failure?.code == "option-unused" && failure?.message.hasPrefix("--force running-bank") == true)
        let slot = "slots: [{slot: A1, profile: feasycom}]"
        #expect(throws: CommandFailure.self) {
            try Self.planner([], ["A1": "nordic/tiny.zip"], common: nil, slot).checkFiles()
        }
    }

    @Test func `is tried again after a failure of the unit that may pass`() throws {
        let planner = try Self.planner()
        for outcome in UnitOutcome.allCases {
            let mayHelp = planner.mayHelp(after: UnitVerdict(outcome, code: "link-lost"))
            #expect(mayHelp == (outcome == .failed || outcome == .unknown), "\(outcome)")
        }
        #expect(!planner.mayHelp(after: UnitVerdict(.failed, code: "battery-low")))
        #expect(!planner.mayHelp(after: UnitVerdict(.failed)))
    }

    @Test func `advises LE Coded only for a beacon that was not found`() throws {
        var planner = try Self.planner()
        planner.codedAdvice = "add --coded"
        #expect(planner.nextStep(after: "device-not-found", at: nil)?.hasSuffix("; add --coded") == true)
        #expect(planner.nextStep(after: "link-lost", at: nil)?.contains("--coded") == false)
    }
}
