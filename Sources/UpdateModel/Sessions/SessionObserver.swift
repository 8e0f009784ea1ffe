public import Bluetooth

/// An observer of a session.
public protocol SessionObserver<Notice> {
    /// A notice of the dialogue.
    associatedtype Notice: Sendable

    /// Handles a notice of the dialogue. The next command waits until this returns, and is not carried out if it
    /// throws.
    mutating func note(_ notice: Notice) async throws
    /// Handles a `value` that was read.
    mutating func read(_ source: Characteristic, _ value: [UInt8])
    /// Records `length` as time limited by `limit`.
    mutating func book(_ length: Duration, to limit: SpeedLimit)
    /// Records `count` sent bytes of `payload`, up to `position`. `isUnanswered`: the device does not confirm
    /// accepted blocks.
    mutating func sent(_ count: Int, upTo position: Int, in payload: PayloadSpan, isUnanswered: Bool)
}

/// An observer that ignores everything.
public struct SilentObserver<Notice: Sendable>: SessionObserver {
    public init() {}
    public func note(_ notice: Notice) {}
    public func read(_ source: Characteristic, _ value: [UInt8]) {}
    public func book(_ length: Duration, to limit: SpeedLimit) {}
    public func sent(_ count: Int, upTo position: Int, in payload: PayloadSpan, isUnanswered: Bool) {}
}
