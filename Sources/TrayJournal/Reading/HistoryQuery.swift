public import Identity
public import Tray

/// Selects attempts that match every value that is not nil.
public struct HistoryQuery: Hashable, Sendable {
    /// How a file is identified.
    public enum File: Hashable, Sendable {
        /// The beginning of its SHA-256, or all of it, in lower-case hexadecimal.
        case sha256(String)
        /// Its path, or its name alone.
        case path(String)
    }

    /// The unit, as identified by the tray, by adverts or by the vendor.
    public var device: DeviceSelector?
    /// The file to install.
    public var file: File?
    /// The work order's number.
    public var orderNumber: String?
    /// The bench's name.
    public var station: String?
    /// The operator's name.
    public var operatorName: String?
    /// The run, by its id or the beginning of its id.
    public var run: String?
    /// Only attempts that began at this time or later.
    public var since: RecordedTime?
    /// Only attempts that began before this time.
    public var until: RecordedTime?
    /// The attempt's outcome is one of these; an attempt that was cut off has none. Empty for any.
    public var outcomes: Set<Outcome> = []
    /// Whether the beacons were simulated.
    public var isSimulated: Bool?

    /// Selects all attempts.
    public init() {}
}
