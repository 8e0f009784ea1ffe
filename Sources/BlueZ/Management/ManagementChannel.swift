import Bluetooth
import Bytes
import Synchronization

/// The kernel's management interface: one command at a time, and events for listeners.
///
/// It works alongside `bluetoothd` without confusing it, as raw HCI commands would. `run` is the receive loop.
///
/// Answers carry no sequence number, only opcode and controller. So while the answer to an abandoned command is
/// outstanding, no other command of its kind is sent: the late answer would be taken for that of the new command.
final class ManagementChannel: Sendable {
    /// How an answer is matched to its command.
    private struct Kind: Hashable, Sendable {
        let opcode: UInt16
        let index: UInt16
    }

    private struct State: Sendable {
        var pending: (kind: Kind, answer: OneShot<Answer>, isAnswered: Bool)?
        /// Abandoned commands whose answers are still outstanding.
        var awaitedLateAnswers: [Kind: OneShot<Void>] = [:]
        var listeners: [UInt64: AsyncStream<(UInt16, ManagementEvent)>.Continuation] = [:]
        var nextListener: UInt64 = 0
        var removals: [UInt16: Int] = [:]
        var isClosed = false
    }

    private struct Answer: Sendable {
        let status: ManagementStatus
        let parameters: [UInt8]
    }

    private let bearer: any Bearer
    private let time: Timekeeper
    private let state = Mutex(State())
    private let turns = FIFOLock()

    init(bearer: any Bearer, time: Timekeeper) { (self.bearer, self.time) = (bearer, time) }

    func run() async {
        while let packet = try? await bearer.receive() {
            var reader = ByteReader(packet)
            guard let message = try? ManagementMessage(parsing: &reader) else { continue }
            if case .commandComplete(let opcode, let status, let parameters) = message.event {
                settle(
                    Kind(opcode: opcode, index: message.index),
                    Answer(status: status, parameters: parameters))
            } else {
                let listeners = state.withLock { state in
                    if message.event == .indexRemoved { state.removals[message.index, default: 0] += 1 }
                    return Array(state.listeners.values)
                }
                for listener in listeners { listener.yield((message.index, message.event)) }
            }
        }
        let (pending, awaitedLateAnswers, listeners) = state.withLock { state in
            state.isClosed = true
            return (state.pending, Array(state.awaitedLateAnswers.values), Array(state.listeners.values))
        }
        pending?.answer.resolve(nil)
        for late in awaitedLateAnswers { late.resolve(nil) }
        for listener in listeners { listener.finish() }
    }

    func close() { bearer.close() }

    private func settle(_ kind: Kind, _ answer: Answer) {
        let (late, waiting) = state.withLock { state -> (OneShot<Void>?, OneShot<Answer>?) in
            if let late = state.awaitedLateAnswers.removeValue(forKey: kind) { return (late, nil) }
            guard let pending = state.pending, pending.kind == kind else { return (nil, nil) }
            state.pending?.isAnswered = true
            return (nil, pending.answer)
        }
        late?.resolve(())
        waiting?.resolve(answer)
    }

    /// Every event from now on, with the index of its controller.
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

    /// The number of removals of index `index` among the events read so far. While it is unchanged, so is the
    /// controller.
    func removals(of index: UInt16) -> Int { state.withLock { $0.removals[index, default: 0] } }

    /// Carries out `command` on controller `index`; returns its return parameters.
    ///
    /// With `removals` the command is for the controller that had the index when ``removals(of:)`` was that number. The
    /// kernel identifies controllers by index alone, and its events and answers arrive in order, so the number at the
    /// answer shows whether the command has reached another controller. Then this throws
    /// ``ManagementError/strayed(command:)``.
    @discardableResult func perform(
        _ command: ManagementCommand, on index: UInt16 = ManagementCommand.noController,
        during removals: Int? = nil
    ) async throws(ManagementError) -> ByteReader {
        do { try await turns.acquire() } catch { throw .cancelled }
        defer { turns.release() }
        let kind = Kind(opcode: command.opcode, index: index)
        try await awaitLateAnswer(kind, within: command.limit)
        let answer = OneShot<Answer>()
        let isClosed = state.withLock { state in
            state.pending = (kind, answer, false)
            return state.isClosed
        }
        defer { state.withLock { $0.pending = nil } }
        guard !isClosed else { throw .closed }
        let isSame = { [self] in removals == nil || removals == self.removals(of: index) }
        guard isSame() else { throw .refused(.invalidIndex, command: command.name) }
        do throws(BearerError) { try await bearer.send(command.packet(for: index)) } catch {
            throw error == .cancelled ? .cancelled : .closed
        }
        let result: Answer??
        do { result = try await time.within(command.limit) { await answer.value() } } catch {
            giveUp(kind)
            throw .cancelled
        }
        switch result {
        case .some(.some(let answer)):
            guard answer.status == .success else {
                throw .refused(isSame() ? answer.status : .invalidIndex, command: command.name)
            }
            guard isSame() else { throw .strayed(command: command.name) }
            return ByteReader(answer.parameters)
        case .some(.none):
            giveUp(kind)
            throw Task.isCancelled ? .cancelled : .closed
        case .none:
            giveUp(kind)
            throw .noAnswer(command: command.name)
        }
    }

    /// Notes that the answer is outstanding, unless it arrived just before the command was abandoned.
    private func giveUp(_ kind: Kind) {
        state.withLock { if $0.pending?.isAnswered != true { $0.awaitedLateAnswers[kind] = OneShot() } }
    }

    /// Waits until an earlier command of this kind has its answer. An answer that does not arrive within the
    /// limit again is considered lost.
    private func awaitLateAnswer(_ kind: Kind, within limit: Duration) async throws(ManagementError) {
        guard let late = state.withLock({ $0.awaitedLateAnswers[kind] }) else { return }
        do { _ = try await time.within(limit) { await late.value() } } catch { throw .cancelled }
        guard !Task.isCancelled else { throw .cancelled }
        state.withLock { _ = $0.awaitedLateAnswers.removeValue(forKey: kind) }
    }
}

enum ManagementError: Error, Equatable, Sendable, CustomStringConvertible {
    case refused(ManagementStatus, command: String)
    /// Another controller had got the index, and carried out the command.
    case strayed(command: String)
    case noAnswer(command: String)
    /// The answer is shorter than it must be.
    case malformed(command: String)
    case closed, cancelled

    var description: String {
        switch self {
        case .refused(let status, let command): "the kernel answers '\(status)' to \(command)"
        case .strayed(let command): "\(command) reached another controller"
        case .noAnswer(let command): "the kernel does not answer \(command)"
        case .malformed(let command): "the kernel's answer to \(command) cannot be read"
        case .closed: "the management channel is closed"
        case .cancelled: "cancelled"
        }
    }
}

extension DeviceAddress {
    /// Six bytes, least significant first, and the type: 1 LE public, 2 LE random.
    var managementBytes: [UInt8] { bytes.reversed() + [kind == .public ? 1 : 2] }

    /// An address as the kernel sends it; nil for a BR/EDR address.
    static func management(parsing reader: inout ByteReader) throws(ByteError) -> DeviceAddress? {
        let bytes = try reader.bytes("address", 6)
        let type: UInt8 = try reader.integer("address type")
        switch type {
        case 1: return DeviceAddress(Array(bytes.reversed()), .public)
        case 2: return DeviceAddress(Array(bytes.reversed()), .random)
        default: return nil
        }
    }
}
