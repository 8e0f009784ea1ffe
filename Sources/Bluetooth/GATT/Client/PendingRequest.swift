/// The one request that may be pending (Vol 3, Part F, 3.3.2), whether its answer or its waiter arrives first.
///
/// An actor's `await` lets the answer arrive before the waiter is stored; the explicit `arrived` state keeps
/// that answer.
struct PendingRequest {
    enum Ending: Equatable, Sendable {
        case answer(ATTOpcode, [UInt8])
        case refusal(ATTStatus, handle: UInt16)
        case disconnected
        case timedOut
        case cancelled
    }

    private enum State {
        case none
        case sent(ATTOpcode)
        case awaited(ATTOpcode, CheckedContinuation<Ending, Never>)
        case arrived(Ending)
    }

    private var state = State.none
    /// Counts the requests, so that an old deadline cannot end a later one.
    private(set) var number: UInt64 = 0

    var opcode: ATTOpcode? {
        switch state {
        case .sent(let opcode), .awaited(let opcode, _): opcode
        case .none, .arrived: nil
        }
    }

    mutating func begin(_ opcode: ATTOpcode) {
        number += 1
        state = .sent(opcode)
    }

    /// The limit of the request `number` has passed. Returns whether it was still waiting.
    mutating func expire(_ number: UInt64) -> Bool { number == self.number && settle(.timedOut) }

    /// Whether its limit has passed before its sender waited for the answer.
    var isOverdue: Bool { if case .arrived(.timedOut) = state { true } else { false } }

    /// Its sender waits for the answer, or takes the one that arrived before.
    mutating func await(_ waiter: CheckedContinuation<Ending, Never>) {
        switch state {
        case .sent(let opcode): state = .awaited(opcode, waiter)
        case .arrived(let ending):
            state = .none
            waiter.resume(returning: ending)
        case .none, .awaited: waiter.resume(returning: .disconnected)
        }
    }

    @discardableResult mutating func settle(_ ending: Ending) -> Bool {
        switch state {
        case .sent:
            state = .arrived(ending)
            return true
        case .awaited(_, let waiter):
            state = .none
            waiter.resume(returning: ending)
            return true
        case .none, .arrived: return false
        }
    }

    mutating func abandon() { state = .none }
}
