public import Bluetooth

extension AdvertisedIdentity {
    /// How many of its `numbers`, `flaws` and `contradictions` are remembered: a KBeacon whose button is used
    /// has six iBeacons.
    static let mostRemembered = 8

    /// Adds the content of a report.
    public mutating func hear(_ data: AdvertisingData) {
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
