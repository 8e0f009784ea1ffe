package import Tray

package struct StationIdentity: Hashable, Sendable {
    /// Its name, for example `line2-bench3`: letters, digits, `-`, `_` and `.`, at most 64.
    package let name: String
    /// The journal in which its results are numbered: a UUID in lower case, unique to each journal.
    package let incarnation: String
    /// A hash of the machine's id (machine-id(5)): it reveals a copied journal on another machine.
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
    /// The work server has all results of this journal up to this number: later ones are sent again.
    package var contiguous: Int64
    /// How far the station's wall clock is ahead of the work server's.
    package var clockAhead: Duration
    /// Why this station gets no work, though its results are accepted: its program is too old or too new for the work
    /// server; nil if it gets work.
    package var mayNotClaim: WorkError?

    package init(contiguous: Int64, clockAhead: Duration = .zero, mayNotClaim: WorkError? = nil) {
        (self.contiguous, self.clockAhead, self.mayNotClaim) = (contiguous, clockAhead, mayNotClaim)
    }
}

package struct StationReport: Hashable, Sendable {
    package var station: StationIdentity
    package var program: String
    /// The number of the latest result that its journal has; 0 for none.
    package var lastSequence: Int64
    /// The number of results not yet accepted.
    package var waiting: Int
    /// Since when the oldest of them waits; nil if none does.
    package var oldestWaiting: RecordedTime?
    package var catalogue: Int64?
    /// Its wall clock, to measure its offset. Nothing else depends on it.
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
