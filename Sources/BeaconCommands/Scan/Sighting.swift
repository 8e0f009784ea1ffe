import BeaconIdentity
import BluetoothTypes
import NordicDFU

/// A beacon as a scan has heard it: all its reports together, advertisements and scan responses.
struct Sighting: Equatable, Sendable {
    let address: DeviceAddress
    /// When the first report came.
    let firstSeen: Duration
    /// When the latest one came.
    private(set) var lastSeen: Duration
    /// How many came.
    private(set) var reports = 0
    private(set) var strength = SignalStrength()
    /// Whether it takes connections; nil before a report has said so or otherwise.
    private(set) var isConnectable: Bool?
    private(set) var data = AdvertisingData()
    /// What its frames say of its battery and its firmware.
    private(set) var state = AdvertisedState()
    private var arrivals: IntervalEstimate?

    /// The first report of a device, at `moment`. `isComplete`: the adapter passes every report on, so that
    /// their distance means something.
    init(_ report: Advertisement, at moment: Duration, isComplete: Bool = false) {
        address = report.address
        firstSeen = moment
        lastSeen = moment
        arrivals = isComplete ? IntervalEstimate() : nil
        add(report, at: moment)
    }

    /// Another report of the same device.
    mutating func add(_ report: Advertisement, at moment: Duration) {
        lastSeen = moment
        reports += 1
        strength.add(report.rssi)
        isConnectable = Advertisement.merged(connectable: isConnectable, report.isConnectable)
        data = data.merged(with: report.data)
        state.hear(report.data, from: address, services: data.services)
        arrivals?.add(at: moment)
    }

    var rssi: Int8? { strength.last }

    /// How often it advertises; nil where that cannot be told.
    var advertisingInterval: Duration? { arrivals?.value }

    /// Whether it offers Nordic's DFU service to whoever scans, which bootloaders do.
    var isBootloader: Bool {
        data.services.contains(SecureService.uuid) || data.services.contains(LegacyService.uuid)
    }

    /// What runs on it.
    var mode: Mode { isBootloader ? .bootloader : .application }

    enum Mode: String, Sendable, CaseIterable {
        case bootloader
        case application
    }
}
