import Foundation
import Synchronization
import TestSupport
import Testing

/// Threads for tests that wait for programs: these take real radio time, during which they would block the few threads
/// of the pool for all other tests.
final class ProgramThreads: TaskExecutor {
    /// Many more than there are cores, since a run mostly waits.
    static let shared = ProgramThreads(count: 16)

    private let jobs = Mutex<[UnownedJob]>([])
    private let open = DispatchSemaphore(value: 0)

    private init(count: Int) {
        for _ in 0..<count { Thread.detachNewThread(work) }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        open.signal()
    }

    @Sendable private func work() {
        while true {
            open.wait()
            let job = jobs.withLock { $0.removeFirst() }
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}

/// Runs the tests of a suite on ``ProgramThreads``.
struct ProgramsTrait: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase == nil ? nil : self }

    func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(ProgramThreads.shared) { try await function() }
    }
}

extension Trait where Self == ProgramsTrait {
    /// The suite's tests run programs.
    static var programs: Self { Self() }
}

/// The program started by a shell.
enum Shell {
    /// The result; the output includes stderr.
    struct Run {
        let status: Int32
        let output: String
    }

    /// Runs `script`, in which `"$0" "$@"` is the program with `arguments`; under `tool` if one is named.
    static func run(_ script: String, _ arguments: [String], with tool: [String] = []) throws -> Run {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = tool + ["/bin/sh", "-c", script, Program.path] + arguments
        let pipe = Pipe()
        (process.standardOutput, process.standardError) = (pipe, pipe)
        try process.run()
        let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Run(status: process.terminationStatus, output: String(decoding: bytes, as: UTF8.self))
    }
}
