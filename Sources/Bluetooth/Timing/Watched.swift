import Synchronization

/// A value, and the tasks that wait until it fulfils a condition.
package final class Watched<Value: Sendable>: Sendable {
    private struct State: Sendable {
        var value: Value
        var waiting: [OneShot<Void>] = []
    }

    private let state: Mutex<State>

    package init(_ value: Value) { state = Mutex(State(value: value)) }

    package var value: Value { state.withLock { $0.value } }

    package func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        let (result, waiting) = state.withLock { state in
            let result = body(&state.value)
            defer { state.waiting = [] }
            return (result, state.waiting)
        }
        for waiter in waiting { waiter.resolve(()) }
        return result
    }

    /// The value once it fulfils `condition`; throws only when the task is cancelled while it waits.
    package func value(once condition: (Value) -> Bool) async throws(CancellationError) -> Value {
        while true {
            let change = OneShot<Void>()
            let value = state.withLock { state -> Value? in
                if condition(state.value) { return state.value }
                state.waiting.append(change)
                return nil
            }
            if let value { return value }
            _ = await change.value()
            guard !Task.isCancelled else { throw CancellationError() }
        }
    }
}
