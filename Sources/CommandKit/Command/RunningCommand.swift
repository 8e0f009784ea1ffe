package import ArgumentParser
package import Bluetooth
import CBuildNote
import Glibc
package import UpdateModel

/// A command that returns an exit status or throws; a thrown error becomes a message and an exit code.
package protocol RunningCommand: AsyncParsableCommand, Sendable {
    var common: CommonOptions { get }
    /// The number of kernel adapters that it uses at the same time.
    var kernelAdapters: Int { get }
    /// Whether it takes an adapter away from the kernel. It then keeps a capability that other commands drop at the start.
    var hasExclusiveAdapter: Bool { get }
    /// The input files that its options name; they are never overwritten.
    var inputs: [String?] { get }
    /// Whether it runs only if every default is valid.
    var needsDefaults: Bool { get }
    /// How many stop requests (Ctrl-C, SIGTERM) the command handles itself, with `StopSignals.nextStopRequest`; with 0 the
    /// first one cancels it.
    var handledStopRequests: Int { get }
    /// `failure` with advice that depends on the command line.
    func addingAdvice(to failure: CommandFailure) -> CommandFailure
    func perform(_ console: Console) async throws -> ExitStatus
}

extension RunningCommand {
    /// 0: most commands need only files.
    package var kernelAdapters: Int { 0 }

    package var hasExclusiveAdapter: Bool { false }

    package var inputs: [String?] { [] }

    /// True: a command must not run with an adapter or a secret other than the configured one.
    package var needsDefaults: Bool { true }

    package var handledStopRequests: Int { 0 }

    package func addingAdvice(to failure: CommandFailure) -> CommandFailure { failure }

    /// The rule for replacing files in this run.
    package var outputs: OutputRule { OutputRule(overwrites: common.overwrite).protecting(inputs) }

    /// Runs the command and reports the outcome, never as a stack trace or a bare number.
    public mutating func run() async throws {
        let console = common.console
        let command = self
        let status: ExitStatus
        do {
            if needsDefaults { _ = try Defaults.own.get() }
            let ended = try await Self.interruptible(handling: handledStopRequests, within: common.timeout) {
                try await command.perform(console)
            }
            let isOutputWritten = await StandardWriters.flush()
            if let failure = console.outputFailure { throw failure }
            status = isOutputWritten ? ended : .interrupted
        } catch let error as ValidationError {
            throw error
        } catch {
            var failure = asTimeout(CommandFailure(from: error))
            if let origin = Defaults.origin(ofPathIn: failure.message) {
                failure = failure.adding(toNextStep: "the path is from \(origin)")
            }
            failure = addingAdvice(to: failure)
            failure.print(on: console)
            status = failure.exit
        }
        guard status == .done else { throw ExitCode(status.rawValue) }
    }

    /// A failure of `--timeout` if that has interrupted the command, else `failure`.
    package func asTimeout(_ failure: CommandFailure) -> CommandFailure {
        guard failure.code == .system.interrupted, let limit = common.timeout, limit.isOver else {
            return failure
        }
        return failure.timedOut(after: limit.seconds)
    }

    /// Cancels `body` at the first Ctrl-C or SIGTERM, unless it handles that itself. A signal that comes a second or
    /// more after the last handled one kills the process.
    private static func interruptible(
        handling stopRequests: Int, within limit: TimeLimit?,
        _ body: @escaping @Sendable () async throws -> ExitStatus
    ) async throws -> ExitStatus {
        // The reader of the output may exit; that must not kill a flash in progress.
        signal(SIGPIPE, SIG_IGN)
        try DescriptorLimit.raise()
        let signals = try StopSignals(handling: max(1, stopRequests))
        let loop = try EventLoop.shared.get()
        let descriptor = signals.descriptor
        // Everything runs on the loop's thread: passing a packet between threads costs more than sending it.
        return try await withTaskExecutorPreference(loop) {
            try await interrupting(after: limit, on: loop) {
                guard stopRequests == 0 else { return try await body() }
                return try await cancelling(body, whenReadable: descriptor, on: loop)
            }
        }
    }

    /// Interrupts `body` like Ctrl-C when `limit` has passed.
    private static func interrupting(
        after limit: TimeLimit?, on loop: EventLoop, _ body: @escaping @Sendable () async throws -> ExitStatus
    ) async throws -> ExitStatus {
        guard let limit else { return try await body() }
        let timer = Task(executorPreference: loop) {
            try await loop.clock.sleep(for: .seconds(limit.seconds))
            limit.end()
            StopSignals.requestStop()
        }
        defer { timer.cancel() }
        return try await body()
    }

    private static func cancelling(
        _ body: @escaping @Sendable () async throws -> ExitStatus, whenReadable descriptor: Int32,
        on loop: EventLoop
    ) async throws -> ExitStatus {
        try await withThrowingTaskGroup(of: ExitStatus?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                await loop.wait(for: .readable, of: descriptor)
                return nil
            }
            defer { group.cancelAll() }
            if let status = try await group.next() ?? nil { return status }
            group.cancelAll()
            if let status = try await group.next() ?? nil { return status }
            throw CancellationError()
        }
    }
}

/// A command without diagnostics and output files.
package protocol PlainCommand: RunningCommand { var plain: PlainOptions { get } }

extension PlainCommand { package var common: CommonOptions { plain.common } }

/// A command without diagnostics that writes a file.
package protocol WritingCommand: RunningCommand { var writing: WritingOptions { get } }

extension WritingCommand { package var common: CommonOptions { writing.common } }

/// Runs `body`, which the first stop request (Ctrl-C) cancels. For work before anything is done to a unit, or between
/// two trays. A stop request that arrives just as `body` ends applies to the next step.
package func cancellingAtStopRequest<Value: Sendable>(
    _ stopRequests: StopRequests = StopSignals.stopRequests,
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let loop = try EventLoop.shared.get()
    return try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask { try await body() }
        group.addTask {
            await stopRequests.wait(by: loop)
            return nil
        }
        defer { group.cancelAll() }
        guard let value = try await group.next() ?? nil else {
            stopRequests.remove()
            throw CancellationError()
        }
        return value
    }
}

enum DescriptorLimit {
    /// A flash has 14 descriptors open. Without a spare one the process would crash: libdispatch opens a file in /proc
    /// every second and traps on failure. Seven are open before this check; lower limits are refused before Swift's
    /// runtime starts (`start.c`).
    static let least = rlim_t(least_descriptors)

    /// Raises the soft limit to the hard limit; a tray needs a socket for each link.
    static func raise() throws(CommandFailure) {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        guard limit.rlim_max < least else { return }
        throw CommandFailure(
            .system.descriptorsExhausted, during: "starting",
            message:
                "the system allows this program \(limit.rlim_max) open files and sockets; it needs \(least)")
    }
}
