package import Bluetooth
import Bytes
package import UpdateModel

/// A beacon's identity and firmware, merged from all its frames. What none of them reports is nil, never a guess
/// (docs/formats/beacon-frames.md). If two frames contradict each other, the later one counts.
///
/// The memory for one beacon is bounded, whatever it sends.
@dynamicMemberLookup package struct AdvertisedIdentity: Equatable, Sendable {
    package let address: DeviceAddress
    package private(set) var name: String?
    /// The facts that its frames report, each as last heard.
    private var facts = FrameFacts()
    /// The identities of standard formats that it has sent, the latest last.
    package private(set) var numbers: [ProximityIdentity] = []
    /// The kinds of frames that were parsed completely.
    package private(set) var frames: Set<FrameKind> = []
    /// Its family, according to its frames.
    package private(set) var family = Family.unknown
    /// The errors in recognised frames, the latest last.
    package private(set) var frameErrors: [FrameError] = []
    /// The contradictions between frames, for example `version 6.20, then 6.21`; the latest last.
    package private(set) var contradictions: [String] = []
    private var raisedFlags: Set<String> = []
    /// The services that it has listed and that some formats of frames require.
    private var listedServices: Set<BluetoothUUID> = []

    package init(of address: DeviceAddress) { self.address = address }

    /// The identity from `data` alone, for the beacon at `address`.
    package init(_ data: AdvertisingData, from address: DeviceAddress) {
        self.init(of: address)
        hear(data)
    }

    /// What its frames report.
    package subscript<Value>(dynamicMember part: KeyPath<FrameFacts, Value>) -> Value { facts[keyPath: part] }

    /// Its maker; nil if its frames do not show it.
    package var maker: Maker? { family.maker }

    /// The flags that are set, such as `pin-needed`, `moving` and `firmware-error`, sorted.
    package var flags: [String] { raisedFlags.sorted() }

    /// Its estimated distance, if it is heard with `rssi` dBm; nil if its frames do not report its power.
    package func distance(rssi: Int8) -> DistanceEstimate? {
        facts.measuredPower.flatMap { DistanceEstimate(rssi: rssi, measuredPower: $0) }
    }
}

extension AdvertisedIdentity {
    /// What beacons of its family advertise and this one has not sent yet; empty if nothing more is expected.
    package var missing: [AdvertisedPart] { expected.filter { !has($0) } }

    package var isComplete: Bool { missing.isEmpty }

    /// What its family advertises sooner or later. Standard formats carry no version, and guarantee nothing else.
    private var expected: [AdvertisedPart] {
        let heard = HeardFrames(
            from: address, name: name, frames, isSecondGeneration: facts.isSecondGeneration)
        let family =
            family.isOpen
            ? FrameTable.known.claimants.first { $0.includesBeacon?(heard) ?? false } ?? family : family
        return family.expected(after: heard)
    }

    private func has(_ part: AdvertisedPart) -> Bool {
        switch part {
        case .name: name != nil
        case .version: facts.version != nil
        case .battery: facts.charge != BatteryCharge()
        case .id: facts.id != nil
        }
    }

    /// How many of its `numbers`, `frameErrors` and `contradictions` are remembered. A KBeacon sends six different
    /// iBeacon identities when its button is used.
    static let mostRemembered = 8

    package mutating func hear(_ data: AdvertisingData) {
        // The services come before the frames, whatever their order in `data`: formats of frames depend on them.
        let table = FrameTable.known
        for case .services(let list, _) in data.elements {
            for service in list where table.requiredServices.contains(service) {
                listedServices.insert(service)
            }
        }
        for element in data.elements { merge(element, of: data, by: table) }
    }

    private mutating func merge(
        _ element: AdvertisingData.Element, of data: AdvertisingData, by table: FrameTable
    ) {
        switch element {
        case .name(let text, let complete):
            // A shortened name is a prefix of the complete one.
            if complete || name?.hasPrefix(text) != true { name = text }
        case .txPower(let power): facts.txPower = Int(power)
        default: break
        }
        do throws(FrameError) {
            guard let frame = try table.frame(in: element, of: data, from: address, listing: listedServices)
            else {
                return
            }
            if frames.insert(frame.kind).inserted {
                family =
                    table.families.first { family in frames.contains { $0.family == family } } ?? .unknown
            }
            merge(frame.facts)
        } catch { Self.remember(error, in: &frameErrors) }
    }

    private mutating func merge(_ later: FrameFacts) {
        change(\.id, to: later.id, "id")
        change(\.model, to: later.model, "model")
        change(\.modelNumber, to: later.modelNumber, "model number")
        change(\.version, to: later.version, "version")
        change(\.hardwareVersion, to: later.hardwareVersion, "hardware version")
        facts.charge.update(with: later.charge)
        facts.txPower = later.txPower ?? facts.txPower
        facts.measuredPower = later.measuredPower ?? facts.measuredPower
        facts.majorAndMinor = later.majorAndMinor ?? facts.majorAndMinor
        facts.url = later.url ?? facts.url
        facts.isSecondGeneration = facts.isSecondGeneration || later.isSecondGeneration
        facts.telemetryVersion = later.telemetryVersion ?? facts.telemetryVersion
        if let number = later.number {
            numbers.removeAll { $0.number == number.number }
            Self.remember(number, in: &numbers)
        }
        for value in later.sensors {
            if let known = facts.sensors.firstIndex(where: { $0.name == value.name }) {
                facts.sensors[known] = value
            } else {
                facts.sensors.append(value)
            }
        }
        for (word, holds) in later.flags {
            if holds { raisedFlags.insert(word) } else { raisedFlags.remove(word) }
        }
        if let flaw = later.flaw { Self.remember(flaw, in: &frameErrors) }
    }

    private mutating func change<Value: Equatable>(
        _ part: WritableKeyPath<FrameFacts, Value?>, to value: Value?, _ word: String
    ) {
        guard let value, facts[keyPath: part] != value else { return }
        if let before = facts[keyPath: part] {
            Self.remember("\(word) \(before), then \(value)", in: &contradictions)
        }
        facts[keyPath: part] = value
    }

    private static func remember<Value: Equatable>(_ value: Value, in list: inout [Value]) {
        list.removeAll { $0 == value }
        if list.count == mostRemembered { list.removeFirst() }
        list.append(value)
    }
}
