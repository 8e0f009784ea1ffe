import Bluetooth
import Bytes
import Firmware
import Identity
import UpdateModel

/// An error in a filter, with its place.
package struct FilterError: Error, Equatable, CustomStringConvertible {
    /// Counts from 1.
    let column: Int
    package let message: String

    package var description: String { "column \(column): \(message)" }
}

extension SightingFilter {
    /// The keys of conditions.
    enum Key: String, CaseIterable {
        case name
        case address
        case vendor
        case kind
        case model
        case id
        case rssi
        case battery
        case version
        case mode
        case service
        case company
        case connectable
    }

    /// A summary of the syntax, for `--help`.
    static let help = """
        A condition is KEY=VALUE or KEY!=VALUE; rssi, battery and version also take > >= < <=. All filters must hold.
        name=Shelf*, address=F0:0D:* (* any characters, ? any one), vendor=kkm, kind=eddystone, model=BP1*, id=abcd, \
        rssi>-70, battery<30 (percent), version=1.*, version<5.20 (number by number), mode=bootloader or \
        mode=application, service=FE59 or a long UUID, company=0x004C, connectable=yes or no. @NAME stands for the \
        conditions of that name in --filter-file.
        """

    /// The condition in `text`: key, relation, value, without spaces between them.
    package init(_ text: String) throws(FilterError) {
        let word = text.prefix { $0.isLetter }
        guard let key = Key(rawValue: word.lowercased()) else {
            let keys = Key.allCases.map(\.rawValue).joined(separator: ", ")
            throw FilterError(
                column: 1,
                message: word.isEmpty
                    ? "a key is missing; keys are \(keys)"
                    : "unknown key '\(word)'"
                        + Spelling.hint(
                            for: String(word), in: Key.allCases.map(\.rawValue),
                            otherwise: "; keys are \(keys)"))
        }
        let rest = text.dropFirst(word.count)
        guard let relation = Relation.allCases.first(where: { rest.hasPrefix($0.rawValue) }) else {
            throw FilterError(column: word.count + 1, message: "=, !=, <, <=, > or >= is missing")
        }
        guard key.isOrdered || relation == .equal || relation == .unequal else {
            throw FilterError(
                column: word.count + 1, message: "\(key.rawValue) takes = and != only")
        }
        let value = String(rest.dropFirst(relation.rawValue.count))
        if let words = key.words, !value.isEmpty, !value.contains(where: { "*?".contains($0) }),
            !words.contains(value.lowercased())
        {
            throw FilterError(
                column: word.count + relation.rawValue.count + 1,
                message: "there is no \(key.rawValue) '\(value)'"
                    + Spelling.hint(
                        for: value.lowercased(), in: words,
                        otherwise: "; there are \(words.sorted().joined(separator: ", "))"))
        }
        guard let condition = Self.condition(key, relation, value) else {
            let found = value.isEmpty ? "a value is missing" : "'\(value)' is not valid"
            throw FilterError(
                column: word.count + relation.rawValue.count + 1,
                message: "\(found); \(key.rawValue) is \(key.values)")
        }
        self.condition = condition
        isNegated = !key.isNumber && relation == .unequal
    }

    private static func condition(_ key: Key, _ relation: Relation, _ value: String) -> Condition? {
        switch key {
        case .name: return value.isEmpty ? nil : .name(Glob(value))
        case .address:
            let isPattern = value.allSatisfy { $0.isASCII && ($0.isHexDigit || ":*?".contains($0)) }
            return isPattern && !value.isEmpty ? .address(Glob(value.uppercased())) : nil
        case .rssi: return Int8(value).map { .rssi(relation, Int($0)) }
        case .battery: return Int(value).flatMap { (0...100).contains($0) ? .battery(relation, $0) : nil }
        case .version where relation == .equal || relation == .unequal:
            return value.isEmpty ? nil : .version(Glob(value))
        case .version: return VersionOrder(value).map { .versionOrder(relation, $0) }
        case .vendor: return value.isEmpty ? nil : .vendor(Glob(value.lowercased()))
        case .kind: return value.isEmpty ? nil : .kind(Glob(value.lowercased()))
        case .model: return value.isEmpty ? nil : .model(Glob(value))
        case .id: return value.isEmpty ? nil : .id(Glob(value))
        case .mode: return RunningProgram(rawValue: value.lowercased()).map(Condition.mode)
        case .service: return BluetoothUUID(value).map(Condition.service)
        case .company:
            let number =
                value.lowercased().hasPrefix("0x") ? UInt16(value.dropFirst(2), radix: 16) : UInt16(value)
            return number.map(Condition.company)
        case .connectable: return ["yes": .connectable(true), "no": .connectable(false)][value.lowercased()]
        }
    }
}

extension SightingFilter.Key {
    /// Whether values are numbers. For numbers, a missing value is neither equal nor unequal.
    fileprivate var isNumber: Bool { self == .rssi || self == .battery }

    /// Whether one value can be below another.
    fileprivate var isOrdered: Bool { isNumber || self == .version }

    /// All valid values; nil for free text.
    fileprivate var words: Set<String>? {
        switch self {
        case .kind: Set(Family.allCases.map(\.rawValue) + KnownVendors.kinds.map(\.rawValue))
        case .vendor: Set(Maker.allCases.map(\.rawValue) + KnownVendors.all.map(\.name))
        default: nil
        }
    }

    /// The description of valid values.
    fileprivate var values: String {
        switch self {
        case .name: "a name, * and ? are wildcards"
        case .address: "an address, * and ? are wildcards"
        case .rssi: "a number of dBm from -128 to 127"
        case .battery: "a percentage from 0 to 100"
        case .version: "a version, after = and != * and ? are wildcards"
        case .vendor: "a vendor such as kkm, * and ? are wildcards"
        case .kind: "a kind such as kkm or ibeacon, * and ? are wildcards"
        case .model: "a model, * and ? are wildcards"
        case .id: "the vendor's id of a beacon, * and ? are wildcards"
        case .mode: "bootloader or application"
        case .service: "a UUID such as FE59 or 8EC90001-F315-4F60-9FB8-838830DAEA50"
        case .company: "a company's number such as 0x004C"
        case .connectable: "yes or no"
        }
    }
}
