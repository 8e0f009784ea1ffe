import Bluetooth
import Firmware
import Simulation
import TestSupport
import Testing
import UpdateModel

@testable import CommandKit
@testable import RadioCommands

@Suite(.timeLimit(.minutes(10))) struct `The search for a beacon` {
    private static let kontakt = "E4:11:22:33:44:02"
    private static let iBeacon = "0201061aff4c000215e2c56db5dffb48d2b060d0f5a71096e0193605b2c5"
    /// Kontakt's classic scan response: id efgh, version 3.1.
    private static let response = "0a160dd0" + "65666768" + "0301" + "64"

    private static func search(
        _ device: String, hasty decidesOnFirstFrames: Bool = false, waiting isWaiting: Bool = false,
        for seconds: Double = 10
    ) throws -> DeviceSearch {
        DeviceSearch(
            selector: try #require(DeviceSelector(argument: device)), limit: .seconds(seconds),
            decidesOnFirstFrames: decidesOnFirstFrames, isWaiting: isWaiting)
    }

    /// The code of its error; empty if a beacon was found.
    private static func code(_ body: () async throws -> Void) async throws -> String {
        do { try await body() } catch let failure as CommandFailure { return failure.code.rawValue }
        return ""
    }

    @Test(arguments: [false, true])
    func `identifies the vendor before it ends, even if a scan response was lost`(decidesOnFirstFrames: Bool)
        async throws
    {
        let iBeacon = try report(Self.iBeacon, from: Self.kontakt)
        let response = try report(Self.response, from: Self.kontakt, connectable: nil)
        let code = try await VirtualTime.run { time in
            let air = ScriptedAir(
                time: time.clock,
                reports: [
                    (.seconds(1), iBeacon), (.seconds(3), iBeacon), (.milliseconds(3010), response),
                ])
            return try await Self.code {
                try LockRisk.check(
                    try await Self.search(Self.kontakt, hasty: decidesOnFirstFrames).find(with: air),
                    allowing: [])
            }
        }
        #expect(code == "would-lock-beacon")
    }

    @Test(arguments: [(Duration.milliseconds(900), []), (.seconds(4), ["adapter-deaf"])])
    func `reports that another program's scan interfered for a second or longer`(
        _ deafness: Duration, _ codes: [String]
    ) async throws {
        let iBeacon = try report(Self.iBeacon, from: Self.kontakt)
        let response = try report(Self.response, from: Self.kontakt, connectable: nil)
        let found = try await VirtualTime.run { time in
            let air = ScriptedAir(
                time: time.clock, reports: [(.seconds(5), iBeacon), (.milliseconds(5010), response)],
                deafFor: deafness)
            return try await Self.search(Self.kontakt).findUnit(with: air)
        }
        #expect(found.deafness == deafness)
        #expect(found.warnings.map(\.code.rawValue).filter { $0.hasPrefix("adapter") } == codes)
    }

    @Test func `does not wait long for a beacon of an unknown maker`() async throws {
        let took = try await withAir("  - {mode: application, address: F0:0D:BE:AC:34:00, name: Lamp}") {
            adapter in
            let began = adapter.time.now
            _ = try await Self.search("F0:0D:BE:AC:34:00/random").find(with: adapter)
            return adapter.time.now - began
        }
        #expect(took < .milliseconds(1500))
    }

    @Test func `listens for a whole cycle to a beacon that is identified late`() async throws {
        let address = "BC:57:29:02:45:01"
        let iBeacon = try report(Self.iBeacon, from: address)
        let extended = try report(
            "08094b4250726f5f31" + "091680206404193605b2", from: address, connectable: nil)
        let system = try report("0201060303aafe0e16aafe220564dd3402065b5c0614", from: address)
        let found = try await VirtualTime.run { time in
            let air = ScriptedAir(
                time: time.clock,
                reports: [
                    (.seconds(1), iBeacon), (.milliseconds(1500), extended), (.seconds(9), system),
                ])
            return try await Self.search(address).find(with: air)
        }
        #expect(found.version == "6.20")
    }

    /// The next step where the adapter hears this and the selector matches nothing.
    private static func nextStep(hearing hears: String, for device: String) async throws -> String {
        let beacon = "  - {kind: kkm, address: DD:34:02:06:5B:01, name: Far}\nadapters: [{hears: \(hears)}]"
        return try await withAir(beacon) { adapter in
            do { _ = try await search(device).find(with: adapter) } catch let failure as CommandFailure {
                return failure.nextStep
            }
            return ""
        }
    }

    @Test(
        arguments: [
            ("coded-on-request", "add --coded"),
            ("extended", "this adapter does not hear beacons on LE Coded"),
            ("legacy", "this adapter does not hear beacons on LE Coded"), ("coded", nil),
        ] as [(String, String?)])
    func `names --coded only where the adapter has it and was not told`(_ hears: String, _ words: String?)
        async throws
    {
        let plain = FailureCode.device.deviceNotFound.nextStep.withOptions
        let next = try await Self.nextStep(hearing: hears, for: "DD:34:02:06:5B:77")
        #expect(next.hasPrefix(plain) && next.contains(words ?? plain))
        #expect((next == plain) == (words == nil), "\(next)")
        // A beacon was heard that explains it.
        let twin = try await Self.nextStep(hearing: hears, for: "DD:34:02:06:5B:01/public")
        #expect(twin.contains("/random") && !twin.contains("LE Coded"))
    }

    @Test func `does not pick the one of two that happens to be connectable`() async throws {
        let twins = """
              - {kind: kkm, address: DD:34:02:06:5B:01, name: Twin, connectable: false}
              - {kind: kkm, address: DD:34:02:06:5B:02, name: Twin, connectable: after-click, clicks_s: [4]}
            """
        let code = try await withAir(twins) { adapter in
            try await Self.code {
                _ = try await Self.search("name:Twin", waiting: true, for: 30).find(with: adapter)
            }
        }
        #expect(code == "device-ambiguous")
    }

    @Test(arguments: [("true", ""), ("false", "device-not-found")])
    func `waits for an iBeacon with a trigger as for one without`(connectable: String, code: String)
        async throws
    {
        let beacon = """
              - kind: kkm
                address: DD:34:02:06:5B:01
                major: 1
                minor: 2
                connectable: \(connectable)
                only_triggered: true
                triggers: [{trigger: click, at_s: 3, for_s: 60}]
            """
        let device = "ibeacon:E2C56DB5-DFFB-48D2-B060-D0F5A71096E0/1/2"
        let (found, took) = try await withAir(beacon) { adapter in
            let began = adapter.time.now
            let found = try await Self.code {
                let search = try Self.search(device, waiting: true, for: 30)
                let result = try await search.findUnit(with: adapter)
                #expect(result.warnings.contains { $0.code == "ibeacon-trigger" })
            }
            return (found, adapter.time.now - began)
        }
        #expect(found == code)
        #expect(code.isEmpty ? took < .seconds(10) : took >= .seconds(30))
    }

    @Test(arguments: [
        ("frames: [ibeacon]", ["version-unknown"]),
        ("frames: [kkm-encrypted-sensor], extended: none", ["battery-unknown", "version-unknown"]),
        ("frames: [kkm-system, ibeacon]", [String]()),
    ])
    func `reports what a beacon has not advertised of its kind's usual data`(keys: String, codes: [String])
        async throws
    {
        let beacon = "  - {kind: kkm, address: DD:34:02:06:5B:01, \(keys)}"
        let warnings = try await withAir(beacon) { adapter in
            try await Self.search("DD:34:02:06:5B:01").findUnit(with: adapter).warnings
        }
        #expect(warnings.map(\.code.rawValue) == codes)
    }
}
