public import BluetoothTypes

/// The battery and firmware version that a beacon advertises. What none of its frames says is nil, never a guess
/// (docs/formats/beacon-frames.md).
public struct AdvertisedState: Hashable, Sendable {
    /// Its battery.
    public var charge = BatteryCharge()
    /// The version of its firmware, in the frame's own words.
    public var version: String?

    /// Nothing known.
    public init() {}

    /// The state in one frame.
    init(_ charge: BatteryCharge, version: String? = nil) {
        self.charge = charge
        self.version = version
    }

    /// The state in `data`, which is all that was heard of the device at `address`. Of two frames that contradict each
    /// other the later one counts.
    public init(_ data: AdvertisingData, from address: DeviceAddress) {
        self.init()
        for element in data.elements {
            guard let frame = Self.frame(element, in: data, address) else { continue }
            charge.update(with: frame.charge)
            version = frame.version ?? version
        }
    }

    /// Adds the state in a later report of the device at `address`. Some beacons send frames in turn that replace each
    /// other in what is kept of all reports; `services` are those of all of them.
    public mutating func hear(
        _ report: AdvertisingData, from address: DeviceAddress, services: [BluetoothUUID]
    ) {
        var report = report
        report.elements.insert(.services(services, complete: false), at: 0)
        let later = AdvertisedState(report, from: address)
        charge.update(with: later.charge)
        version = later.version ?? version
    }

    private static func frame(
        _ element: AdvertisingData.Element, in data: AdvertisingData, _ address: DeviceAddress
    ) -> AdvertisedState? {
        switch element {
        case .serviceData(BluetoothUUID(0xFEAA), let bytes): eddystone(bytes) ?? kBeacon(bytes)
        case .serviceData(BluetoothUUID(0x2080), let bytes): kBeaconExtension(bytes)
        case .serviceData(BluetoothUUID(0xD00D), let bytes): kontaktClassic(bytes)
        case .serviceData(BluetoothUUID(0xFE6A), let bytes): kontaktSecure(bytes)
        case .serviceData(BluetoothUUID(0xFE9A), let bytes): estimoteTelemetry(bytes)
        case .serviceData(BluetoothUUID(0xFFF0), let bytes): feasycom(bytes, data.leftover, address)
        case .serviceData(BluetoothUUID(0x180F), let bytes): batteryService(bytes)
        case .manufacturer(0x0A53, let bytes): kBeacon(bytes)
        case .manufacturer(0x015D, let bytes): nearable(bytes)
        case .manufacturer(0x00D2, let bytes):
            data.services.contains(BluetoothUUID(0xFEF5)) ? aSensor(bytes) : nil
        default: nil
        }
    }

    /// The Battery Level characteristic's value as service data (Battery Service 1.1, 3.1; Core Specification
    /// Supplement, Part A, 1.11): one byte of percent.
    private static func batteryService(_ bytes: [UInt8]) -> AdvertisedState? {
        bytes.count == 1 ? AdvertisedState(BatteryCharge(percentByte: bytes[0])) : nil
    }
}
