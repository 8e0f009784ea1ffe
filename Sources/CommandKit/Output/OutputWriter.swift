import Bluetooth
import Dispatch
import Glibc
import Synchronization

/// Writes lines on a separate thread, so that a reader that stops reading blocks nothing else.
///
/// The queue is bounded ([0029](../../../docs/decisions/0029-output-off-the-loop.md)): of progress only the latest line
/// stays, diagnostics are left out and counted, and a writer of more results than ``mostKept`` waits for the reader.
package final class OutputWriter: Sendable {
    /// How a line is handled when the reader is slow.
    package enum Importance: Sendable {
        /// It is never lost.
        case kept
        /// It replaces a queued line of the same name, once more than ``fewBytes`` are queued.
        case latest(String)
        /// It is left out, and counted, while ``mostDiagnostics`` are queued.
        case diagnostic

        fileprivate var name: String? { if case .latest(let name) = self { name } else { nil } }
    }

    /// The number of queued bytes above which obsolete lines are replaced.
    static let fewBytes = 64 << 10
    /// The number of queued bytes from which diagnostics are left out.
    static let mostDiagnostics = 1 << 20
    /// The number of queued bytes above which a writer has to wait: more than an update ever prints.
    static let mostKept = 8 << 20

    fileprivate struct Piece {
        let descriptor: Int32
        let bytes: [UInt8]
        /// The name in ``Importance/latest(_:)``.
        var name: String?
    }

    fileprivate struct State {
        var pieces: [Piece] = []
        /// Bytes of queued pieces and of those being written.
        var bytes = 0
        var leftOut = 0
        var status: [TerminalText] = []
        var isStarted = false
        var isIdle = false
        var errors: [Int32: Int32] = [:]
        /// The tasks that wait until everything is written, by their tickets.
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var lastTicket = 0

        var isDone: Bool { !isStarted || isIdle }

        mutating func add(_ piece: Piece) {
            pieces.append(piece)
            bytes += piece.bytes.count
        }
    }

    private let state = Mutex(State())
    private let bell = DispatchSemaphore(value: 0)
    private let terminal: Int32
    private let reportError: @Sendable (Int32) -> Void

    /// An output writer that shows its status lines on the descriptor `terminal`. `report` is called with the
    /// `errno` that ended writing to a descriptor.
    package init(
        terminal: Int32 = STDERR_FILENO, onError report: @escaping @Sendable (Int32) -> Void = { _ in }
    ) {
        (self.terminal, reportError) = (terminal, report)
    }

    package func put(_ text: String, to descriptor: Int32, _ importance: Importance = .kept) {
        let piece = Piece(descriptor: descriptor, bytes: Array(text.utf8), name: importance.name)
        if case .kept = importance { waitForSpace(piece.bytes.count) }
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
                    let note =
                        "\(state.leftOut) lines of diagnostics were left out here: no program read them\n"
                    state.add(Piece(descriptor: descriptor, bytes: Array(note.utf8)))
                    state.leftOut = 0
                }
            }
            state.add(piece)
        }
    }

    /// Shows `lines` below all other output, replacing the earlier ones; an empty list removes them.
    package func show(_ lines: [TerminalText]) { change { $0.status = lines } }

    /// The `errno` of a failed write to `descriptor`, for example for a full disk.
    package func error(of descriptor: Int32) -> Int32? { state.withLock { $0.errors[descriptor] } }

    /// Returns when everything is written, or when the task is cancelled.
    package func drained() async {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isDone = state.withLock { state in
                    guard !state.isDone, !Task.isCancelled else { return true }
                    state.waiting[ticket] = waiter
                    return false
                }
                if isDone { waiter.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: ticket) }?.resume()
        }
    }

    /// Changes the state, and starts or wakes the thread if necessary.
    private func change(_ body: (inout State) -> Void) {
        let (starts, wakes) = state.withLock { state in
            body(&state)
            defer { (state.isStarted, state.isIdle) = (true, false) }
            return (!state.isStarted, state.isIdle)
        }
        if starts {
            // If no thread can be created, lines are written here.
            do throws(SocketError) { try DetachedThread.start { [self] in run() } } catch {
                var screen = StatusScreen(terminal)
                _ = writeQueue(&screen)
                state.withLock { ($0.isStarted, $0.isIdle) = (false, false) }
            }
        } else if wakes {
            bell.signal()
        }
    }

    /// Waits while `count` more bytes would exceed the limit; a signal that ends the program ends the wait.
    private func waitForSpace(_ count: Int) {
        while state.withLock({ $0.bytes > 0 && $0.bytes + count > Self.mostKept }) {
            var interruption = pollfd(fd: StopSignals.currentDescriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&interruption, 1, 50) == 0 else { return }
        }
    }

    private func run() {
        var screen = StatusScreen(terminal)
        while true { if !writeQueue(&screen) { bell.wait() } }
    }

    /// Writes the queue; returns false if it was empty.
    private func writeQueue(_ screen: inout StatusScreen) -> Bool {
        let (pieces, status, waiters) = state.withLock { state in
            let isQueueEmpty = state.pieces.isEmpty && screen.isShowing(state.status)
            state.isIdle = isQueueEmpty
            defer {
                state.pieces = []
                if isQueueEmpty { state.waiting = [:] }
            }
            return (state.pieces, state.status, isQueueEmpty ? Array(state.waiting.values) : nil)
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
                // Another program on the same terminal may have made it non-blocking; this thread can wait.
                var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&wait, 1, -1)
            } else if errno != EINTR {
                let error = errno
                state.withLock { $0.errors[descriptor] = error }
                return reportError(error)
            }
        }
    }
}
