import Foundation
import Synchronization
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
