import CLinux
import FoundationEssentials
import Glibc
import PacketSockets

/// The page of a run: a process of its own, which is told what happens in lines of JSON and sends back what people want. Whatever
/// becomes of it, the run goes on: nothing here waits for it. (docs/decisions/0055)
final class RunPage: Sendable {
    /// What somebody at the page wants.
    struct Wish: Decodable, Sendable {
        let wish: String
        let slot: String?
    }

    private let process: pid_t
    private let events: Int32
    private let wishes: Int32
    private let outlet = Outlet()

    /// Begins the program that serves pages, for a run in `journal`.
    init(journal: String) throws(CommandFailure) {
        var (events, wishes): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        guard pipe(&events) == 0, pipe(&wishes) == 0 else { throw Self.failure("pipe", errno) }
        defer {
            close(events[0])
            close(wishes[1])
        }
        for end in events + wishes { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(wishes[0], F_SETFL, O_NONBLOCK)
        do throws(CommandFailure) {
            process = try Self.spawn(journal, events: events[0], wishes: wishes[1])
        } catch {
            close(events[1])
            close(wishes[0])
            throw error
        }
        (self.events, self.wishes) = (events[1], wishes[0])
    }

    /// Tells it what has happened; progress that it has not read yet is passed over, and so is more than it could ever read.
    func tell(_ line: JSONLine) {
        let slot = if case .text(let slot) = line.members["slot"] { slot } else { "" }
        let isPassing = Console.passing.contains(line.event)
        outlet.put(line.text + "\n", to: events, isPassing ? .latest("\(line.event) \(slot)") : .diagnostic)
    }

    /// Gives what people want, until the page has ended or the task is cancelled.
    func attend(on loop: EventLoop, _ take: @Sendable (Wish) -> Void) async {
        var rest: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while !Task.isCancelled {
            await loop.wait(for: .readable, of: wishes)
            let count = read(wishes, &piece, piece.count)
            if count < 0, errno == EAGAIN || errno == EINTR { continue }
            guard count > 0, rest.count < 1 << 16 else { return }
            rest += piece.prefix(count)
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                if let wish = try? JSONDecoder().decode(Wish.self, from: Data(rest[..<end])) { take(wish) }
                rest.removeSubrange(...end)
            }
        }
    }

    /// Ends it. Waits a moment for it, and no longer.
    func end() {
        kill(process, SIGTERM)
        var ended = pollfd(fd: process_descriptor(process), events: Int16(POLLIN), revents: 0)
        if ended.fd < 0 || poll(&ended, 1, Self.patience) <= 0 { kill(process, SIGKILL) }
        if ended.fd >= 0 { close(ended.fd) }
        waitpid(process, nil, 0)
    }

    /// In milliseconds.
    private static let patience: Int32 = 1000

    private static let program = "beacon-dfu-station"

    /// Beside this program, or else wherever programs are.
    private static var path: String {
        var own = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &own, own.count - 1)
        let text = String(decoding: own.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
        guard let end = text.lastIndex(of: "/") else { return program }
        let beside = text[...end] + program
        return access(String(beside), X_OK) == 0 ? String(beside) : program
    }

    private static func spawn(
        _ journal: String, events: Int32, wishes: Int32
    ) throws(CommandFailure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // Where the page is opened is told to whoever sees the run's talk.
        for (source, target) in [(events, STDIN_FILENO), (STDERR_FILENO, STDOUT_FILENO), (wishes, Int32(3))] {
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
        CommandFailure(
            "page-missing", during: "beginning the page",
            message: "\(what): \(String(cString: strerror(number)))")
    }

    deinit {
        close(events)
        close(wishes)
    }
}
