import Synchronization

/// Passes one value from a sender to a receiver, in whichever order they arrive.
///
/// The explicit `arrived` state keeps a value that arrives before the receiver waits.
public final class OneShot<Value: Sendable>: Sendable {
    private enum State: Sendable {
        case open
        case awaited(CheckedContinuation<Value?, Never>)
        case arrived(Value?)
        case over
    }

    private let state = Mutex(State.open)

    /// Creates it without a value and without a receiver.
    public init() {}

    /// Hands over the value; nil if none will come. Only the first call counts.
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

    /// The value; nil if none will come, or when the task is cancelled.
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
