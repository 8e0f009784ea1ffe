public import BluetoothTypes

/// Who hears what goes on in a session.
public protocol SessionObserver<Notice> {
    /// What the dialogue lets observers know.
    associatedtype Notice: Sendable

    /// The dialogue has said something; its next command waits until this returns, and is not carried out where
    /// it throws.
    mutating func note(_ notice: Notice) async throws
    /// `value` was read.
    mutating func read(_ source: Characteristic, _ value: [UInt8])
    /// `length` went into `limit`.
    mutating func book(_ length: Duration, to limit: SpeedLimit)
    /// `count` more bytes of payload have left, up to `position` of `total`. `isUnanswered` where the device will not say
    /// block by block what it has accepted.
    mutating func sent(_ count: Int, upTo position: Int, of total: Int, isUnanswered: Bool)
}

/// An observer for a dialogue that nobody watches.
public struct SilentObserver<Notice: Sendable>: SessionObserver {
    /// An observer that forgets everything.
    public init() {}
    /// Forgets it.
    public func note(_ notice: Notice) {}
    /// Forgets it.
    public func read(_ source: Characteristic, _ value: [UInt8]) {}
    /// Forgets it.
    public func book(_ length: Duration, to limit: SpeedLimit) {}
    /// Forgets it.
    public func sent(_ count: Int, upTo position: Int, of total: Int, isUnanswered: Bool) {}
}
