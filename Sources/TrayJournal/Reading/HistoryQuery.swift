public import BeaconIdentity
public import Tray

/// Which attempts are asked for; those that meet everything that is not nil.
public struct HistoryQuery: Hashable, Sendable {
    /// By what a file is known.
    public enum File: Hashable, Sendable {
        /// The beginning of its SHA-256, or all of it, in lower-case hexadecimal.
        case sha256(String)
        /// Where it was, or its name alone.
        case path(String)
    }

    /// The unit, by what the tray, the air or the vendor says of it.
    public var device: DeviceSelector?
    /// The file that it was to get.
    public var file: File?
    /// The work order.
    public var orderNumber: String?
    /// The bench.
    public var station: String?
    /// Who worked at it.
    public var operatorName: String?
    /// The run, by its id or its beginning.
    public var run: String?
    /// Begun then or later.
    public var since: RecordedTime?
    /// Begun before then.
    public var until: RecordedTime?
    /// How the attempt has ended, one of these; one that was cut off has not. Empty for any.
    public var outcomes: Set<Outcome> = []
    /// Whether the beacons were simulated.
    public var isSimulated: Bool?

    /// All attempts.
    public init() {}
}
