public import WorkOrders

extension HeartbeatReply {
    /// Whether the station's clock and the engine's differ by so much that times in reports mislead: by more than a minute.
    public var isClockWrong: Bool { abs(clockAhead / .seconds(1)) > 60 }
}
