package import Bluetooth
import Bytes

/// The facts that one frame reports about its beacon. A fact that it does not report is nil or empty.
package struct FrameFacts: Equatable, Sendable {
    /// The model's name: from the frame, or the known name for the model's number.
    package var model: String?
    /// The model's number; each maker has its own numbers.
    package var modelNumber: Int?
    /// The maker's unique id: an address or a text in the frame; never an id that changes.
    package var id: String?
    /// The firmware version, as in the frame.
    package var version: String?
    /// The hardware version, as in the frame.
    package var hardwareVersion: String?
    package var charge: BatteryCharge
    /// The transmission power in dBm.
    package var txPower: Int?
    package var number: ProximityIdentity?
    /// Major and minor of an iBeacon whose UUID is not in the frame.
    package var majorAndMinor: MajorAndMinor?
    package var url: String?
    /// The version of Eddystone's telemetry: 0 plain, 1 encrypted.
    package var telemetryVersion: Int?
    /// The received power in dBm at a distance of 1 m.
    package var measuredPower: Int8?
    package var sensors: [SensorValue]
    package var flags: [String: Bool]
    /// Why only part of the frame was parsed.
    package var flaw: FrameError?
    /// Whether only beacons of the maker's second generation send such a frame.
    package var isSecondGeneration: Bool

    @inlinable package init(
        model: String? = nil, modelNumber: Int? = nil, id: String? = nil, version: String? = nil,
        hardwareVersion: String? = nil, charge: BatteryCharge = BatteryCharge(), txPower: Int? = nil,
        number: ProximityIdentity? = nil, majorAndMinor: MajorAndMinor? = nil, url: String? = nil,
        telemetryVersion: Int? = nil, measuredPower: Int8? = nil, sensors: [SensorValue] = [],
        flags: [String: Bool] = [:], flaw: FrameError? = nil, isSecondGeneration: Bool = false
    ) {
        (self.model, self.modelNumber, self.id) = (model, modelNumber, id)
        (self.version, self.hardwareVersion, self.charge) = (version, hardwareVersion, charge)
        (self.txPower, self.measuredPower, self.number) = (txPower, measuredPower, number)
        (self.majorAndMinor, self.url, self.telemetryVersion) = (majorAndMinor, url, telemetryVersion)
        (self.sensors, self.flags, self.flaw) = (sensors, flags, flaw)
        self.isSecondGeneration = isSecondGeneration
    }
}

/// A value that a beacon has measured and advertises.
package struct SensorValue: Hashable, Sendable, CustomStringConvertible {
    /// The measured quantity, in kebab case, for example `temperature`.
    package let name: String
    package let value: Double
    /// The unit's symbol; empty if there is none, or none is published.
    package let unit: String

    @inlinable package init(_ name: String, _ value: Double, _ unit: String) {
        (self.name, self.value, self.unit) = (name, value, unit)
    }

    /// For people, for example `temperature 21.5 °C`.
    package var description: String {
        let rounded = (value * 1000).rounded() / 1000
        let number = rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
        return unit.isEmpty ? "\(name) \(number)" : "\(name) \(number) \(unit)"
    }
}

/// An iBeacon's numbers without its UUID.
package struct MajorAndMinor: Hashable, Sendable {
    /// The group.
    package let major: UInt16
    /// The beacon in the group.
    package let minor: UInt16

    package init(major: UInt16, minor: UInt16) { (self.major, self.minor) = (major, minor) }
}

/// The identity of a beacon in a standard format, with its signal strength.
package struct ProximityIdentity: Hashable, Sendable, CustomStringConvertible {
    /// The identity in the parts of the format.
    package enum Number: Hashable, Sendable {
        case iBeacon(uuid: BluetoothUUID, major: UInt16, minor: UInt16)
        /// A namespace of 10 bytes and an instance of 6 bytes.
        case eddystone(namespace: [UInt8], instance: [UInt8])
        /// An id of 20 bytes; the first 16 are often a UUID.
        case altBeacon(company: UInt16, id: [UInt8])
    }

    package let number: Number
    /// The received power in dBm at a distance of 1 m.
    package let measuredPower: Int8

    package init(_ number: Number, measuredPower: Int8) {
        (self.number, self.measuredPower) = (number, measuredPower)
    }

    /// For example `ibeacon:E2C56DB5-DFFB-48D2-B060-D0F5A71096E0/6454/1458`; parts of other formats are hexadecimal.
    package var description: String {
        switch number {
        case .iBeacon(let uuid, let major, let minor): "ibeacon:\(uuid)/\(major)/\(minor)"
        case .eddystone(let namespace, let instance):
            "eddystone:\(HexText.encode(namespace))/\(HexText.encode(instance))"
        case .altBeacon(_, let id): "altbeacon:\(HexText.encode(id))"
        }
    }
}

/// The battery as a beacon reports it; a value that it does not report is nil. Most beacons report a percentage or a
/// voltage, some both.
package struct BatteryCharge: Hashable, Sendable, CustomStringConvertible {
    /// 0 to 100.
    package var percent: Int?
    package var millivolts: Int?
    /// Whether the beacon has external power.
    package var isExternal = false

    @inlinable package init(percent: Int? = nil, millivolts: Int? = nil, isExternal: Bool = false) {
        (self.percent, self.millivolts, self.isExternal) = (percent, millivolts, isExternal)
    }

    /// A percentage in a byte. Fresh batteries are reported with more than 100, which is reduced to 100.
    @inlinable package init(percentByte: UInt8) { percent = min(Int(percentByte), 100) }

    /// A voltage in millivolts; 0 means unknown.
    @inlinable package init(voltage: some BinaryInteger) { millivolts = voltage > 0 ? Int(voltage) : nil }

    /// Adopts what `later` reports. External power removes the percentage, and a percentage ends external power.
    package mutating func update(with later: BatteryCharge) {
        percent = later.isExternal ? nil : later.percent ?? percent
        millivolts = later.millivolts ?? millivolts
        isExternal = later.isExternal || isExternal && later.percent == nil
    }

    /// For people, for example `80 %, 2900 mV`.
    package var description: String {
        let parts = [percent.map { "\($0) %" }, millivolts.map { "\($0) mV" }].compactMap(\.self)
        if isExternal { return "external power" }
        return parts.isEmpty ? "unknown" : parts.joined(separator: ", ")
    }
}
