import Bluetooth
import CLinux
import Glibc

/// A process that was started for a hook and has to be waited for.
struct HookChild: ~Copyable {
    private let process: pid_t
    /// Readable when the process has ended.
    private let end: Int32
    /// Its output; -1 when it prints nothing more.
    private var output: Int32
    private var tail: [UInt8] = []

    /// How long it has to end after SIGTERM.
    private static let grace = Duration.milliseconds(500)
    /// How much of its output is kept, in bytes and in characters of its last line.
    private static let (mostBytes, mostCharacters) = (4096, 200)

    /// Starts the command of `hook`, with the JSON of `call` as one line of input.
    init(_ hook: Hook, _ call: HookCall) throws(HookStartError) {
        let input = try Self.file(call.body + "\n")
        defer { close(input) }
        var ends: [Int32] = [-1, -1]
        guard private_pipe(&ends) == 0 else { throw HookStartError("pipe") }
        defer { close(ends[1]) }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        do throws(HookStartError) {
            let variables = HookEnvironment(hook, call).variables
            let process = try Self.spawn(hook.command, variables, input: input, output: ends[1])
            (end, self.process, output) = (try Self.descriptor(of: process), process, ends[0])
        } catch {
            close(ends[0])
            throw error
        }
    }

    deinit {
        close(end)
        if output >= 0 { close(output) }
    }

    /// Waits for its end; stops it after `deadline` or on `cancellation`.
    mutating func wait(_ deadline: Duration, unless cancellation: HookProcess.Cancellation) -> HookOutcome {
        let latest = ContinuousClock.now + deadline
        while true {
            let ready = Self.wait(for: [end, output, cancellation.descriptor], until: latest)
            read()
            if ready[0], let end = ended(WNOHANG) { return end }
            guard ready[2] || ContinuousClock.now >= latest else { continue }
            stop()
            return ready[2] ? .cancelled : .late
        }
    }

    /// Asks its whole process group to end, then kills it.
    private mutating func stop() {
        kill(-process, SIGTERM)
        _ = Self.wait(for: [end], until: .now + Self.grace)
        kill(-process, SIGKILL)
        _ = ended(0)
    }

    /// Which of `descriptors` can be read, or are at their end; none on timeout at `moment`.
    private static func wait(for descriptors: [Int32], until moment: ContinuousClock.Instant) -> [Bool] {
        var waited = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
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
        return signal == 0 ? .exited(status >> 8 & 0xFF, lastWords: lastWords) : .killed(signal)
    }

    private mutating func read() {
        var piece = [UInt8](repeating: 0, count: Self.mostBytes)
        while output >= 0 {
            let count = Glibc.read(output, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return }
            guard count > 0 else {
                close(output)
                output = -1
                return
            }
            tail = Array((tail + piece.prefix(count)).suffix(Self.mostBytes))
        }
    }

    private var lastWords: String? {
        let lines = String(decoding: tail, as: UTF8.self).split(whereSeparator: \.isNewline)
        let words = lines.last { $0.contains { !$0.isWhitespace } }
        return words.map { String($0.prefix(Self.mostCharacters)) }
    }

    /// A file in memory with `text`, positioned at its beginning.
    private static func file(_ text: String) throws(HookStartError) -> Int32 {
        let descriptor = memory_file("hook")
        guard descriptor >= 0 else { throw HookStartError("memfd_create") }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let error = HookStartError("write")
                close(descriptor)
                throw error
            }
            rest = rest.dropFirst(count)
        }
        lseek(descriptor, 0, SEEK_SET)
        return descriptor
    }

    /// A descriptor for the end of `process`; kills the process if there is none.
    private static func descriptor(of process: pid_t) throws(HookStartError) -> Int32 {
        let descriptor = process_descriptor(process)
        guard descriptor < 0 else { return descriptor }
        let error = HookStartError("pidfd_open")
        kill(-process, SIGKILL)
        waitpid(process, nil, 0)
        throw error
    }

    private static func spawn(
        _ command: String, _ environment: [String: String], input: Int32, output: Int32
    ) throws(HookStartError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (source, target) in [(input, STDIN_FILENO), (output, STDOUT_FILENO), (output, STDERR_FILENO)] {
            posix_spawn_file_actions_adddup2(&actions, source, target)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        posix_spawnattr_setpgroup(&attributes, 0)
        // Signals that the program ignores or handles itself.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        let arguments = ["/bin/sh", "-c", command].map { (text: String) in strdup(text) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, "/bin/sh", &actions, &attributes, arguments, variables)
        guard code == 0 else { throw HookStartError("posix_spawn", code) }
        return process
    }
}

/// A failed system call that kept a hook from starting.
struct HookStartError: Error {
    let words: String

    init(_ call: String, _ number: Int32 = errno) { words = "\(call): \(String(cString: strerror(number)))" }
}

/// Runs a hook's command to its end or its deadline, on a thread that waits for it.
///
/// The JSON is in an unnamed file, so that nothing blocks if a hook does not read it. Its output is discarded except
/// for the last line, which is reported if it fails. It has a process group of its own: Ctrl-C goes to the program,
/// which stops a hook itself if necessary.
package enum HookProcess {
    /// Tells the thread that the result is no longer needed: its descriptor becomes readable.
    final class Cancellation: Sendable {
        let descriptor: Int32

        init() throws(HookStartError) {
            descriptor = eventfd(0, eventfd_flags)
            guard descriptor >= 0 else { throw HookStartError("eventfd") }
        }

        deinit { close(descriptor) }

        func tell() { _ = eventfd_write(descriptor, 1) }
    }

    /// Runs the command of `hook` with `call`. Cancelling the task stops it.
    package static func run(_ hook: Hook, _ call: HookCall, deadline: Duration) async -> HookOutcome {
        let cancellation: Cancellation
        do throws(HookStartError) { cancellation = try Cancellation() } catch {
            return .notBegun(error.words)
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                do throws(SocketError) {
                    try DetachedThread.start {
                        continuation.resume(returning: wait(for: hook, call, deadline, unless: cancellation))
                    }
                } catch {
                    continuation.resume(returning: .notBegun(HookStartError(error.call, error.errno).words))
                }
            }
        } onCancel: {
            cancellation.tell()
        }
    }

    private static func wait(
        for hook: Hook, _ call: HookCall, _ deadline: Duration, unless cancellation: Cancellation
    ) -> HookOutcome {
        do throws(HookStartError) {
            var child = try HookChild(hook, call)
            return child.wait(deadline, unless: cancellation)
        } catch {
            return .notBegun(error.words)
        }
    }
}

package enum HookOutcome: Hashable, Sendable {
    /// It exited with this status; `lastWords` is its last line of output.
    case exited(Int32, lastWords: String?)
    /// It was ended by this signal.
    case killed(Int32)
    /// It was stopped at its time limit.
    case late
    /// It was stopped, since its result is no longer needed.
    case cancelled
    /// It could not be started: the system's message.
    case notBegun(String)
}
