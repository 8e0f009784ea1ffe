package import Bluetooth
import Bytes
import Glibc
package import UpdateModel

/// A beacon's identity and firmware, merged from all its frames. What none of them reports is nil, never a
/// guess (docs/formats/beacon-frames.md); of two frames that contradict each other the later one counts.
///
/// The memory for one beacon is bounded, whatever it sends.
package struct AdvertisedIdentity: Equatable, Sendable {
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
    package private(set) var frames: Set<FrameKind> = []
    /// Its family, according to its frames.
    package private(set) var family = Family.unknown
    /// The errors in recognised frames, the latest last.
    package internal(set) var flaws: [FrameError] = []
    /// The contradictions between frames, for example `version 6.20, then 6.21`; the latest last.
    package internal(set) var contradictions: [String] = []

    /// The signal strength at 1 m according to its latest frame.
    var measuredPower: Int8?
    var raisedFlags: Set<String> = []
    /// The services that it lists and formats of frames depend on.
    var neighbours: Set<BluetoothUUID> = []
    /// Whether it sent a frame that only KBeacons of the second generation send.
    package internal(set) var isSecondGeneration = false

    /// An empty identity for the beacon at `address`.
    package init(of address: DeviceAddress) { self.address = address }

    /// The identity from `data` alone, for the beacon at `address`.
    package init(_ data: AdvertisingData, from address: DeviceAddress) {
        self.init(of: address)
        hear(data)
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
    package var missing: [AdvertisedPart] { expected.filter { !has($0) } }

    /// Whether nothing more is expected of its frames.
    package var isComplete: Bool { missing.isEmpty }

    /// What its family advertises sooner or later. Standard formats carry no version, and guarantee nothing else.
    private var expected: [AdvertisedPart] {
        let heard = HeardFrames(from: address, name: name, frames, isSecondGeneration: isSecondGeneration)
        let family =
            family.isOpen
            ? FrameTable.known.claimants.first { $0.claims?(heard) ?? false } ?? family : family
        return family.expected(after: heard)
    }

    private func has(_ part: AdvertisedPart) -> Bool {
        switch part {
        case .name: name != nil
        case .version: version != nil
        case .battery: charge != BatteryCharge()
        case .id: id != nil
        }
    }
}

extension AdvertisedIdentity {
    /// How many of its `numbers`, `flaws` and `contradictions` are remembered: a KBeacon whose button is used
    /// has six iBeacons.
    static let mostRemembered = 8

    /// Adds the content of a report.
    package mutating func hear(_ data: AdvertisingData) {
        // Before the frames, in whatever order they were sent: other frames depend on these services.
        let table = FrameTable.known
        for case .services(let list, _) in data.elements {
            for service in list where table.neighbours.contains(service) { neighbours.insert(service) }
        }
        for element in data.elements { take(element, of: data, by: table) }
    }

    private mutating func take(
        _ element: AdvertisingData.Element, of data: AdvertisingData, by table: FrameTable
    ) {
        switch element {
        case .name(let text, let complete):
            // A shortened name is a prefix of the complete one.
            if complete || name?.hasPrefix(text) != true { name = text }
        case .txPower(let power): txPower = Int(power)
        default: break
        }
        do throws(FrameError) {
            guard let frame = try table.frame(in: element, of: data, from: address, beside: neighbours) else {
                return
            }
            if frames.insert(frame.kind).inserted {
                family =
                    table.families.first { family in frames.contains { $0.family == family } } ?? .unknown
            }
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
        isSecondGeneration = isSecondGeneration || facts.isSecondGeneration
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
