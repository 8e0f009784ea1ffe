import Bluetooth
import Bytes
import Glibc
import Synchronization

/// A controller's raw HCI channel: one command at a time, and the state of links from its events.
///
/// The kernel sends commands too, so this channel sends only commands that the kernel does not send at the same time.
/// `run` is the receive loop.
final class HCIChannel: Sendable {
    /// How long a controller may take to begin a command.
    static let commandLimit = Duration.seconds(2)
    /// How long a procedure between both ends may take: the limit is six intervals of up to 4 s, but our links
    /// have short ones.
    static let procedureLimit = Duration.seconds(5)

    /// The status with which an event completes a command; nil for any other event.
    typealias Completion = @Sendable (HCIEvent) -> HCIStatus?

    private struct State: Sendable {
        var pending: (opcode: UInt16, answer: OneShot<(HCIStatus, [UInt8])>)?
        var awaited: (completion: Completion, status: OneShot<HCIStatus>)?
        var table = LinkTable()
        var isClosed = false
    }

    private let bearer: any Bearer
    private let time: Timekeeper
    private let state = Mutex(State())
    private let turns = FIFOLock()
    private let observe: @Sendable (HCIEvent, LinkTable) -> Void
    private let repeatRequest: @Sendable (UInt16, LinkRequest) -> Void

    /// A channel over an open HCI socket. `observe` is called with every event, and the links before it;
    /// `repeatRequest` if a request has to be repeated on the link with a handle.
    init(
        bearer: any Bearer, time: Timekeeper,
        observing observe: @escaping @Sendable (HCIEvent, LinkTable) -> Void = { _, _ in },
        repeating repeatRequest: @escaping @Sendable (UInt16, LinkRequest) -> Void = { _, _ in }
    ) {
        (self.bearer, self.time) = (bearer, time)
        (self.observe, self.repeatRequest) = (observe, repeatRequest)
    }

    var links: [UInt16: LinkTable.Link] { state.withLock { $0.table.links } }

    func link(_ handle: UInt16) -> LinkTable.Link? { state.withLock { $0.table.links[handle] } }

    func note(_ linkRequest: LinkRequest, for handle: UInt16) {
        state.withLock { $0.table.note(linkRequest, for: handle) }
    }

    /// Receives until the channel is closed or the controller is gone.
    func run() async {
        while let packet = try? await bearer.receive() {
            var reader = ByteReader(packet)
            guard let event = try? HCIEvent(parsing: &reader) else { continue }
            receive(event)
        }
        let state = state.withLock { state in
            state.isClosed = true
            state.table = LinkTable()
            return state
        }
        state.pending?.answer.resolve(nil)
        state.awaited?.status.resolve(nil)
    }

    private func receive(_ event: HCIEvent) {
        let (before, again, pending, awaited) = state.withLock { state in
            let before = state.table
            let again = state.table.requestToRepeat(after: event)
            state.table.note(event)
            return (before, again, state.pending, state.awaited)
        }
        observe(event, before)
        if let again { repeatRequest(again.handle, again.linkRequest) }
        if let answer = event.answer, answer.opcode == pending?.opcode {
            pending?.answer.resolve((answer.status, answer.parameters))
        } else if let awaited, let status = awaited.completion(event) {
            awaited.status.resolve(status)
        }
    }

    /// Carries out `command`; returns its return parameters after the status.
    @discardableResult func perform(_ command: HCICommand) async throws(HCIError) -> ByteReader {
        do { try await turns.acquire() } catch { throw .cancelled }
        defer { turns.release() }
        return try await answer(to: command)
    }

    /// Carries out `command` until it is complete: until an event for which `completion` returns a status, or the end of
    /// the link.
    func perform(_ command: HCICommand, until completion: @escaping Completion) async throws(HCIError) {
        do { try await turns.acquire() } catch { throw .cancelled }
        defer { turns.release() }
        let end = OneShot<HCIStatus>()
        let handle = command.handle
        // Set before the command is sent: its completion may arrive together with its status.
        state.withLock {
            $0.awaited = (
                { event in
                    if case .disconnectionComplete(handle, let reason) = event {
                        reason
                    } else {
                        completion(event)
                    }
                }, end
            )
        }
        defer { state.withLock { $0.awaited = nil } }
        _ = try await answer(to: command)
        let status = try await value(of: end, within: Self.procedureLimit, of: command)
        guard status == .success else { throw .refused(status, command: command.name) }
    }

    private func answer(to command: HCICommand) async throws(HCIError) -> ByteReader {
        let answer = OneShot<(HCIStatus, [UInt8])>()
        let isClosed = state.withLock { state in
            state.pending = (command.opcode, answer)
            return state.isClosed
        }
        defer { state.withLock { $0.pending = nil } }
        guard !isClosed else { throw .closed }
        do throws(BearerError) { try await bearer.send(command.packet) } catch {
            switch error {
            case .cancelled: throw .cancelled
            case .system(_, errno: EPERM): throw .notPermitted
            case .closed, .system: throw .closed
            }
        }
        let (status, parameters) = try await value(of: answer, within: Self.commandLimit, of: command)
        guard status == .success else { throw .refused(status, command: command.name) }
        return ByteReader(parameters)
    }

    private func value<Value: Sendable>(
        of signal: OneShot<Value>, within limit: Duration, of command: HCICommand
    ) async throws(HCIError) -> Value {
        let value: Value??
        do { value = try await time.within(limit) { await signal.value() } } catch { throw .cancelled }
        switch value {
        case .some(.some(let value)): return value
        case .some(.none): throw Task.isCancelled ? .cancelled : .closed
        case .none: throw .noAnswer(command: command.name)
        }
    }
}

enum HCIError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The controller refused, or the command completed with an error.
    case refused(HCIStatus, command: String)
    case noAnswer(command: String)
    /// `CAP_NET_RAW` is missing.
    case notPermitted
    case closed, cancelled

    var description: String {
        switch self {
        case .refused(let status, let command): "\(command): \(status)"
        case .noAnswer(let command): "the controller does not answer \(command)"
        case .notPermitted: "CAP_NET_RAW is missing"
        case .closed: "the HCI channel is closed"
        case .cancelled: "cancelled"
        }
    }
}
