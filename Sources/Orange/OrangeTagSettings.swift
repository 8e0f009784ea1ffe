package import Bluetooth
package import Bytes
package import UpdateModel

/// Settings of an Orange Beacon Tag, some or all (orange-beacon-tag.md, Settings).
package struct OrangeTagSettings: Equatable, Sendable {
    /// The settings, with their units, in the order of the format.
    package enum Key: String, CaseIterable, Sendable, CustomStringConvertible {
        case uuid
        case major
        case minor
        case interval = "interval_ms"
        case power = "tx_power_dbm"
        case sleepSwitch = "sleep_on"
        case sleep = "sleep_s"
        case temperatureSwitch = "temperature_wakes"
        case temperatureLower = "temperature_lower_c"
        case temperatureUpper = "temperature_upper_c"
        case accelerationSwitch = "acceleration_wakes"
        case acceleration = "acceleration_ms2"
        case angularSwitch = "angular_wakes"
        /// Its unit is not public.
        case angular

        package var description: String { rawValue }
    }

    package internal(set) var values: [Key: SettingValue]

    init(_ values: [Key: SettingValue] = [:]) { self.values = values }
}

extension OrangeTagSettings {
    /// Parses the bytes of the characteristics; `bytes` returns nil for a characteristic that the tag does not have.
    /// Bytes of an unknown format are kept in hexadecimal.
    package init(reading bytes: (Characteristic) -> [UInt8]?) {
        self.init()
        for part in OrangeTagValue.all {
            guard let bytes = bytes(part.characteristic) else { continue }
            let known = part.layouts.lazy.compactMap { Self.read(bytes, as: $0) }.first
            values.merge(known ?? [part.unparsedKey: Key.unparsed(bytes)]) { $1 }
        }
    }

    /// The settings in `bytes`; nil if the layout has another length, or for a number that a file cannot represent.
    private static func read(_ bytes: [UInt8], as layout: [Key]) -> [Key: SettingValue]? {
        var reader = ByteReader(bytes)
        var values: [Key: SettingValue] = [:]
        do throws(ByteError) {
            for key in layout {
                guard let value = try key.read(&reader) else { return nil }
                values[key] = value
            }
            try reader.end(of: "value")
        } catch { return nil }
        return values
    }
}

extension OrangeTagSettings.Key {
    /// The encoding in a characteristic; numbers of several bytes are little-endian.
    private enum Form {
        /// 16 bytes, in the order of the text.
        case uuid
        /// One byte: 0 off, 1 on.
        case onOff
        /// One byte with a sign.
        case degrees
        /// Two bytes.
        case word
        /// Two bytes, in units of 0.625 ms.
        case interval
        /// Four bytes: IEEE 754.
        case float
    }

    private var form: Form {
        switch self {
        case .uuid: .uuid
        case .sleepSwitch, .temperatureSwitch, .accelerationSwitch, .angularSwitch: .onOff
        case .power, .temperatureLower, .temperatureUpper: .degrees
        case .major, .minor, .sleep: .word
        case .interval: .interval
        case .acceleration, .angular: .float
        }
    }

    /// Whether this setting switches the others in its characteristic on and off.
    var isSwitch: Bool { form == .onOff }

    /// Milliseconds per unit of an interval.
    private static let unit = 0.625

    /// The next value; nil for NaN or infinity.
    fileprivate func read(_ reader: inout ByteReader) throws(ByteError) -> SettingValue? {
        switch form {
        case .uuid:
            let bytes = try reader.bytes("UUID", 16)
            return BluetoothUUID(wire: bytes.reversed()).map { .text("\($0)") }
        case .onOff: return .number(Double(try reader.integer("switch", as: UInt8.self)))
        case .degrees: return .number(Double(Int8(bitPattern: try reader.integer("number", as: UInt8.self))))
        case .word: return .number(Double(try reader.integer("number", as: UInt16.self)))
        case .interval: return .number(Double(try reader.integer("interval", as: UInt16.self)) * Self.unit)
        case .float: return Self.number(Float(bitPattern: try reader.integer("threshold", as: UInt32.self)))
        }
    }

    /// `float` with the fewest digits that identify it, as in a file.
    private static func number(_ float: Float) -> SettingValue? {
        float.isFinite ? Double("\(float)").map { .number($0) } : nil
    }

    /// The bytes of `value`; nil if the setting does not allow it.
    func bytes(_ value: SettingValue) -> [UInt8]? {
        if case .text(let text) = value { return form == .uuid ? BluetoothUUID(text)?.bytes : nil }
        guard case .number(let number) = value else { return nil }
        switch form {
        case .uuid: return nil
        case .onOff: return UInt8(exactly: number).map { [$0] }
        case .degrees: return Int8(exactly: number).map { [UInt8(bitPattern: $0)] }
        case .word: return UInt16(exactly: number).map { $0.bytes() }
        case .interval: return UInt16(exactly: number / Self.unit).map { $0.bytes() }
        case .float: return Float(number).isFinite ? Float(number).bitPattern.bytes() : nil
        }
    }

    private static let hexMark = "hex:"

    /// The value for bytes of an unknown format: their hexadecimal digits after `hex:`.
    fileprivate static func unparsed(_ bytes: [UInt8]) -> SettingValue {
        .text(hexMark + HexText.encode(bytes))
    }

    /// The value of `text` from a file; nil if its encoding cannot represent it.
    func value(_ text: String) -> SettingValue? {
        if text.hasPrefix(Self.hexMark) {
            return (try? HexText.decode(String(text.dropFirst(Self.hexMark.count)))).map(Self.unparsed)
        }
        let value: SettingValue? =
            switch form {
            case .uuid: BluetoothUUID(text).map { .text("\($0)") }
            case .onOff, .degrees, .word: Int(text).map { .number(Double($0)) }
            case .interval: Double(text).map { .number($0) }
            case .float: Float(text).flatMap(Self.number)
            }
        return value.flatMap { bytes($0) == nil ? nil : $0 }
    }

    func allows(_ value: SettingValue) -> Bool {
        guard bytes(value) != nil else { return false }
        guard case .number(let number) = value else { return true }
        switch self {
        case .interval: return 100...10_000 ~= number
        case .power: return Self.powers.contains(number)
        case .acceleration: return Float(0.1569064)...156.9064 ~= Float(number)
        case _ where isSwitch: return 0...1 ~= number
        default: return true
        }
    }

    private static let powers: [Double] = [
        -62, -52, -48, -44, -40, -36, -32, -30, -20, -16, -12, -8, -4, 0, 4,
    ]

    /// The values that may be written to a tag, in words.
    var range: String {
        switch self {
        case .uuid: "a UUID"
        case .major, .minor: "a whole number from 0 to 65535"
        case .interval: "100 to 10000 ms, in steps of 0.625"
        case .power:
            "one of " + Self.powers.map { "\(SettingValue.number($0))" }.joined(separator: ", ") + " dBm"
        case .sleep: "0 to 65535 s; 0: it does not sleep"
        case .sleepSwitch, .temperatureSwitch, .accelerationSwitch, .angularSwitch: "0 or 1"
        case .temperatureLower, .temperatureUpper: "a whole number from -128 to 127 °C"
        case .acceleration: "0.1569064 to 156.9064 m/s²"
        case .angular: "a number"
        }
    }
}

/// A settings file uses names with units (docs/formats/settings.md):
///
///     settings: 1
///     maker: orange
///     major: 63672
///     interval_ms: 100
extension OrangeTagSettings {
    /// Parses the members of a file other than `settings` and `maker`. Every error has its position. All values
    /// that a tag may report are accepted here; what may be written is checked before writing.
    package init(_ file: YAMLValue, besides others: [String]) throws(YAMLProblem) {
        self.init()
        for member in try file.members() where !others.contains(member.key) {
            guard let key = Key(rawValue: member.key) else {
                throw member.unknown(Key.allCases.map(\.rawValue))
            }
            let text = try member.value.text()
            guard let value = key.value(text) else {
                throw member.value.problem("'\(text)' is not valid for \(key), which must be \(key.range)")
            }
            values[key] = value
        }
        guard !values.isEmpty else { throw file.problem("the file contains no settings") }
    }

    package var lines: [String] { paths.compactMap(line) }
}
