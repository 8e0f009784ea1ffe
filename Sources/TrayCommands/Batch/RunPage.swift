import Bluetooth
import Bytes
import CLinux
import CommandKit
import FoundationEssentials
import Glibc
import Synchronization
import Tray

/// The page of a run: a separate process that receives events and sends requests as lines of JSON. The run
/// does not depend on it: nothing here blocks on the page. (docs/decisions/0055)
final class RunPage: Sendable {
    /// A request from the page.
    struct Request: Decodable, Sendable {
        let request: String
        let slot: String?
        /// The name of the person, as the page has it.
        let by: String

        private enum CodingKeys: String, CodingKey {
            case request = "wish"
            case slot, by
        }
    }

    private let process: pid_t
    private let events: Mutex<Int32?>
    private let stopRequests: Int32
    private let writer = OutputWriter()
    private let loop: EventLoop
    private let console: Console
    /// The bytes of an incomplete line.
    private let rest = Mutex<[UInt8]>([])

    /// Runs `body` while a page of the run in `journal` is served; without a page if `journal` is nil.
    /// Reports the page's address, and runs `body` only once the page is served.
    static func beside<Value>(
        _ journal: String?, _ console: Console, _ body: (RunPage?) async throws -> Value
    ) async throws -> Value {
        guard let journal else { return try await body(nil) }
        let page = try RunPage(journal: journal, on: try EventLoop.shared.get(), console)
        do { try await page.begin() } catch {
            await page.end(within: .zero)
            throw error
        }
        let result: Result<Value, any Error>
        do { result = .success(try await body(page)) } catch { result = .failure(error) }
        await page.end(within: timeout)
        return try result.get()
    }

    /// Starts the program that serves pages.
    private init(journal: String, on loop: EventLoop, _ console: Console) throws(CommandFailure) {
        (self.loop, self.console) = (loop, console)
        var (events, stopRequests): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        guard private_pipe(&events) == 0 else { throw Self.failure("pipe", errno) }
        guard private_pipe(&stopRequests) == 0 else {
            let failure = Self.failure("pipe", errno)
            for end in events { close(end) }
            throw failure
        }
        defer {
            close(events[0])
            close(stopRequests[1])
        }
        _ = fcntl(stopRequests[0], F_SETFL, O_NONBLOCK)
        do throws(CommandFailure) {
            process = try Self.spawn(journal, events: events[0], stopRequests: stopRequests[1])
        } catch {
            close(events[1])
            close(stopRequests[0])
            throw error
        }
        self.events = Mutex(events[1])
        self.stopRequests = stopRequests[0]
    }

    /// Waits until the page is served.
    private func begin() async throws {
        let line = try await loop.keeper.within(Self.beginning) { await self.line() }
        let words = "the page did not start within \(Self.beginning.components.seconds) s"
        guard let line else { throw Self.missing(words) }
        guard let line, let message = Message(line) else {
            throw Self.missing("the page ended while it started")
        }
        guard message.event == "page" else {
            throw Self.missing(
                [message.code, message.message].compactMap(\.self).joined(separator: ": "),
                message.nextStep)
        }
        tell(message)
    }

    /// Sends an event to the page. Newer progress replaces progress that it has not read yet; events beyond
    /// the buffer's limit are dropped.
    func tell(_ line: JSONLine) {
        guard let events = events.withLock({ $0 }) else { return }
        let slot = if case .text(let slot) = line.members["slot"] { slot } else { "" }
        let isPassing = Console.passing.contains(line.event)
        writer.put(line.text + "\n", to: events, isPassing ? .latest("\(line.event) \(slot)") : .diagnostic)
    }

    /// Sends an event to the page.
    func tell(_ event: RunEvent) {
        guard let events = events.withLock({ $0 }) else { return }
        writer.put(event.text + "\n", to: events, .diagnostic)
    }

    /// Passes requests to `take` until the page ends or the task is cancelled.
    func serve(on loop: EventLoop, _ take: @Sendable (Request) -> Void) async {
        while let line = await line() {
            if let request = try? JSONDecoder().decode(Request.self, from: Data(line)) {
                take(request)
            } else if let message = Message(line), message.event == "page" {
                tell(message)
            }
        }
    }

    /// Ends the page: gives it `limit` to receive and show all events and to exit, then terminates it.
    private func end(within limit: Duration) async {
        let ended = process_descriptor(process)
        defer { if ended >= 0 { close(ended) } }
        if ended >= 0 {
            _ = try? await loop.keeper.within(limit) { [self] in
                await writer.drained()
                if let open = events.withLock({ $0.take() }) { close(open) }
                await loop.wait(for: .readable, of: ended)
            }
        }
        for signal in [SIGTERM, SIGKILL] where waitpid(process, nil, WNOHANG) == 0 {
            kill(process, signal)
            guard signal == SIGTERM, ended >= 0 else {
                waitpid(process, nil, 0)
                return
            }
            _ = try? await loop.keeper.within(.seconds(1)) { [self] in
                await loop.wait(for: .readable, of: ended)
            }
        }
    }

    /// The time limit for its start: a large program, which a slow bench has to load first.
    private static let beginning = Duration.seconds(20)
    /// The time limit for its end.
    private static let timeout = Duration.seconds(5)

    // MARK: Messages of the page

    /// The addresses of the page, or why it did not start.
    private struct Message: Decodable {
        let event: String
        var links: [String: String]?
        var code: String?
        var message: String?
        var nextStep: String?

        private enum CodingKeys: String, CodingKey {
            case event, links, code, message
            case nextStep = "next_step"
        }

        init?(_ line: [UInt8]) {
            guard let read = try? JSONDecoder().decode(Message.self, from: Data(line)) else { return nil }
            self = read
        }
    }

    /// The page's next line; nil when it has ended or the task is cancelled.
    private func line() async -> [UInt8]? {
        var piece = [UInt8](repeating: 0, count: 4096)
        while !Task.isCancelled {
            let line = rest.withLock { rest -> [UInt8]? in
                guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
                defer { rest.removeSubrange(...end) }
                return Array(rest[..<end])
            }
            if let line { return line }
            await loop.wait(for: .readable, of: stopRequests)
            let count = read(stopRequests, &piece, piece.count)
            if count < 0, errno == EAGAIN || errno == EINTR { continue }
            let isWhole = rest.withLock { rest in
                rest += piece.prefix(max(0, count))
                return rest.count < 1 << 16
            }
            guard count > 0, isWhole else { return nil }
        }
        return nil
    }

    private func tell(_ message: Message) {
        for (role, link) in (message.links ?? [:]).sorted(by: { $0.key < $1.key }) {
            console.say("\(role): \(TerminalText(link))")
        }
    }

    private static let program = "beacon-dfu-station"

    /// The program in the folder of this one, else found by `PATH`.
    private static var path: String {
        var own = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &own, own.count - 1)
        let text = String(decoding: own.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
        guard let end = text.lastIndex(of: "/") else { return program }
        let beside = text[...end] + program
        return access(String(beside), X_OK) == 0 ? String(beside) : program
    }

    private static func spawn(
        _ journal: String, events: Int32, stopRequests: Int32
    ) throws(CommandFailure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The page's stdout is the run's stderr, where people read the run's messages.
        for (source, target) in [
            (events, STDIN_FILENO), (STDERR_FILENO, STDOUT_FILENO), (stopRequests, Int32(3)),
        ] {
            posix_spawn_file_actions_adddup2(&actions, source, target)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        // Ctrl-C is for the run, which ends its page itself.
        posix_spawnattr_setpgroup(&attributes, 0)
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        let words = [program, "view", "--events", "--journal", journal]
        let arguments = words.map { (text: String) in strdup(text) } + [nil]
        defer { for text in arguments { free(text) } }
        var process: pid_t = 0
        let code = posix_spawnp(&process, path, &actions, &attributes, arguments, environ)
        guard code == 0 else { throw failure(program, code) }
        return process
    }

    private static func failure(_ what: String, _ number: Int32) -> CommandFailure {
        missing("\(what): \(String(cString: strerror(number)))")
    }

    private static func missing(_ why: String, _ nextStep: String? = nil) -> CommandFailure {
        CommandFailure(.station.pageMissing, during: "starting the page", message: why, nextStep: nextStep)
    }

    deinit {
        if let open = events.withLock({ $0.take() }) { close(open) }
        close(stopRequests)
    }
}
