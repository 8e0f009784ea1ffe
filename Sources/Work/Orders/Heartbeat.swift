package import Tray

package struct HeartbeatReply: Hashable, Sendable {
    /// The number up to which the work server has all results of this journal: later ones are sent again.
    package var contiguous: Int64
    /// How far the station's wall clock is ahead of the work server's; negative if it is behind.
    package var clockAhead: Duration
    /// Why this station gets no work: its program is too old or too new for the work server. Nil if it gets work. Its
    /// results are accepted in any case.
    package var claimRefusal: WorkError?

    package init(contiguous: Int64, clockAhead: Duration = .zero, claimRefusal: WorkError? = nil) {
        (self.contiguous, self.clockAhead, self.claimRefusal) = (contiguous, clockAhead, claimRefusal)
    }
}

package struct StationReport: Hashable, Sendable {
    package var station: StationIdentity
    package var program: String
    /// The number of the latest result in the station's journal; 0 for none.
    package var lastSequence: Int64
    /// The number of results not yet accepted.
    package var waiting: Int
    /// When the oldest of these results was recorded; nil if none waits.
    package var oldestWaiting: RecordedTime?
    package var catalogue: Int64?
    /// The station's wall clock, used only to measure how far it is ahead.
    package var clock: RecordedTime

    package init(
        _ station: StationIdentity, program: String, lastSequence: Int64, waiting: Int = 0,
        oldestWaiting: RecordedTime? = nil, catalogue: Int64? = nil, clock: RecordedTime
    ) {
        (self.station, self.program, self.lastSequence) = (station, program, lastSequence)
        (self.waiting, self.oldestWaiting) = (waiting, oldestWaiting)
        (self.catalogue, self.clock) = (catalogue, clock)
    }
}

extension HeartbeatReply {
    /// Whether the station's clock and the work server's differ by more than a minute, so that times in reports are
    /// misleading.
    package var isClockWrong: Bool { abs(clockAhead / .seconds(1)) > 60 }

    /// A clock that is `ahead` of a work server's, in words that end before the name of the server.
    package static func words(clockAhead ahead: Duration) -> String {
        let seconds = "\(abs(Int(ahead / .seconds(1)))) s \(ahead > .zero ? "fast" : "slow")"
        return "this machine's clock is \(seconds) compared with the"
    }
}
