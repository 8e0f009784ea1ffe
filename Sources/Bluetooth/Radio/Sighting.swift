/// All reports of one device combined, advertisements and scan responses.
public struct Sighting: Equatable, Sendable {
    /// The device's address.
    public let address: DeviceAddress
    /// When the first report arrived, by the adapter's clock.
    public let firstSeen: Duration
    /// When the latest report arrived.
    public private(set) var lastSeen: Duration
    /// The number of reports.
    public private(set) var reports = 0
    /// The signal strength of the reports.
    public private(set) var strength = SignalStrength()
    /// Whether it is connectable; nil until a report tells.
    public private(set) var isConnectable: Bool?
    /// The combined data of all reports.
    public private(set) var data = AdvertisingData()
    /// Whether a scan response by itself was heard.
    public private(set) var hasAnswered = false
    private var arrivals: IntervalEstimate?

    /// A name may be in the scan response only, and among many beacons a scanner's requests and the responses
    /// are often lost. A device without a name this long after it was first heard is assumed to have none.
    public static let nameTimeout = Duration.seconds(5)

    /// The first report of a device, at `moment`. `isComplete`: the adapter reports every advertisement, so
    /// that the time between two is meaningful.
    public init(_ report: Advertisement, at moment: Duration, isComplete: Bool = false) {
        address = report.address
        arrivals = isComplete ? IntervalEstimate() : nil
        firstSeen = moment
        lastSeen = moment
        add(report, at: moment)
    }

    /// Adds another report of the same device.
    public mutating func add(_ report: Advertisement, at moment: Duration) {
        lastSeen = moment
        reports += 1
        strength.add(report.rssi)
        hasAnswered = hasAnswered || report.isConnectable == nil
        isConnectable = Advertisement.merged(connectable: isConnectable, report.isConnectable)
        data = data.merged(with: report.data)
        arrivals?.add(at: moment)
    }

    /// How often it advertises; nil if that cannot be estimated.
    public var advertisingInterval: Duration? { arrivals?.value }

    /// Whether it may have a name that was not heard yet, given how long it was listened to.
    public var mayHaveName: Bool {
        data.name == nil && !hasAnswered && lastSeen - firstSeen < Self.nameTimeout
    }

    /// The sighting as a single report.
    public var report: Advertisement {
        Advertisement(address: address, rssi: strength.last, isConnectable: isConnectable, data: data)
    }
}
