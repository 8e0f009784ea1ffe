public import BluetoothTypes

/// All reports of one device together, advertisements and scan responses.
public struct Sighting: Equatable, Sendable {
    /// The device's address.
    public let address: DeviceAddress
    /// When the first report came, by the adapter's time.
    public let firstSeen: Duration
    /// When the latest one came.
    public private(set) var lastSeen: Duration
    /// How many reports came.
    public private(set) var reports = 0
    /// How strong they were.
    public private(set) var strength = SignalStrength()
    /// Whether it takes connections; nil before a report has said so or otherwise.
    public private(set) var isConnectable: Bool?
    /// The data of all reports together.
    public private(set) var data = AdvertisingData()
    /// Whether a scan response by itself was heard.
    public private(set) var hasAnswered = false
    private var arrivals: IntervalEstimate?

    /// A name may stand in the scan response only, and where many beacons are a scanner's requests and their answers are lost
    /// again and again: so long after it was heard first, a device that has said no name is taken for one that has none.
    public static let nameTimeout = Duration.seconds(5)

    /// The first report of a device, at `moment`. `isComplete`: the adapter passes every report on, so that the time
    /// between two means something.
    public init(_ report: Advertisement, at moment: Duration, isComplete: Bool = false) {
        address = report.address
        arrivals = isComplete ? IntervalEstimate() : nil
        firstSeen = moment
        lastSeen = moment
        add(report, at: moment)
    }

    /// Another report of the same device.
    public mutating func add(_ report: Advertisement, at moment: Duration) {
        lastSeen = moment
        reports += 1
        strength.add(report.rssi)
        hasAnswered = hasAnswered || report.isConnectable == nil
        isConnectable = Advertisement.merged(connectable: isConnectable, report.isConnectable)
        data = data.merged(with: report.data)
        arrivals?.add(at: moment)
    }

    /// How often it advertises; nil where that cannot be told.
    public var advertisingInterval: Duration? { arrivals?.value }

    /// Whether it may have a name that was not heard yet, as far as was listened to it.
    public var mayHaveName: Bool {
        data.name == nil && !hasAnswered && lastSeen - firstSeen < Self.nameTimeout
    }

    /// The sighting as one report.
    public var report: Advertisement {
        Advertisement(address: address, rssi: strength.last, isConnectable: isConnectable, data: data)
    }
}
