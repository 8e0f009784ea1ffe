package import Bytes
package import UpdateModel

/// Settings of a Feasycom beacon, some or all (fbeacon.md, Settings).
package struct FBeaconSettings: Sendable, Equatable {
    package enum Key: Hashable, Sendable, CaseIterable, CustomStringConvertible {
        case name
        case interval
        case power
        case button
        case motion
        case mode
        case telemetry
        /// One of the broadcasts, by its number from 0.
        case broadcast(Int)
    }

    package internal(set) var values: [Key: SettingValue]

    /// The position of each value in the settings file; empty for values that a beacon reported.
    var places: [Key: String] = [:]

    init(_ values: [Key: SettingValue] = [:]) { self.values = values }

    /// The allowed values of `key`, in words; nil if its value is allowed or absent.
    package func rangeMissed(at key: Key) -> String? {
        guard let value = values[key] else { return nil }
        return key.value("\(value)") == value ? nil : key.range
    }

    /// Whether both have the same values, whatever their positions in files.
    package static func == (one: FBeaconSettings, other: FBeaconSettings) -> Bool {
        one.values == other.values
    }
}

extension FBeaconSettings.Key {
    /// Settings with a command of their own.
    static let single: [FBeaconSettings.Key] = [
        .name, .interval, .power, .button, .motion, .mode, .telemetry,
    ]

    /// All settings, in the order of the format.
    package static let allCases = single + FBeaconBroadcasts.numbers.map(FBeaconSettings.Key.broadcast)

    /// The name of the setting's command; for a broadcast, followed by its number in brackets.
    package var description: String {
        if case .broadcast(let number) = self { "\(command)[\(number)]" } else { command }
    }

    var command: String {
        switch self {
        case .name: "NAME"
        case .interval: "ADVIN"
        case .power: "TXPOWER"
        case .button: "KEYCFG"
        case .motion: "GSCFG"
        case .mode: "BWMODE"
        case .telemetry: "TLM"
        case .broadcast: FBeaconBroadcasts.command
        }
    }

    /// The possible beginnings of an answer's line with the value.
    var answers: [String] { self == .name ? ["+NAME=", "+LENAME="] : ["+\(command)="] }

    func argument(_ value: SettingValue) -> String {
        if case .broadcast(let number) = self { "\(number),\(value)" } else { "\(value)" }
    }

    /// The value of `text`, which a beacon reported; plain text if it is not one of the allowed values.
    func reported(_ text: String) -> SettingValue { value(text) ?? .text(text) }

    /// The value of `text`; nil if it is not allowed.
    func value(_ text: String) -> SettingValue? {
        switch self {
        case .name:
            let isPlain = text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
            return isPlain && (1...29).contains(text.utf8.count) ? .text(text) : nil
        case .interval:
            return Self.integer(text).flatMap { $0 == 0 || Self.intervals ~= $0 ? .number($0) : nil }
        case .power:
            if let number = Self.integer(text) { return -40...20 ~= number ? .number(number) : nil }
            let level = text.uppercased()
            return level.utf8.count == 1 && "ABCDEF".contains(level) ? .text(level) : nil
        case .button, .motion:
            let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(Self.integer)
            guard parts.count == 2, let interval = parts[0], let duration = parts[1] else { return nil }
            let isOff = interval == 0 && duration == 0
            guard isOff || Self.intervals ~= interval && 100...65535 ~= duration else { return nil }
            return .text("\(Int(interval)),\(Int(duration))")
        case .mode, .telemetry: return Self.integer(text).flatMap { 0...1 ~= $0 ? .number($0) : nil }
        case .broadcast: return FBeaconBroadcasts.value(text).map { .text($0) }
        }
    }

    var range: String {
        switch self {
        case .name: "1 to 29 characters of ASCII"
        case .interval: "0, or a whole number of milliseconds from 100 to 10000"
        case .power: "a whole number from -40 to 20, or a hexadecimal digit"
        case .button, .motion:
            "an interval from 100 to 10000 and a duration from 100 to 65535, in milliseconds, as in 500,3000; or 0,0"
        case .mode, .telemetry: "0 or 1"
        case .broadcast:
            "a packet of 1 to 31 bytes in hexadecimal, made of whole AD structures, followed by ,1 or ,0; or 00,0"
        }
    }

    /// Whether `value` disables the setting's function. For button and motion, nil means that the function is missing.
    func isOff(_ value: SettingValue?) -> Bool {
        switch self {
        case .interval: value == .number(0)
        case .button, .motion: value == nil || value == .text("0,0")
        case .telemetry: value == .number(0)
        case .broadcast: value.map { "\($0)".hasSuffix(",0") } ?? false
        case .name, .power, .mode: false
        }
    }

    /// In milliseconds.
    private static let intervals = 100.0...10_000.0

    private static func integer(_ text: some StringProtocol) -> Double? {
        Int(text).flatMap { abs($0) <= 65535 ? Double($0) : nil }
    }
}

extension FBeaconSettings: DeviceSettings {
    /// Opening a session reports nothing about the beacon.
    package typealias Peer = Void

    package var paths: [Key] { Key.allCases.filter { values[$0] != nil } }

    /// Checks nothing, because it is not public which settings a model has.
    package func check(against peer: Void) {}

    /// Throws if one of the `changes` is not allowed by the maker's guide. Values that stay as in `found` are not
    /// checked.
    package func check(
        _ changes: [SettingDifference<Key>], to found: FBeaconSettings, of peer: Void
    ) throws(SessionFailure) {
        for change in changes {
            guard let range = rangeMissed(at: change.path) else { continue }
            let place = places[change.path].map { "\($0): " } ?? ""
            throw SessionFailure(
                .session.settingOutOfRange, during: "comparing the settings",
                "\(place)\(change.path) is \(change.wanted), but must be \(range)")
        }
    }

    /// The settings that would make beacons with `found` impossible to find or to connect to.
    package func lockOuts(of found: FBeaconSettings) -> [LockOut] {
        let after = FBeaconSettings(found.values.merging(values) { $1 })
        var lockOuts: [LockOut] = []
        if found.isConnectable, !after.isConnectable { lockOuts.append(.notConnectable) }
        if found.advertises, !after.advertises { lockOuts.append(.alwaysOff) }
        return lockOuts
    }

    private var isConnectable: Bool { values[.mode] != .number(1) }

    /// Whether the beacon advertises periodically, after a press of its button, or after motion.
    private var advertises: Bool { ![Key.interval, .button, .motion].allSatisfy { $0.isOff(values[$0]) } }

    /// Reads each setting. The beacon answers ERROR for those that it does not have (fbeacon.md, Settings).
    package static func reading(of peer: Void) -> MappedDialogue<FBeaconExchanges, FBeaconSettings> {
        let step = "reading the settings"
        let commands: [FBeaconCommand] =
            Key.single.map { .asking(for: $0.command, answeredBy: $0.answers) }
            + [.asking(forLinesOf: FBeaconBroadcasts.command)]
        let questions = commands.map {
            FBeaconExchanges.Part(FBeaconExchange($0, during: step), mayBeRefused: true)
        }
        return MappedDialogue(FBeaconExchanges(questions)) { (answers) throws(SessionFailure) in
            // A refused query counts as a setting without a value.
            let answers = answers.map { $0 ?? nil }
            var settings = FBeaconSettings()
            for (key, answer) in zip(Key.single, answers) {
                if let answer { settings.values[key] = key.reported(answer) }
            }
            if answers.count > Key.single.count, let lines = answers.last ?? nil {
                for (number, value) in try FBeaconBroadcasts.values(in: lines, during: step) {
                    settings.values[.broadcast(number)] = value
                }
            }
            guard !settings.values.isEmpty else {
                throw SessionFailure(
                    .session.refusedByDevice, during: step,
                    "the beacon answers ERROR to every command: it may require a PIN")
            }
            return settings
        }
    }

    /// Writes one command per setting. Settings that switch something off come last, so that the beacon always has a
    /// reason to advertise.
    package static func writing(
        _ changes: [SettingDifference<Key>], to found: FBeaconSettings, of peer: Void
    ) -> FBeaconExchanges {
        let inOrder =
            changes.filter { !$0.path.isOff($0.wanted) } + changes.filter { $0.path.isOff($0.wanted) }
        return FBeaconExchanges(
            inOrder.compactMap { change in
                FBeaconCommand.setting(change.path.command, to: change.path.argument(change.wanted)).map {
                    FBeaconExchanges.Part(FBeaconExchange($0, during: "writing \(change.path)"))
                }
            })
    }
}

/// A settings file uses the names of the beacon's own commands (docs/formats/settings.md):
///
///     settings: 1
///     maker: feasycom
///     NAME: Shelf 7
///     ADVIN: 500
///     BADVDATA[0]: "0201060303AAFE0716AAFE10EB0361,1"
///
/// Values that a beacon reported, but that the maker's guide does not allow, are under `unchecked`.
extension FBeaconSettings {
    private static let unchecked = "unchecked"

    /// Parses the members of a file other than `settings` and `maker`. Every error has its position.
    package init(_ file: YAMLValue, besides others: [String]) throws(YAMLProblem) {
        self.init()
        for member in try file.members() where !others.contains(member.key) {
            guard member.key != Self.unchecked else {
                for member in try member.value.members() { try add(member, isChecked: false) }
                continue
            }
            try add(member, isChecked: true)
        }
        guard !values.isEmpty else { throw file.problem("the file contains no settings") }
    }

    private mutating func add(_ member: YAMLValue.Member, isChecked: Bool) throws(YAMLProblem) {
        guard let key = Key.allCases.first(where: { "\($0)" == member.key }) else {
            guard member.key.uppercased() != "PIN" else {
                throw member.place.problem("a PIN is not a setting: put it in a file of secrets")
            }
            throw member.unknown(Key.allCases.map { "\($0)" } + (isChecked ? [Self.unchecked] : []))
        }
        guard values[key] == nil else { throw member.place.problem("'\(key)' appears twice") }
        let text = try member.value.text()
        guard let value = isChecked ? key.value(text) : key.reported(text) else {
            throw member.value.problem("'\(text)' is not valid for \(key), which must be \(key.range)")
        }
        values[key] = value
        places[key] = "line \(member.value.line), column \(member.value.column)"
    }

    package var lines: [String] {
        let unchecked = paths.filter { rangeMissed(at: $0) != nil }
        return paths.filter { rangeMissed(at: $0) == nil }.compactMap(line)
            + (unchecked.isEmpty ? [] : ["\(Self.unchecked):"]) + unchecked.compactMap(line).map { "  \($0)" }
    }
}

/// The broadcasts of a Feasycom beacon in its commands and answers (fbeacon.md, Broadcasts).
enum FBeaconBroadcasts {
    static let command = "BADVDATA"
    static let numbers = 0..<10
    /// The value of a broadcast without a packet.
    static let none = "00,0"

    /// `text` in the form of a command: a packet in hexadecimal and 1 or 0, or `none`; nil if it is neither.
    static func value(_ text: String) -> String? {
        guard text != none else { return text }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1] == "0" || parts[1] == "1",
            let packet = try? HexText.decode(String(parts[0])), hasWholeADStructures(packet)
        else { return nil }
        return "\(HexText.encode(packet).uppercased()),\(parts[1])"
    }

    /// Whether `packet` fits into an advertisement and consists of whole AD structures.
    private static func hasWholeADStructures(_ packet: [UInt8]) -> Bool {
        guard 1...31 ~= packet.count else { return false }
        var rest = packet[...]
        while let length = rest.first {
            guard length > 0, rest.count > Int(length) else { return false }
            rest = rest.dropFirst(Int(length) + 1)
        }
        return true
    }

    /// The broadcasts by number, from the `lines` of an answer. A broadcast without a line has no packet.
    static func values(in lines: String, during step: String) throws(SessionFailure) -> [Int: SettingValue] {
        var values: [Int: SettingValue] = [:]
        for (place, line) in lines.split(separator: "\n").enumerated() {
            var fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            // The line with the name begins with an empty field: `+BADVDATA=,0,…`.
            if fields.count == 4, fields[0].isEmpty { fields.removeFirst() }
            guard fields.count == 3, let number = numbers.first(where: { "\($0)" == fields[0] }),
                values[number] == nil
            else {
                throw SessionFailure(
                    .session.answerMalformed, during: step,
                    "line \(place + 1) of the beacon's answer to AT+\(command) is not a valid broadcast")
            }
            values[number] = FBeaconSettings.Key.broadcast(number).reported("\(fields[1]),\(fields[2])")
        }
        return values.merging(numbers.map { ($0, .text(none)) }) { reported, _ in reported }
    }
}
