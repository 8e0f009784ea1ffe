import ByteCoding
import GATT
import Synchronization
import Timing

/// The kernel's management interface: one command at a time, and events to whoever listens.
///
/// It works beside `bluetoothd` and keeps its view right, which raw HCI commands do not. `run` is the pump.
final class ManagementChannel: Sendable {
    /// How long the kernel may take for a command: powering a controller up takes the longest.
    static let commandLimit = Duration.seconds(10)

    private struct State: Sendable {
        var pending: (opcode: UInt16, index: UInt16, answer: Rendezvous<Answer>)?
        var listeners: [UInt64: AsyncStream<(UInt16, ManagementEvent)>.Continuation] = [:]
        var nextListener: UInt64 = 0
        var isClosed = false
    }

    private struct Answer: Sendable {
        let status: ManagementStatus
        let parameters: [UInt8]
    }

    private let bearer: any Bearer
    private let time: Timekeeper
    private let state = Mutex(State())
    private let turns = Turns()

    /// A channel over an open management socket.
    init(bearer: any Bearer, time: Timekeeper) {
        self.bearer = bearer
        self.time = time
    }

    /// Receives until the channel is closed.
    func run() async {
        while let packet = try? await bearer.receive() {
            var reader = ByteReader(packet)
            guard let message = try? ManagementMessage(parsing: &reader) else { continue }
            if case .commandComplete(let opcode, let status, let parameters) = message.event {
                settle(opcode, message.index, Answer(status: status, parameters: parameters))
            } else {
                for listener in state.withLock({ Array($0.listeners.values) }) {
                    listener.yield((message.index, message.event))
                }
            }
        }
        let (pending, listeners) = state.withLock { state in
            state.isClosed = true
            return (state.pending, Array(state.listeners.values))
        }
        pending?.answer.settle(nil)
        for listener in listeners { listener.finish() }
    }

    /// Ends the channel.
    func close() { bearer.close() }

    private func settle(_ opcode: UInt16, _ index: UInt16, _ answer: Answer) {
        let pending = state.withLock { $0.pending }
        guard let pending, pending.opcode == opcode, pending.index == index else { return }
        pending.answer.settle(answer)
    }

    /// Every event from now on, with the controller that it is about.
    func events() -> AsyncStream<(UInt16, ManagementEvent)> {
        let (stream, listener) = AsyncStream.makeStream(
            of: (UInt16, ManagementEvent).self, bufferingPolicy: .bufferingNewest(1024))
        let number = state.withLock { state -> UInt64? in
            guard !state.isClosed else { return nil }
            defer { state.nextListener += 1 }
            state.listeners[state.nextListener] = listener
            return state.nextListener
        }
        guard let number else {
            listener.finish()
            return stream
        }
        listener.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    /// Carries out `command` on controller `index`; gives what it returns.
    @discardableResult func perform(
        _ command: ManagementCommand, on index: UInt16 = 0xFFFF
    ) async throws(ManagementError) -> ByteReader {
        do { try await turns.take() } catch { throw .cancelled }
        defer { turns.pass() }
        let answer = Rendezvous<Answer>()
        let isClosed = state.withLock { state in
            state.pending = (command.opcode, index, answer)
            return state.isClosed
        }
        defer { state.withLock { $0.pending = nil } }
        guard !isClosed else { throw .closed }
        do throws(BearerError) { try await bearer.send(command.packet(for: index)) } catch {
            throw error == .cancelled ? .cancelled : .closed
        }
        let result: Answer??
        do { result = try await time.within(Self.commandLimit) { await answer.value() } } catch {
            throw .cancelled
        }
        switch result {
        case .some(.some(let answer)):
            guard answer.status == .success else {
                throw .refused(answer.status, command: command.name)
            }
            return ByteReader(answer.parameters)
        case .some(.none): throw Task.isCancelled ? .cancelled : .closed
        case .none: throw .noAnswer(command: command.name)
        }
    }
}
