import Bytes
import CommandKit
import Firmware
import FoundationEssentials
import Glibc
import UpdateModel

/// One run of the gate over many files, with its report in the requested format.
struct ValidationRun {
    let gate: Gate
    let format: ReportFormat
    let isStrict: Bool
    let origin: SARIFReport.Origin
    let console: Console

    func check(
        _ selection: FileSelection, after earlier: [FileSelection.Candidate]
    ) async throws -> ExitStatus {
        let checks = FileChecks(gate: gate, width: 2 * max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
        var images = EarlierImages()
        try await checks.run(earlier) { report in
            guard let report else { return }
            try require(
                report.bytes != nil, .file.fileNotFound, during: "reading the earlier releases",
                message: report.findings.first?.message ?? "\(report.path) cannot be read")
            if report.image == nil, report.kind != "suota" {
                console.warn(
                    .command.earlierNotSUOTA,
                    "\(report.path) has nothing by which beacons distinguish images, and was not compared")
            }
            images.add(report)
        }
        let candidates = selection.candidates
        var progress = CheckProgress(total: candidates.count, console: console)
        var summary = ReportCounts()
        var skipped = selection.passedOver
        var reports: [FileReport] = []
        try await checks.run(candidates) { report in
            defer { progress.advance() }
            guard var report else {
                skipped += 1
                return
            }
            images.review(&report, by: gate.rules)
            summary.count(report, isStrict: isStrict)
            switch format {
            case .text: console.prose(report.lines(console, isStrict: isStrict))
            case .json: console.json(report.line(isStrict: isStrict))
            case .github:
                GitHubReport.lines(report, isStrict: isStrict, in: FileManager.default.currentDirectoryPath)
                    .forEach(console.document)
            case .junit, .sarif: reports.append(report)
            }
        }
        progress.end()
        guard summary.files > 0 else {
            // A CI job that collects reports would fail without a report file.
            if format == .junit || format == .sarif {
                finish(summary, [], skipped: skipped, seconds: progress.seconds)
            }
            console.notice(
                selection.candidates.isEmpty && skipped == 0
                    ? "nothing was checked: there are no files"
                    : "nothing was checked: none of \(skipped) files is firmware")
            return .nothingToDo
        }
        finish(summary, reports, skipped: skipped, seconds: progress.seconds)
        if summary.unreadable > 0 { return .noFile }
        return summary.failed > 0 ? .failed : .done
    }

    private func finish(_ summary: ReportCounts, _ reports: [FileReport], skipped: Int, seconds: Double) {
        switch format {
        case .github: console.result(TerminalText(summary.text(skipped: skipped)))
        case .text:
            console.result("")
            console.result(TerminalText(summary.text(skipped: skipped)))
        case .json: console.json(summary.line(skipped: skipped, seconds: seconds))
        case .junit:
            console.document(JUnitReport.text(reports, isStrict: isStrict, seconds: seconds))
        case .sarif:
            console.document(SARIFReport.text(reports, from: origin, words: \.withOptions))
        }
    }
}

/// The progress of a run over many files, drawn on terminals at most ten times a second.
struct CheckProgress {
    private let total: Int
    private let console: Console
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private var drawn: ContinuousClock.Instant
    private var done = 0

    init(total: Int, console: Console) {
        (self.total, self.console) = (total, console)
        start = clock.now
        drawn = start
    }

    var seconds: Double { (clock.now - start) / .seconds(1) }

    mutating func advance() {
        done += 1
        let now = clock.now
        guard console.style.isTerminal, now - drawn >= .milliseconds(100) else { return }
        drawn = now
        let rate = Double(done) / max(seconds, 0.001)
        let left = Quantities.countdown(Double(total - done) / max(rate, 0.001))
        console.draw(bar: "checked \(done) of \(total) files, \(Int(rate)) files/s, \(left) left")
    }

    func end() { console.draw(bar: "") }
}

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
