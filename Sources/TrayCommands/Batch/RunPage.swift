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
    struct Request: Decodable, Sendable {
        let wish: String
        let slot: String?
        /// The scanned code; nil for other requests.
        let text: String?
        /// The person's name, as given on the page.
        let by: String
    }

    private let process: pid_t
    private let events: Mutex<OwnedDescriptor?>
    private let requests: OwnedDescriptor
    private let writer = OutputWriter()
    private let loop: EventLoop
    private let console: Console
    private let lines = Mutex(LineSplitter(limit: 1 << 16, excess: .skipped))

    /// Serves a page of the run in `journal`, reports its address, and then runs `body`; without a page if `journal` is nil.
    static func serving<Value>(
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
        await page.end(within: endLimit)
        return try result.get()
    }

    private init(journal: String, on loop: EventLoop, _ console: Console) throws(CommandFailure) {
        (self.loop, self.console) = (loop, console)
        do throws(SocketError) {
            let (theirEvents, events) = try OwnedDescriptor.pipe()
            let (requests, theirRequests) = try OwnedDescriptor.pipe()
            _ = fcntl(requests.number, F_SETFL, O_NONBLOCK)
            process = try ChildProgram(
                Self.path, [Self.program, "view", "--events", "--journal", journal],
                // The page's stdout is the run's stderr, where people read the run's messages.
                descriptors: [
                    (STDIN_FILENO, theirEvents.number), (STDOUT_FILENO, STDERR_FILENO),
                    (3, theirRequests.number),
                ]
            ).start()
            withExtendedLifetime((theirEvents, theirRequests)) {}
            self.events = Mutex(events)
            self.requests = requests
        } catch {
            let what = error.call == "posix_spawn" ? Self.program : error.call
            throw Self.missing("\(what): \(String(cString: strerror(error.errno)))")
        }
    }

    private func begin() async throws {
        let line = try await loop.clock.within(Self.startLimit) { await self.line() }
        let words = "the page did not start within \(Self.startLimit.components.seconds) s"
        guard let line else { throw Self.missing(words) }
        guard let line, let message = Message(line) else {
            throw Self.missing("the page ended while it started")
        }
        guard message.event == "page" else {
            throw Self.missing(
                [message.code, message.message].compactMap(\.self).joined(separator: ": "), message.nextStep)
        }
        tell(message)
    }

    /// Sends an event to the page. Progress replaces earlier progress that the page has not read yet; events beyond the
    /// buffer's limit are dropped.
    func tell(_ event: RunEvent) { put(event.text, event.event, event.slot) }

    func tell(_ line: JSONLine) { put(line.text, line.event, line.slot) }

    private func put(_ text: String, _ event: String, _ slot: String?) {
        guard let events = events.withLock({ $0 }) else { return }
        writer.put(text + "\n", to: events.number, Console.importance(of: event, slot, else: .diagnostic))
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
            _ = try? await loop.clock.within(limit) { [self] in
                await writer.drained()
                events.withLock { $0 = nil }
                await loop.wait(for: .readable, of: ended)
            }
        }
        for signal in [SIGTERM, SIGKILL] where waitpid(process, nil, WNOHANG) == 0 {
            kill(process, signal)
            guard signal == SIGTERM, ended >= 0 else {
                waitpid(process, nil, 0)
                return
            }
            _ = try? await loop.clock.within(.seconds(1)) { [self] in
                await loop.wait(for: .readable, of: ended)
            }
        }
    }

    /// The time limit for the start of the page, whose large program a slow bench has to load.
    private static let startLimit = Duration.seconds(20)
    /// How long the page has after the run to show the last events and exit.
    private static let endLimit = Duration.seconds(5)

    // MARK: Messages of the page

    /// The addresses of the page, or why it did not start.
    private struct Message: Decodable {
        let event: String
        var links: [String: String]?
        var code, message, nextStep: String?

        private enum CodingKeys: String, CodingKey {
            case event, links, code, message
            case nextStep = "next_step"
        }

        init?(_ line: [UInt8]) {
            guard let read = try? JSONDecoder().decode(Message.self, from: Data(line)) else { return nil }
            self = read
        }
    }

    /// The next line from the page; nil when the page has ended or the task is cancelled.
    private func line() async -> [UInt8]? {
        var piece = [UInt8](repeating: 0, count: 4096)
        while !Task.isCancelled {
            if let line = lines.withLock({ $0.next() }) { return line }
            await loop.wait(for: .readable, of: requests.number)
            let count = read(requests.number, &piece, piece.count)
            if count < 0, errno == EAGAIN || errno == EINTR { continue }
            guard count > 0 else { return nil }
            lines.withLock { [piece] in $0.append(piece.prefix(count)) }
        }
        return nil
    }

    private func tell(_ message: Message) {
        for (role, link) in (message.links ?? [:]).sorted(by: { $0.key < $1.key }) {
            console.alert("\(role): \(TerminalText(link))")
        }
    }

    private static let program = "beacon-dfu-station"

    /// The path of beacon-dfu-station in the folder of this program, or else its name, which is looked up in `PATH`.
    private static var path: String {
        guard let own = SharedFiles.ownProgram, let end = own.lastIndex(of: "/") else { return program }
        let neighbour = own[...end] + program
        return access(String(neighbour), X_OK) == 0 ? String(neighbour) : program
    }

    private static func missing(_ why: String, _ nextStep: String? = nil) -> CommandFailure {
        CommandFailure(.station.pageMissing, during: "starting the page", message: why, nextStep: nextStep)
    }
}
