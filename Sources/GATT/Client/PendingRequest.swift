/// The one request that may be under way (Vol 3, Part F, 3.3.2), whichever of its answer and its waiter
/// comes first.
///
/// An actor's `await` lets the answer arrive before the waiter is stored; the explicit `arrived` state is
/// what keeps that answer.
struct PendingRequest {
    /// What ended a request.
    enum Ending: Equatable, Sendable {
        case answer(ATTOpcode, [UInt8])
        case refusal(ATTStatus, handle: UInt16)
        case disconnected
        /// The limit has passed.
        case timedOut
        /// Its sender does not want the answer any more.
        case cancelled
    }

    private enum State {
        case none
        case sent(ATTOpcode)
        case awaited(ATTOpcode, CheckedContinuation<Ending, Never>)
        case arrived(Ending)
    }

    private var state = State.none
    /// Counts the requests, so that an old deadline ends no later one.
    private(set) var number: UInt64 = 0

    /// The opcode of the request under way.
    var opcode: ATTOpcode? {
        switch state {
        case .sent(let opcode), .awaited(let opcode, _): opcode
        case .none, .arrived: nil
        }
    }

    /// A request leaves.
    mutating func begin(_ opcode: ATTOpcode) {
        number += 1
        state = .sent(opcode)
    }

    /// The limit of the request `number` has passed. Whether it still waits.
    mutating func expire(_ number: UInt64) -> Bool { number == self.number && settle(.timedOut) }

    /// Whether its limit has passed before anybody waited for the answer.
    var isOverdue: Bool { if case .arrived(.timedOut) = state { true } else { false } }

    /// Its sender waits for the answer, or takes the one that came before it waited.
    mutating func await(_ waiter: CheckedContinuation<Ending, Never>) {
        switch state {
        case .sent(let opcode): state = .awaited(opcode, waiter)
        case .arrived(let ending):
            state = .none
            waiter.resume(returning: ending)
        case .none, .awaited: waiter.resume(returning: .disconnected)
        }
    }

    /// The answer is here. Whether anybody had asked.
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

    /// Nobody waits any more.
    mutating func abandon() { state = .none }
}
