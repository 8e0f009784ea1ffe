import Bluetooth
import Firmware
import FoundationEssentials
import TestSupport
import Testing
import Tray
import TrayJournal
import UpdateModel

@testable import CommandKit
@testable import RadioCommands

@Suite struct `The journal's record of a unit in its bootloader` {
    private static let passed = UnitVerdict(.passed)
    private static let lost = UnitVerdict(.error, code: .device.linkLost)
    private static let refused = UnitVerdict(.failed, code: .device.firmwareVersionTooLow)

    /// Attempts at the unit of `address`, each with its file and verdict; nil for one that was cut off.
    private static func found(
        _ attempts: [(file: String, verdict: UnitVerdict?)], at address: String = "F0:0D:BE:AC:01:00",
        isSimulated: Bool = true
    ) async throws -> (record: FirmwareRecord, isComplete: Bool)? {
        let folder = FileManager.default.temporaryDirectory.path + "/loader-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let journal = try await Journal.open(
            at: folder + "/journal.sqlite", owner: JournalOwner(tray: nil), work: .onCallersThread)
        defer { journal.close() }
        for (number, attempt) in attempts.enumerated() {
            var record = TrayRecord(id: "run-\(number)")
            (record.isSingle, record.isSimulated) = (true, true)
            var unit = UnitRecord(slot: "1", device: nil)
            unit.address = address + "/random"
            let firmware = FirmwareRecord(
                path: attempt.file, sha256: attempt.file, kind: "nordic-secure", bytes: 1, version: nil)
            let began = AttemptRecord(
                number: 1, session: 1, adapter: "sim0", began: .now, address: address + "/random",
                firmware: firmware)
            unit.attempts = [began]
            record.units = [unit]
            let run = try await journal.begin(record)
            guard let verdict = attempt.verdict else { continue }
            var ended = began
            ended.verdict = verdict
            try await run.close("1", verdict, ending: ended, at: .now)
        }
        // With the flag of a discoverable device, as a bootloader has it that may be above its application.
        let loader = try sighting("020106020A000302" + "59FE", from: "F0:0D:BE:AC:01:01")
        let result = DeviceSearch.Result(
            beacon: loader, silentApplication: loader.address.neighbour(-1), since: .zero)
        return try await BootloaderHistory(of: result, in: journal, simulated: isSimulated).firmware
    }

    @Test(
        arguments: [
            ([("a", passed), ("b", nil)], "b", false), ([("a", passed), ("b", lost)], "b", false),
            ([("a", passed), ("b", refused)], "a", true), ([("a", passed), ("b", passed)], "b", true),
            ([("a", passed), ("b", passed), ("c", refused), ("d", refused)], "b", true),
        ] as [([(String, UnitVerdict?)], String, Bool)])
    func `has the package to complete, or the last complete one if another was refused`(
        _ attempts: [(String, UnitVerdict?)], _ file: String, _ isComplete: Bool
    ) async throws {
        let found = try await Self.found(attempts)
        #expect(found?.record.path == file && found?.isComplete == isComplete)
        let byLoader = try await Self.found(attempts, at: "F0:0D:BE:AC:01:01")
        #expect(byLoader?.record.path == file)
    }

    @Test func `has none of another unit, of a real one, or of one that took nothing`() async throws {
        #expect(try await Self.found([("a", Self.passed)], at: "F0:0D:BE:AC:02:00") == nil)
        #expect(try await Self.found([("a", Self.passed)], isSimulated: false) == nil)
        #expect(try await Self.found([("a", Self.refused)]) == nil)
        #expect(try await Self.found([]) == nil)
    }
}
