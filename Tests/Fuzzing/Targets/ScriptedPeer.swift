import Bluetooth
import Synchronization

/// A peer that answers each packet with the next of a script, and disconnects after the last.
final class ScriptedPeer: Bearer {
    private struct State: Sendable {
        var script: ArraySlice<[UInt8]>
        var isOver = false
        var owed = 0
        var waiter: CheckedContinuation<[UInt8]?, Never>?

        /// The next packet, if the client awaits one; nil inside when the link has ended.
        mutating func next() -> [UInt8]?? {
            if isOver || (script.isEmpty && owed > 0) { return .some(nil) }
            guard owed > 0, let packet = script.popFirst() else { return nil }
            owed -= 1
            return packet
        }
    }

    private let state: Mutex<State>

    init(_ script: [[UInt8]]) { state = Mutex(State(script: script[...])) }

    func send(_ packet: [UInt8]) async throws(BearerError) {
        guard state.withLock({ !$0.isOver }) else { throw .closed }
        // A confirmation has no answer.
        guard packet.first != 0x1E else { return }
        settle { $0.owed += 1 }
    }

    func receive() async throws(BearerError) -> [UInt8]? {
        await withCheckedContinuation { waiter in
            let ready = state.withLock { state -> [UInt8]?? in
                if let next = state.next() { return next }
                state.waiter = waiter
                return nil
            }
            if let ready { waiter.resume(returning: ready) }
        }
    }

    func close() { settle { $0.isOver = true } }

    private func settle(_ change: (inout State) -> Void) {
        let (waiter, packet) = state.withLock { state -> (CheckedContinuation<[UInt8]?, Never>?, [UInt8]?) in
            change(&state)
            guard state.waiter != nil, let next = state.next() else { return (nil, nil) }
            defer { state.waiter = nil }
            return (state.waiter, next)
        }
        waiter?.resume(returning: packet)
    }
}
