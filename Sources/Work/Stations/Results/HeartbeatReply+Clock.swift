extension HeartbeatReply {
    /// Whether the station's clock and the work server's differ by more than a minute, so that times in reports are
    /// misleading.
    public var isClockWrong: Bool { abs(clockAhead / .seconds(1)) > 60 }
}
