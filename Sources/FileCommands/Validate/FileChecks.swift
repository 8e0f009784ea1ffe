import Bytes
import CommandKit
import Firmware
import UpdateModel

/// Checks many files on all processors, and delivers the reports in the order of the files.
struct FileChecks {
    let gate: Gate
    /// The number of files in progress at a time: limits memory, and keeps every processor busy.
    let width: Int

    /// Calls `deliver` for each file: with its report, or with nil if the file is skipped because it is not firmware.
    func run(_ candidates: [FileSelection.Candidate], deliver: (FileReport?) throws -> Void) async throws {
        try await withThrowingTaskGroup(of: (Int, FileReport?).self) { group in
            var started = 0
            var delivered = 0
            var waiting: [Int: FileReport?] = [:]
            func startNext() {
                guard started < candidates.count else { return }
                let (number, candidate, gate) = (started, candidates[started], gate)
                // Not on the event loop: checking uses the processor, and the loop has to handle Ctrl-C.
                group.addTask(executorPreference: globalConcurrentExecutor) {
                    try Task.checkCancellation()
                    let clock = ContinuousClock()
                    let start = clock.now
                    var report = Self.check(candidate, gate)
                    report?.seconds = (clock.now - start) / .seconds(1)
                    return (number, report)
                }
                started += 1
            }
            for _ in 0..<width { startNext() }
            while let (number, report) = try await group.next() {
                waiting[number] = .some(report)
                while let report = waiting.removeValue(forKey: delivered) {
                    try deliver(report)
                    delivered += 1
                    startNext()
                }
            }
        }
    }

    private static func check(_ candidate: FileSelection.Candidate, _ gate: Gate) -> FileReport? {
        do throws(CommandFailure) {
            if let refusal = candidate.refusal { throw refusal }
            let file = try FileContent(path: candidate.path)
            let report = gate.report(on: file.bytes, named: file.path, isStream: file.isStream)
            if report.isForeign, !candidate.promisesFirmware { return nil }
            return report
        } catch {
            // Skip a file that is too large, unless it was named or its name promises firmware.
            if error.code == .file.archiveTooLarge, !candidate.promisesFirmware { return nil }
            return gate.report(unreadable: candidate.path, code: error.code, error.message)
        }
    }
}
