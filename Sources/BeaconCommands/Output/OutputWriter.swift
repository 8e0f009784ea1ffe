import Dispatch
import Glibc
import PacketSockets
import Synchronization

/// Writes lines on a thread of its own, so that a reader that stops holds up nothing else.
///
/// What waits is bounded ([0029](../../../docs/decisions/0029-output-off-the-loop.md)): of progress only the latest stays,
/// diagnostics are left out and counted, and a writer of more results than ``mostKept`` waits for the reader.
final class OutputWriter: Sendable {
    /// What becomes of a line when the reader is slow.
    enum Importance: Sendable {
        /// It is never lost.
        case kept
        /// It replaces an earlier one of this name that still waits, once ``fewBytes`` wait.
        case latest(String)
        /// It is left out, and counted, while ``mostDiagnostics`` wait.
        case diagnostic
    }

    /// How many bytes may wait before anything is done about it.
    static let fewBytes = 64 << 10
    /// How many bytes may wait before diagnostics are left out.
    static let mostDiagnostics = 1 << 20
    /// How many bytes may wait before a writer has to wait: more than an update ever prints.
    static let mostKept = 8 << 20

    fileprivate struct Piece {
        let descriptor: Int32
        let bytes: [UInt8]
        /// That of ``Importance/latest(_:)``.
        var name: String?
    }

    fileprivate struct State {
        var pieces: [Piece] = []
        /// Of the pieces that wait, and of those that are being written.
        var bytes = 0
        var leftOut = 0
        var status: [TerminalText] = []
        var isStarted = false
        var isIdle = false
        var errors: [Int32: Int32] = [:]
        var drained = Continuations()
    }

    private let state = Mutex(State())
    private let bell = DispatchSemaphore(value: 0)
    private let terminal: Int32
    private let tell: @Sendable (Int32) -> Void

    /// An outlet whose status line, where it has one, is shown on the descriptor `terminal`. `tell` is called with the
    /// error that ends the writing to a descriptor.
    init(terminal: Int32 = STDERR_FILENO, onError tell: @escaping @Sendable (Int32) -> Void = { _ in }) {
        self.terminal = terminal
        self.tell = tell
    }

    /// Has `text` written to `descriptor` after everything that was given before.
    func put(_ text: String, to descriptor: Int32, _ importance: Importance = .kept) {
        let piece = Piece(descriptor: descriptor, bytes: Array(text.utf8), name: importance.name)
        if case .kept = importance { waitForRoom(piece.bytes.count) }
        change { state in
            switch importance {
            case .kept: break
            case .latest(let name):
                guard state.bytes > Self.fewBytes else { break }
                state.bytes -= state.pieces.reduce(0) { $0 + ($1.name == name ? $1.bytes.count : 0) }
                state.pieces.removeAll { $0.name == name }
            case .diagnostic:
                guard state.bytes < Self.mostDiagnostics else { return state.leftOut += 1 }
                if state.leftOut > 0 {
                    let note = "\(state.leftOut) lines of diagnostics were left out here: nobody read them\n"
                    state.add(Piece(descriptor: descriptor, bytes: Array(note.utf8)))
                    state.leftOut = 0
                }
            }
            state.add(piece)
        }
    }

    /// Shows `lines` below everything that is written, in place of those that were shown; none takes them away.
    func show(_ lines: [TerminalText]) { change { $0.status = lines } }

    /// Why `descriptor` could not be written, for example because the disk is full.
    func error(of descriptor: Int32) -> Int32? { state.withLock { $0.errors[descriptor] } }

    /// Returns when everything is written, or when the task is cancelled.
    func drained() async {
        let ticket = state.withLock { $0.drained.reserve() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isDone = state.withLock { state in
                    guard !state.isDone, !Task.isCancelled else { return true }
                    state.drained.add(waiter, ticket)
                    return false
                }
                if isDone { waiter.resume() }
            }
        } onCancel: {
            state.withLock { $0.drained.remove(ticket) }?.resume()
        }
    }
}

extension OutputWriter.Importance {
    fileprivate var name: String? { if case .latest(let name) = self { name } else { nil } }
}

extension OutputWriter.State {
    fileprivate var isDone: Bool { !isStarted || isIdle }

    fileprivate mutating func add(_ piece: OutputWriter.Piece) {
        pieces.append(piece)
        bytes += piece.bytes.count
    }
}

extension OutputWriter {
    /// Changes what has to be written, and wakes the thread if it sleeps.
    private func change(_ body: (inout State) -> Void) {
        let (starts, wakes) = state.withLock { state in
            body(&state)
            defer { (state.isStarted, state.isIdle) = (true, false) }
            return (!state.isStarted, state.isIdle)
        }
        if starts {
            // Without a thread, as where the machine has none left, lines are written here.
            do throws(SocketError) { try DetachedThread.start { [self] in run() } } catch {
                var screen = StatusScreen(terminal)
                _ = turn(&screen)
                state.withLock { ($0.isStarted, $0.isIdle) = (false, false) }
            }
        } else if wakes {
            bell.signal()
        }
    }

    /// Waits while `count` bytes more would be too many; a signal that ends the program ends the wait.
    private func waitForRoom(_ count: Int) {
        while state.withLock({ $0.bytes > 0 && $0.bytes + count > Self.mostKept }) {
            var interruption = pollfd(fd: Interruption.bell, events: Int16(POLLIN), revents: 0)
            guard poll(&interruption, 1, 50) == 0 else { return }
        }
    }

    private func run() {
        var screen = StatusScreen(terminal)
        while true { if !turn(&screen) { bell.wait() } }
    }

    /// Writes what waits; false when there was nothing.
    private func turn(_ screen: inout StatusScreen) -> Bool {
        let (pieces, status, waiters) = state.withLock { state in
            defer { state.pieces = [] }
            let isNothing = state.pieces.isEmpty && screen.isBlinking(state.status)
            state.isIdle = isNothing
            return (state.pieces, state.status, isNothing ? state.drained.removeAll() : nil)
        }
        if let waiters {
            waiters.forEach { $0.resume() }
            return false
        }
        var (descriptor, bytes) = (terminal, screen.removal)
        for piece in pieces {
            if piece.descriptor != descriptor {
                write(bytes, to: descriptor)
                (descriptor, bytes) = (piece.descriptor, [])
            }
            bytes += piece.bytes
        }
        let drawing = screen.drawing(of: status)
        if !drawing.isEmpty, descriptor != terminal {
            write(bytes, to: descriptor)
            (descriptor, bytes) = (terminal, [])
        }
        write(bytes + drawing, to: descriptor)
        state.withLock { $0.bytes -= pieces.reduce(0) { $0 + $1.bytes.count } }
        return true
    }

    private func write(_ bytes: [UInt8], to descriptor: Int32) {
        guard error(of: descriptor) == nil else { return }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                // A program that shares the terminal may have made it non-blocking; this thread can wait.
                var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&wait, 1, -1)
            } else if errno != EINTR {
                let error = errno
                state.withLock { $0.errors[descriptor] = error }
                return tell(error)
            }
        }
    }
}
