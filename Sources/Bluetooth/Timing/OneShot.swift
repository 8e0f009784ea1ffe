import Synchronization

/// A promise of one value: a sender resolves it, before or after its only receiver begins to wait.
public final class OneShot<Value: Sendable>: Sendable {
    private enum State: Sendable {
        case open
        case awaited(CheckedContinuation<Value?, Never>)
        case arrived(Value?)
        case over
    }

    private let state = Mutex(State.open)

    public init() {}

    /// Hands over the value; nil if none will come. Only the first call counts.
    public func resolve(_ value: Value?) { _ = resolveFirst(value) }

    /// Like `resolve`; returns whether it was the first call.
    func resolveFirst(_ value: Value?) -> Bool {
        let (isFirst, waiter) = state.withLock { state -> (Bool, CheckedContinuation<Value?, Never>?) in
            switch state {
            case .open:
                state = .arrived(value)
                return (true, nil)
            case .awaited(let waiter):
                state = .over
                return (true, waiter)
            case .arrived, .over: return (false, nil)
            }
        }
        waiter?.resume(returning: value)
        return isFirst
    }

    /// The value if it has arrived, but its receiver does not wait yet; otherwise nil.
    var arrived: Value? { state.withLock { if case .arrived(let value) = $0 { value } else { nil } } }

    /// The value; nil if none will come, or when the task is cancelled.
    public func value() async -> Value? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let early = state.withLock { state -> Value?? in
                    switch state {
                    case .open where Task.isCancelled:
                        // Set before the handler runs: a sender in between learns that nobody takes its value.
                        state = .over
                        return .some(nil)
                    case .open:
                        state = .awaited(waiter)
                        return nil
                    case .arrived(let value):
                        state = .over
                        return .some(value)
                    case .awaited, .over: return .some(nil)
                    }
                }
                if let early { waiter.resume(returning: early) }
            }
        } onCancel: {
            resolve(nil)
        }
    }
}

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
