import Bluetooth
import Bytes
import CLinux
import Glibc

/// The process of a hook's call, which the caller has to wait for.
struct HookChild {
    private let process: pid_t
    /// A descriptor that is readable when the process has ended.
    private let end: OwnedDescriptor
    /// The end of the pipe with the process's output; nil when no more output can come.
    private var output: OwnedDescriptor?
    private var tail: [UInt8] = []

    /// How long the process has to end after SIGTERM, before SIGKILL.
    private static let grace = Duration.milliseconds(500)
    /// How much of the output is kept: the last bytes, and of their last line, the first characters.
    private static let (mostBytes, mostCharacters) = (4096, 200)

    /// Starts the command of `hook`, with the JSON of `call` as one line of input.
    init(_ hook: Hook, _ call: HookCall) throws(SocketError) {
        let input = try Self.file(call.body + "\n")
        let (reading, writing) = try OwnedDescriptor.pipe()
        _ = fcntl(reading.number, F_SETFL, O_NONBLOCK)
        process = try ChildProgram(
            "/bin/sh", ["/bin/sh", "-c", hook.command], environment: hook.environment(of: call),
            descriptors: [
                (STDIN_FILENO, input.number), (STDOUT_FILENO, writing.number),
                (STDERR_FILENO, writing.number),
            ]
        ).start()
        withExtendedLifetime((input, writing)) {}
        end = try Self.descriptor(of: process)
        output = reading
    }

    /// Waits for the end of the process; stops it after `deadline`, or when `cancellation` is readable.
    mutating func wait(_ deadline: Duration, unless cancellation: OwnedDescriptor) -> HookOutcome {
        let latest = ContinuousClock.now + deadline
        while true {
            let ready = Self.wait(for: [end, output, cancellation], until: latest)
            read()
            if ready[0], let end = ended(WNOHANG) { return end }
            guard ready[2] || ContinuousClock.now >= latest else { continue }
            stop()
            return ready[2] ? .cancelled : .late
        }
    }

    /// Asks the whole process group to end, then kills it.
    private mutating func stop() {
        kill(-process, SIGTERM)
        _ = Self.wait(for: [end], until: .now + Self.grace)
        kill(-process, SIGKILL)
        _ = ended(0)
    }

    /// For each of `descriptors`, whether it can be read or is at its end. Waits until one is, at most until `moment`.
    private static func wait(
        for descriptors: [OwnedDescriptor?], until moment: ContinuousClock.Instant
    ) -> [Bool] {
        // The kernel ignores the descriptor -1.
        var waited = descriptors.map { pollfd(fd: $0?.number ?? -1, events: Int16(POLLIN), revents: 0) }
        let left = max(.zero, moment - .now) / .milliseconds(1)
        poll(&waited, nfds_t(waited.count), Int32(min(left.rounded(.up), Double(Int32.max))))
        return waited.map { $0.revents != 0 }
    }

    private mutating func ended(_ options: Int32) -> HookOutcome? {
        var status: Int32 = 0
        while true {
            let found = waitpid(process, &status, options)
            if found < 0, errno == EINTR { continue }
            guard found == process else { return nil }
            break
        }
        read()
        // The layout of wait(2)'s status, whose macros are not available in Swift.
        let signal = status & 0x7F
        return signal == 0 ? .exited(status >> 8 & 0xFF, lastLine: lastLine) : .killed(signal)
    }

    private mutating func read() {
        var piece = [UInt8](repeating: 0, count: Self.mostBytes)
        while let reading = output?.number {
            let count = Glibc.read(reading, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return }
            guard count > 0 else { return output = nil }
            tail = Array((tail + piece.prefix(count)).suffix(Self.mostBytes))
        }
    }

    private var lastLine: String? {
        let lines = String(decoding: tail, as: UTF8.self).split(whereSeparator: \.isNewline)
        let words = lines.last { $0.contains { !$0.isWhitespace } }
        return words.map { String($0.prefix(Self.mostCharacters)) }
    }

    /// A file in memory with `text`, positioned at its beginning.
    private static func file(_ text: String) throws(SocketError) -> OwnedDescriptor {
        let descriptor = memory_file("hook")
        guard descriptor >= 0 else { throw SocketError(call: "memfd_create", errno: errno) }
        let file = OwnedDescriptor(descriptor)
        do throws(FileProblem) { try FileBytes.write(Array(text.utf8), to: descriptor) } catch {
            throw SocketError(call: "write", errno: error.number)
        }
        lseek(descriptor, 0, SEEK_SET)
        return file
    }

    /// A descriptor that is readable when `process` has ended; kills the process if the system does not provide one.
    private static func descriptor(of process: pid_t) throws(SocketError) -> OwnedDescriptor {
        let descriptor = process_descriptor(process)
        guard descriptor < 0 else { return OwnedDescriptor(descriptor) }
        let error = SocketError(call: "pidfd_open", errno: errno)
        kill(-process, SIGKILL)
        waitpid(process, nil, 0)
        throw error
    }
}

/// Runs a hook's command to its end or its deadline, on a thread that waits for it.
///
/// The JSON is in an unnamed file, so that nothing blocks if the hook does not read it. The hook's output is discarded
/// except for the last line, which is reported if the hook fails. The hook has its own process group, so that Ctrl-C
/// does not reach it; the program stops it if necessary.
package enum HookProcess {
    /// Runs the command of `hook` with `call`. Cancelling the task stops the command.
    package static func run(_ hook: Hook, _ call: HookCall, deadline: Duration) async -> HookOutcome {
        let number = eventfd(0, eventfd_flags)
        guard number >= 0 else { return .notBegun(SocketError(call: "eventfd", errno: errno)) }
        // This becomes readable when the task is cancelled.
        let cancellation = OwnedDescriptor(number)
        do throws(SocketError) {
            return try await DetachedThread.result {
                wait(for: hook, call, deadline, unless: cancellation)
            } onCancel: {
                _ = eventfd_write(cancellation.number, 1)
            }
        } catch { return .notBegun(error) }
    }

    private static func wait(
        for hook: Hook, _ call: HookCall, _ deadline: Duration, unless cancellation: OwnedDescriptor
    ) -> HookOutcome {
        do throws(SocketError) {
            var child = try HookChild(hook, call)
            return child.wait(deadline, unless: cancellation)
        } catch { return .notBegun(error) }
    }
}

package enum HookOutcome: Hashable, Sendable {
    /// The hook exited with this status; `lastLine` is its last line of output, nil if there was none.
    case exited(Int32, lastLine: String?)
    /// The hook was ended by this signal.
    case killed(Int32)
    /// The hook was stopped at its time limit.
    case late
    /// The hook was stopped because the task was cancelled.
    case cancelled
    /// The hook could not be started: the system's message.
    case notBegun(String)

    fileprivate static func notBegun(_ error: SocketError) -> HookOutcome {
        .notBegun("\(error.call): \(String(cString: strerror(error.errno)))")
    }
}
