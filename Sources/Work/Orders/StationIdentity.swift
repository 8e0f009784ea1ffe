package import Tray

package struct StationIdentity: Hashable, Sendable {
    /// The station's name, for example `line2-bench3`: 1 to 64 letters, digits, `-`, `_` and `.`.
    package let name: String
    /// The id of the journal that numbers the station's results: a UUID in lower case.
    package let incarnation: String
    /// A hash of the machine's id (machine-id(5)), which reveals a journal that was copied to another machine.
    package let machine: String

    package init(name: String, incarnation: String, machine: String) {
        (self.name, self.incarnation, self.machine) = (name, incarnation, machine)
    }

    package static func flaw(in name: String) -> String? {
        let isPlain = name.unicodeScalars.allSatisfy { letter in
            switch letter {
            case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".": true
            default: false
            }
        }
        return (1...64).contains(name.utf8.count) && isPlain
            ? nil : "a station's name has 1 to 64 letters, digits, '-', '_' and '.'"
    }
}

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
