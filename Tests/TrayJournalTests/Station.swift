import Foundation
import TestSupport
import Tray
import TrayJournal
import UpdateModel

/// A folder for a journal, deleted with its scope, and its content.
struct Station {
    let folder: URL
    var path: String { folder.path + "/journal.sqlite" }

    static func with<Value>(
        on base: String? = nil, _ body: (Station) async throws -> Value
    ) async throws -> Value {
        let above = base.map { URL(filePath: $0) } ?? FileManager.default.temporaryDirectory
        let station = Station(folder: above.appending(path: "journal-\(UUID().uuidString)"))
        try FileManager.default.createDirectory(at: station.folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: station.folder) }
        return try await body(station)
    }

    /// The journal for a run, with its work in place, so that no call waits.
    func open(_ work: JournalWork = .onCallersThread) async throws(JournalError) -> Journal {
        try await Journal.open(at: path, owner: JournalOwner(tray: "line3.yaml"), work: work)
    }

    func reading() async throws(JournalError) -> Journal {
        try await Journal.reading(path, work: .onCallersThread)
    }

    /// A run with a unit in each of `slots`.
    static func record(_ id: String, slots: [String] = ["1", "2"], began: Int64 = 1000) -> TrayRecord {
        var record = TrayRecord(id: id)
        record.tray = "/trays/line3.yaml"
        record.station = "bench 2"
        record.operatorName = "Mei"
        record.orderNumber = "WO-17"
        record.sessions = [.init(number: 1, began: RecordedTime(milliseconds: began), version: "1.0")]
        record.units = slots.enumerated().map { index, slot in
            var unit = UnitRecord(slot: slot, device: "id:N-\(slot)")
            unit.address = address(index)
            unit.identifier = "N-\(slot)"
            unit.name = "K6 \(slot)"
            return unit
        }
        return record
    }

    static func address(_ index: Int) -> String {
        "F0:0D:BE:AC:\(String(format: "%02X:%02X", index / 256, index % 256))/random"
    }

    static func attempt(_ number: Int, at address: String, file: String = "a", began: Int64 = 2000)
        -> AttemptRecord
    {
        let firmware = FirmwareRecord(
            path: "/firmware/\(file).zip", sha256: String(repeating: file, count: 64), kind: "nordic-secure",
            bytes: 1000, version: "2.0")
        return AttemptRecord(
            number: number, session: 1, adapter: "hci0", began: RecordedTime(milliseconds: began),
            address: address,
            firmware: firmware, versionBefore: "1.0")
    }
}

extension AttemptRecord {
    /// The attempt with its end, and everything that one can have.
    func ended(_ outcome: UnitOutcome, code: FailureCode? = nil) -> AttemptRecord {
        var ended = self
        ended.seconds = 12.5
        ended.versionAfter = "2.0"
        ended.verified = "version"
        ended.phases = [Phase("connecting", at: 0), Phase("transferring", at: 1.5)]
        ended.speeds = [Speed(at: 2.5, bytesPerSecond: 9876.5)]
        ended.warnings = [Warning("slow", "a \"name\" from the air: \u{1B}[31m 名")]
        ended.transfer = Transfer(bytes: 1000, seconds: 10, average: 100, retries: 1, limitedBy: "flash")
        ended.verdict = UnitVerdict(
            outcome, code: code, during: "transferring", message: "m", nextStep: "n",
            state: UnitState(program: "bootloader", address: address, application: "intact", words: "w"))
        return ended
    }
}

/// The error of `body`; nil on success.
func problem<Value>(of body: () async throws(JournalError) -> Value) async -> JournalError.Problem? {
    do throws(JournalError) {
        _ = try await body()
        return nil
    } catch {
        return error.problem
    }
}
