package import Bluetooth
import Bytes
import Glibc

/// A beacon's identity and firmware, merged from all its frames. What none of them reports is nil, never a
/// guess (docs/formats/beacon-frames.md); of two frames that contradict each other the later one counts.
///
/// The memory for one beacon is bounded, whatever it sends.
package struct AdvertisedIdentity: Equatable, Sendable {
    /// What frames may still have to report before the identity is complete.
    package enum Part: String, CaseIterable, Sendable {
        case name
        case version
        case battery
        case id
    }

    /// The sender's address.
    package let address: DeviceAddress
    /// Its advertised name.
    package internal(set) var name: String?
    /// The model's name, if a frame reports it or its number has one.
    package internal(set) var model: String?
    /// The model's number; each maker has its own numbers.
    package internal(set) var modelNumber: Int?
    /// The maker's unique id: an address in a frame, or a text; never a changing one.
    package internal(set) var id: String?
    /// The firmware version, as in the frame.
    package internal(set) var version: String?
    /// The hardware version, as in the frame.
    package internal(set) var hardwareVersion: String?
    /// Its battery.
    package internal(set) var charge = BatteryCharge()
    /// Its transmit power in dBm, according to its frames.
    package internal(set) var txPower: Int?
    /// The identities of standard formats that it has sent, the latest last.
    package internal(set) var numbers: [ProximityIdentity] = []
    /// Major and minor of its iBeacon, if KKM's scan response reports them.
    package internal(set) var majorAndMinor: MajorAndMinor?
    /// The web address that it sent last, as Eddystone.
    package internal(set) var url: String?
    /// The version of the Eddystone telemetry that it sent last: 0 plain, 1 encrypted.
    package internal(set) var telemetryVersion: Int?
    /// Its measured values, each as last heard.
    package internal(set) var sensors: [SensorValue] = []
    /// The kinds of frames that were parsed completely.
    package internal(set) var frames: Set<FrameKind> = []
    /// The errors in recognised frames, the latest last.
    package internal(set) var flaws: [FrameError] = []
    /// The contradictions between frames, for example `version 6.20, then 6.21`; the latest last.
    package internal(set) var contradictions: [String] = []

    /// The signal strength at 1 m according to its latest frame.
    var measuredPower: Int8?
    var raisedFlags: Set<String> = []
    /// Whether it advertises the update service FEF5, without which company 00D2 does not identify an ASensor.
    var hostsFEF5 = false
    /// Whether it sent a frame that only KBeacons of the second generation send.
    package internal(set) var isSecondGeneration = false

    /// An empty identity for the beacon at `address`.
    package init(of address: DeviceAddress) { self.address = address }

    /// The identity from `data` alone, for the beacon at `address`.
    package init(_ data: AdvertisingData, from address: DeviceAddress) {
        self.init(of: address)
        hear(data)
    }

    /// Its family, according to its frames.
    package var family: Family {
        Family.allCases.first { family in frames.contains { $0.family == family } } ?? .unknown
    }

    /// Its maker; nil if its frames do not tell.
    package var maker: Maker? { family.maker }

    /// Its flags, such as `pin-needed`, `moving` and `firmware-error`, sorted.
    package var flags: [String] { raisedFlags.sorted() }

    /// Its estimated distance, if it is heard with `rssi` dBm; nil if its frames do not report its power.
    package func distance(rssi: Int8) -> DistanceEstimate? {
        measuredPower.flatMap { DistanceEstimate(rssi: rssi, measuredPower: $0) }
    }
}

extension AdvertisedIdentity {
    /// What beacons of its family advertise and this one has not sent yet; empty if nothing more is expected.
    package var missing: [Part] { expected.filter { !has($0) } }

    /// Whether nothing more is expected of its frames.
    package var isComplete: Bool { missing.isEmpty }

    /// What its family advertises sooner or later. Standard formats carry no version, and guarantee nothing else.
    private var expected: [Part] {
        switch family {
        case .kontakt: frames.contains(.kontaktShuffled) ? [.version, .battery] : [.version, .battery, .id]
        case .estimote: [.battery, .id]
        case .nearable, .aSensor, .feasycom: [.version, .id]
        case _ where hasSystemFrame: [.version, .battery, .id]
        case .kkm: [.battery]
        case .kkmOld, .orangeTag, .iBeacon, .eddystone, .altBeacon, .unknown: []
        }
    }

    private func has(_ part: Part) -> Bool {
        switch part {
        case .name: name != nil
        case .version: version != nil
        case .battery: charge != BatteryCharge()
        case .id: id != nil
        }
    }

    /// Whether it is a KBeacon with a system frame among its rotating frames. The name is the factory default
    /// of such beacons, and unlikely for others.
    private var hasSystemFrame: Bool {
        isSecondGeneration || name?.hasPrefix("KBPro") == true
            || address.kind == .public && address.bytes.starts(with: KKMSystem.prefix)
    }
}

extension AdvertisedIdentity {
    /// How many of its `numbers`, `flaws` and `contradictions` are remembered: a KBeacon whose button is used
    /// has six iBeacons.
    static let mostRemembered = 8

    /// Adds the content of a report.
    package mutating func hear(_ data: AdvertisingData) {
        // Before the frames, in whatever order they were sent: other frames depend on these services.
        for case .services(let list, _) in data.elements where list.contains(.fef5) { hostsFEF5 = true }
        for element in data.elements { take(element, of: data) }
    }

    private mutating func take(_ element: AdvertisingData.Element, of data: AdvertisingData) {
        switch element {
        case .name(let text, let complete):
            // A shortened name is a prefix of the complete one.
            if complete || name?.hasPrefix(text) != true { name = text }
        case .txPower(let power): txPower = Int(power)
        default: break
        }
        do throws(FrameError) {
            guard let frame = try BeaconFrame(element, of: data, from: address, besideFEF5: hostsFEF5) else {
                return
            }
            frames.insert(frame.kind)
            isSecondGeneration = isSecondGeneration || frame.isSecondGeneration(in: element)
            merge(frame.facts)
        } catch { Self.remember(error, in: &flaws) }
    }

    private mutating func merge(_ facts: FrameFacts) {
        change(\.id, to: facts.id, "id")
        change(\.model, to: facts.model, "model")
        change(\.modelNumber, to: facts.modelNumber, "model number")
        change(\.version, to: facts.version, "version")
        change(\.hardwareVersion, to: facts.hardwareVersion, "hardware version")
        charge.update(with: facts.charge)
        txPower = facts.txPower ?? txPower
        measuredPower = facts.measuredPower ?? measuredPower
        majorAndMinor = facts.majorAndMinor ?? majorAndMinor
        url = facts.url ?? url
        telemetryVersion = facts.telemetryVersion ?? telemetryVersion
        if let number = facts.number {
            numbers.removeAll { $0.number == number.number }
            Self.remember(number, in: &numbers)
        }
        for value in facts.sensors {
            if let known = sensors.firstIndex(where: { $0.name == value.name }) {
                sensors[known] = value
            } else {
                sensors.append(value)
            }
        }
        for (word, holds) in facts.flags {
            if holds { raisedFlags.insert(word) } else { raisedFlags.remove(word) }
        }
        if let flaw = facts.flaw { Self.remember(flaw, in: &flaws) }
    }

    private mutating func change<Value: Equatable>(
        _ part: WritableKeyPath<AdvertisedIdentity, Value?>, to value: Value?, _ word: String
    ) {
        guard let value, self[keyPath: part] != value else { return }
        if let before = self[keyPath: part] {
            Self.remember("\(word) \(before), then \(value)", in: &contradictions)
        }
        self[keyPath: part] = value
    }

    private static func remember<Value: Equatable>(_ value: Value, in list: inout [Value]) {
        list.removeAll { $0 == value }
        if list.count == mostRemembered { list.removeFirst() }
        list.append(value)
    }
}

/// The distance of a beacon, estimated from its signal strength and that at 1 m.
///
/// The log-distance path loss model with the exponent 2 of free space: d = 10^((P − RSSI) / 20), with P the
/// power at 1 m. Walls, bodies and metal make it wrong by a factor of two or more: use it for sorting, not for
/// measuring.
package struct DistanceEstimate: Hashable, Sendable {
    /// Apple's terms for distances.
    package enum Proximity: String, CaseIterable, Sendable {
        /// Up to half a metre.
        case immediate
        /// Up to three metres.
        case near
        /// Farther away.
        case far
    }

    /// In metres.
    package let metres: Double

    /// The estimate for `rssi` dBm from a beacon with `measuredPower` dBm at 1 m; nil if a value is invalid:
    /// receivers report no reading of 0 dBm or above.
    package init?(rssi: Int8, measuredPower: Int8) {
        guard rssi < 0, measuredPower < 0 else { return nil }
        metres = pow(10, Double(Int(measuredPower) - Int(rssi)) / 20)
    }

    /// The term for the distance.
    package var proximity: Proximity {
        if metres <= 0.5 { return .immediate }
        return metres <= 3 ? .near : .far
    }
}

/// An iBeacon's numbers without its UUID.
package struct MajorAndMinor: Hashable, Sendable {
    /// The group.
    package let major: UInt16
    /// The beacon in the group.
    package let minor: UInt16
}

/// The identity of a beacon in a standard format, with its signal strength.
package struct ProximityIdentity: Hashable, Sendable {
    /// The identity in the parts of the format.
    package enum Number: Hashable, Sendable {
        case iBeacon(uuid: BluetoothUUID, major: UInt16, minor: UInt16)
        /// Ten bytes and six.
        case eddystone(namespace: [UInt8], instance: [UInt8])
        /// Twenty bytes, of which the first sixteen are often a UUID.
        case altBeacon(company: UInt16, id: [UInt8])
    }

    /// The identity.
    package let number: Number
    /// In dBm, at a distance of 1 m.
    package let measuredPower: Int8

    /// An identity with `measuredPower` dBm at 1 m.
    package init(_ number: Number, measuredPower: Int8) {
        self.number = number
        self.measuredPower = measuredPower
    }

    /// The kind of frame that contains it.
    package var kind: FrameKind {
        switch number {
        case .iBeacon: .iBeacon
        case .eddystone: .eddystoneUID
        case .altBeacon: .altBeacon
        }
    }
}

extension ProximityIdentity: CustomStringConvertible {
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
