import Synchronization

/// One value on its way from whoever has it to whoever waits for it, whichever comes first.
///
/// The explicit `arrived` state keeps a value that comes before anybody waits.
public final class OneShot<Value: Sendable>: Sendable {
    private enum State: Sendable {
        case open
        case awaited(CheckedContinuation<Value?, Never>)
        case arrived(Value?)
        case over
    }

    private let state = Mutex(State.open)

    /// Nothing there, nobody waiting.
    public init() {}

    /// Hands over the value; nil when none will come. Only the first call counts.
    public func settle(_ value: Value?) {
        let waiter = state.withLock { state -> CheckedContinuation<Value?, Never>? in
            switch state {
            case .open: state = .arrived(value)
            case .awaited(let waiter):
                state = .over
                return waiter
            case .arrived, .over: break
            }
            return nil
        }
        waiter?.resume(returning: value)
    }

    /// The value; nil when none will come, or when the task is cancelled.
    public func value() async -> Value? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let early = state.withLock { state -> Value?? in
                    switch state {
                    case .open where Task.isCancelled: return .some(nil)
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
            settle(nil)
        }
    }
}
