import Bluetooth
package import UpdateModel

extension OrangeTagSettings: DeviceSettings {
    package var paths: [Key] { Key.allCases.filter { values[$0] != nil } }

    /// Checks nothing: only reading shows which settings a tag has.
    package func check(against peer: OrangeTagFacts) {}

    /// A lock-out if the changed tag would sleep, and so stop advertising, with no sensor to wake it.
    package func lockOuts(of found: OrangeTagSettings) -> [LockOut] {
        guard found.values[.sleep] != nil, !found.sleepsForever else { return [] }
        return merged(with: found).sleepsForever ? [.alwaysOff] : []
    }

    private var sleepsForever: Bool {
        let sleeps = (values[.sleep] ?? .number(0)) != .number(0) && values[.sleepSwitch] != .number(0)
        let wakes = [Key.temperatureSwitch, .accelerationSwitch, .angularSwitch]
            .contains { values[$0] == .number(1) }
        return sleeps && !wakes
    }

    fileprivate func merged(with found: OrangeTagSettings) -> OrangeTagSettings {
        OrangeTagSettings(found.values.merging(values) { $1 })
    }

    package static func reading(of peer: OrangeTagFacts) -> OrangeTagSettingsReading {
        OrangeTagSettingsReading()
    }

    package static func writing(
        _ changes: [SettingDifference<Key>], to found: OrangeTagSettings, of peer: OrangeTagFacts
    ) -> OrangeTagSettingsWriting {
        let wanted = OrangeTagSettings(Dictionary(changes.map { ($0.path, $0.wanted) }) { $1 })
        return OrangeTagSettingsWriting(wanted, after: found)
    }
}

/// Reads all settings of a tag. Missing characteristics are skipped; one that exists but cannot be read is a failure.
package struct OrangeTagSettingsReading: SessionDialogue {
    package typealias Failure = SessionFailure

    private var rest = OrangeTagValue.all[...]
    private var bytes: [Characteristic: [UInt8]] = [:]
    /// Whether the tag has the current characteristic.
    private var isFound = false

    package mutating func begin(on link: LinkFacts) -> DialogueStep<OrangeTagSettings, Never> {
        (rest, bytes) = (OrangeTagValue.all[...], [:])
        return next
    }

    package mutating func note(_ times: CommandTimes) {}

    /// The step after `outcome`: each characteristic is searched for, then read.
    package mutating func advance(
        after outcome: DialogueOutcome
    ) throws(SessionFailure) -> DialogueStep<OrangeTagSettings, Never> {
        guard let part = rest.first else { return next }
        switch outcome {
        case .done:
            isFound = true
            return DialogueStep(.readIfAllowed(part.characteristic))
        case .value(let value): bytes[part.characteristic] = value
        case .absent where !isFound: break
        default:
            throw SessionFailure(
                .session.refusedByDevice, during: "reading the settings",
                "the tag has \(part.unparsedKey) but refuses to read it")
        }
        isFound = false
        rest = rest.dropFirst()
        return next
    }

    private var next: DialogueStep<OrangeTagSettings, Never> {
        DialogueStep(rest.first.map { .find($0.characteristic) } ?? .end(OrangeTagSettings { bytes[$0] }))
    }
}

/// Writes settings to a tag, which acknowledges each write. All settings are checked before the first write.
package struct OrangeTagSettingsWriting: SessionDialogue {
    private let wanted: OrangeTagSettings
    private let found: OrangeTagSettings
    private var writes: [(part: OrangeTagValue, bytes: [UInt8])] = []
    private var index = 0

    init(_ wanted: OrangeTagSettings, after found: OrangeTagSettings) {
        (self.wanted, self.found) = (wanted, found)
    }

    package mutating func begin(on link: LinkFacts) throws(SessionFailure) -> DialogueStep<Void, Never> {
        (writes, index) = ([], 0)
        for part in OrangeTagValue.all {
            let keys = wanted.paths.filter(part.has)
            if !keys.isEmpty { writes.append((part, try bytes(of: part, changing: keys))) }
        }
        return next
    }

    package mutating func note(_ times: CommandTimes) {}

    package mutating func advance(
        after outcome: DialogueOutcome
    ) throws(SessionFailure) -> DialogueStep<Void, Never> {
        guard index < writes.count else { return next }
        if case .refused(let status) = outcome {
            let keys = wanted.paths.filter(writes[index].part.has)
            let cause = status.map { ": \(ATTStatus(rawValue: $0))" } ?? ""
            let written = writes.prefix(index).flatMap { wanted.paths.filter($0.part.has) }
            throw SessionFailure(
                .session.refusedByDevice, during: "writing the settings",
                "the tag refuses \(Self.list(keys))\(cause); "
                    + (written.isEmpty ? "nothing was changed" : "already written: \(Self.list(written))"))
        }
        index += 1
        return next
    }

    private var next: DialogueStep<Void, Never> {
        guard index < writes.count else { return DialogueStep(.end(())) }
        let (part, bytes) = writes[index]
        return DialogueStep(.write(bytes, on: part.characteristic, mayRefuse: true))
    }

    private static func list(_ keys: [OrangeTagSettings.Key]) -> String {
        keys.map(\.description).joined(separator: ", ")
    }

    private static func failure(_ code: FailureCode, _ message: String) -> SessionFailure {
        SessionFailure(code, during: "comparing the settings", message)
    }

    /// The new bytes of `part`, in the layout of the value that the tag has.
    private func bytes(
        of part: OrangeTagValue, changing keys: [OrangeTagSettings.Key]
    ) throws(SessionFailure) -> [UInt8] {
        let layout = part.layouts.last {
            $0.allSatisfy { key in found.values[key].flatMap(key.bytes) != nil }
        }
        guard let layout, keys.allSatisfy(layout.contains) else {
            let isUnparsed = found.values[part.unparsedKey].map { part.unparsedKey.bytes($0) == nil } ?? false
            throw Self.failure(
                .session.notSupported,
                isUnparsed
                    ? "the tag's \(part.unparsedKey) has an unknown format and is not changed"
                    : "the tag has no \(Self.list(keys.filter { found.values[$0] == nil }))")
        }
        let after = wanted.merged(with: found).values
        // While a switch stays off, its values are checked only if they change.
        let isOn = layout.first { $0.isSwitch }.map { after[$0] != .number(0) } ?? false
        var bytes: [UInt8] = []
        for key in layout {
            guard let value = after[key], let encoded = key.bytes(value),
                key.allows(value) || !isOn && !keys.contains(key)
            else {
                throw Self.failure(
                    .session.settingOutOfRange,
                    "\(key) cannot be \(after[key]?.description ?? "none"): \(key.range)")
            }
            bytes += encoded
        }
        if part == .temperature, isOn || keys != [.temperatureSwitch],
            case .number(let lower)? = after[.temperatureLower],
            case .number(let upper)? = after[.temperatureUpper], lower > upper
        {
            throw Self.failure(
                .session.settingOutOfRange,
                "temperature_lower_c (\(Int(lower))) is above temperature_upper_c (\(Int(upper)))")
        }
        return bytes
    }
}
