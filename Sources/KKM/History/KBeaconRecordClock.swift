/// Converts the times of a KBeacon's records (kbeacon.md, Records).
///
/// Beacons count from 1970 once their clock was set, and before that from power-on.
public struct KBeaconRecordClock: Equatable, Sendable {
    /// A clock that was set is not before this: 30 years of 365 days after 1970.
    private static let firstSet: UInt32 = 946_080_000

    private let theirs: UInt32
    private let ours: UInt32

    /// The beacon's clock was at `theirs` when ours was at `ours`, in seconds since 1970.
    public init(_ theirs: UInt32, at ours: UInt32) { (self.theirs, self.ours) = (theirs, ours) }

    /// The time since 1970 for `time`; nil if it is unknown: the beacon's clock was set, or the beacon was
    /// switched off, after it recorded that.
    public func wallTime(of time: UInt32) -> UInt32? {
        if time >= Self.firstSet { return time }
        guard theirs < Self.firstSet, time <= theirs, theirs - time <= ours else { return nil }
        return ours - (theirs - time)
    }
}
