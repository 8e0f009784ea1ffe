import ArgumentParser
import Bluetooth
import Bytes
package import Firmware
import UpdateModel

/// One condition of `--filter`, such as `rssi>-70`.
package struct SightingFilter: Equatable, Sendable {
    private let text: String
    /// Whether it is about the name: a beacon may still pass once its name is heard.
    package let isAboutName: Bool
    private let test: FilterKey.Test

    package static let help = """
        A condition is KEY=VALUE or KEY!=VALUE; rssi, battery and version also take > >= < <=. All filters must hold.
        name=Shelf*, address=F0:0D:* (* any characters, ? any one), vendor=kkm, kind=eddystone, model=BP1*, id=abcd, \
        rssi>-70, battery<30 (percent), version=1.*, version<5.20 (number by number), mode=bootloader or \
        mode=application, service=FE59 or a long UUID, company=0x004C, connectable=yes or no. @NAME stands for the \
        conditions of that name in --filter-file.
        """

    /// The condition in `text`: key, relation, value, without spaces between them.
    package init(_ text: String) throws(FilterError) {
        let word = text.prefix { $0.isLetter }
        guard let key = FilterKey.all.first(where: { $0.name == word.lowercased() }) else {
            let names = FilterKey.all.map(\.name)
            let keys = "keys are \(names.joined(separator: ", "))"
            throw FilterError(
                column: 1,
                message: word.isEmpty
                    ? "a key is missing; \(keys)"
                    : "unknown key '\(word)'"
                        + Spelling.hint(for: String(word), in: names, otherwise: "; \(keys)"))
        }
        let rest = text.dropFirst(word.count)
        guard let relation = FilterRelation.allCases.first(where: { rest.hasPrefix($0.rawValue) }) else {
            throw FilterError(column: word.count + 1, message: "=, !=, <, <=, > or >= is missing")
        }
        guard key.relations != .equality || relation == .equal || relation == .unequal else {
            throw FilterError(column: word.count + 1, message: "\(key.name) takes = and != only")
        }
        let value = String(rest.dropFirst(relation.rawValue.count))
        func refusal(_ message: String) -> FilterError {
            FilterError(column: word.count + relation.rawValue.count + 1, message: message)
        }
        if let words = key.validValues?(), !value.isEmpty, !value.contains(where: { "*?".contains($0) }),
            !words.contains(value.lowercased())
        {
            throw refusal(
                "there is no \(key.name) '\(value)'"
                    + Spelling.hint(
                        for: value.lowercased(), in: words,
                        otherwise: "; there are \(words.sorted().joined(separator: ", "))"))
        }
        guard let test = key.test(relation, value) else {
            let found = value.isEmpty ? "a value is missing" : "'\(value)' is not valid"
            throw refusal("\(found); \(key.name) is \(key.form)")
        }
        let isNegated = key.relations != .number && relation == .unequal
        (self.text, isAboutName) = (text, key.name == "name")
        self.test = { test($0) != isNegated }
    }

    /// Parses `text`; for the `transform` of an option.
    @Sendable package static func reading(_ text: String) throws -> SightingFilter {
        do throws(FilterError) { return try SightingFilter(text) } catch { throw ValidationError("\(error)") }
    }

    package func passes(_ sighting: BeaconSighting) -> Bool { test(sighting) }

    package static func == (left: SightingFilter, right: SightingFilter) -> Bool { left.text == right.text }
}

package struct FilterError: Error, Equatable, CustomStringConvertible {
    /// The column of the error in the condition, from 1.
    package let column: Int
    package let message: String

    package var description: String { "column \(column): \(message)" }
}

private enum FilterRelation: String, Sendable, CaseIterable {
    // Relations of two characters first: a shorter one may be a prefix of a longer one.
    case unequal = "!="
    case atLeast = ">="
    case atMost = "<="
    case equal = "="
    case above = ">"
    case below = "<"

    func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
        switch self {
        case .equal: left == right
        case .unequal: left != right
        case .above: left > right
        case .atLeast: left >= right
        case .below: left < right
        case .atMost: left <= right
        }
    }
}

private struct FilterKey: Sendable {
    typealias Test = @Sendable (BeaconSighting) -> Bool

    enum Relations: Sendable {
        /// Equal and unequal. A missing value is unequal to any.
        case equality
        /// One value can also be below another.
        case order
        /// As `order`, but a missing value is neither equal nor unequal.
        case number
    }

    let name: String
    /// What a value looks like, for messages.
    let form: String
    var relations = Relations.equality
    /// All valid values; nil for free text.
    var validValues: (@Sendable () -> Set<String>)?
    /// The test for a value; nil if the value is not valid. For `!=`, except with `number`, it tests whether they are
    /// equal, and its result is negated.
    let test: @Sendable (FilterRelation, String) -> Test?

    /// All keys, in the order of messages.
    static let all: [FilterKey] = [
        pattern("name", "a name") { $0.data.name },
        value("address", "an address" + wildcards, { addresses($0) }) { $1.matches($0.address.description) },
        pattern(
            "vendor", "a vendor such as kkm",
            validValues: { Set(Maker.allCases.map(\.rawValue) + KnownVendors.all.map(\.name)) }
        ) { $0.vendor },
        pattern(
            "kind", "a kind such as kkm or ibeacon",
            validValues: { Set(Family.allCases.map(\.rawValue) + KnownVendors.kinds.map(\.rawValue)) }
        ) { $0.kind },
        pattern("model", "a model") { $0.model },
        pattern("id", "the vendor's id of a beacon") { $0.identity.id },
        number("rssi", "a number of dBm", -128...127) { sighting in sighting.rssi.map { Int($0) } },
        number("battery", "a percentage", 0...100) { $0.identity.charge.percent },
        version,
        value("mode", "bootloader or application", { RunningProgram(rawValue: $0.lowercased()) }) {
            $0.mode == $1
        },
        value(
            "service", "a UUID such as FE59 or 8EC90001-F315-4F60-9FB8-838830DAEA50", { BluetoothUUID($0) }
        ) { $0.data.mentions($1) },
        value(
            "company", "a company's number such as 0x004C", { UInt16(decimalOrHexadecimal: $0) }
        ) { $0.data.companies.contains($1) },
        value("connectable", "yes or no", { ["yes": true, "no": false][$0.lowercased()] }) {
            $0.isConnectable == $1
        },
    ]

    private static let wildcards = ", * and ? are wildcards"

    private static let version = FilterKey(
        name: "version", form: "a version, after = and != * and ? are wildcards", relations: .order
    ) { relation, text in
        guard relation != .equal, relation != .unequal else {
            guard !text.isEmpty else { return nil }
            let glob = Glob(text)
            return { $0.identity.version.map(glob.matches) ?? false }
        }
        // Compared number by number, from left to right.
        guard let limit = VersionOrder(text) else { return nil }
        return { sighting in
            sighting.identity.version.flatMap { VersionOrder($0) }.map { relation.holds($0, limit) } ?? false
        }
    }

    private static func addresses(_ text: String) -> Glob? {
        let isPattern = text.allSatisfy { $0.isASCII && ($0.isHexDigit || ":*?".contains($0)) }
        return isPattern && !text.isEmpty ? Glob(text.uppercased()) : nil
    }

    /// A key whose values are `parsed` from the text of a condition.
    private static func value<Value: Sendable>(
        _ name: String, _ form: String, validValues: (@Sendable () -> Set<String>)? = nil,
        _ parsed: @escaping @Sendable (String) -> Value?,
        isOf: @escaping @Sendable (BeaconSighting, Value) -> Bool
    ) -> FilterKey {
        FilterKey(name: name, form: form, validValues: validValues) { _, text in
            guard let value = parsed(text) else { return nil }
            return { isOf($0, value) }
        }
    }

    /// A key whose values are patterns; in lower case if there are `validValues`.
    private static func pattern(
        _ name: String, _ form: String, validValues: (@Sendable () -> Set<String>)? = nil,
        of property: @escaping @Sendable (BeaconSighting) -> String?
    ) -> FilterKey {
        value(
            name, form + wildcards, validValues: validValues,
            { $0.isEmpty ? nil : Glob(validValues == nil ? $0 : $0.lowercased()) }
        ) { sighting, glob in property(sighting).map(glob.matches) ?? false }
    }

    private static func number(
        _ name: String, _ unit: String, _ range: ClosedRange<Int>,
        of property: @escaping @Sendable (BeaconSighting) -> Int?
    ) -> FilterKey {
        let form = "\(unit) from \(range.lowerBound) to \(range.upperBound)"
        return FilterKey(name: name, form: form, relations: .number) { relation, text in
            guard let limit = Int(text), range.contains(limit) else { return nil }
            return { property($0).map { relation.holds($0, limit) } ?? false }
        }
    }
}

extension AdvertisingData {
    /// Whether `service` is listed or has data.
    fileprivate func mentions(_ service: BluetoothUUID) -> Bool {
        elements.contains { element in
            switch element {
            case .services(let list, _): list.contains(service)
            case .serviceData(service, _): true
            default: false
            }
        }
    }
}

extension BeaconSightings { package var byStrength: [BeaconSighting] { SightingOrder.rssi.sorted(all) } }

package enum SightingOrder: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// Strongest signal first.
    case rssi
    case address
    /// Beacons without a name last.
    case name
    /// By the time when they were first heard.
    case seen

    /// Sorts by this order, then by address.
    package func sorted(_ sightings: some Sequence<BeaconSighting>) -> [BeaconSighting] {
        let byAddress = sightings.sorted {
            ($0.address.description, $0.address.kind.rawValue)
                < ($1.address.description, $1.address.kind.rawValue)
        }
        // The standard library's sort is stable.
        switch self {
        case .rssi: return byAddress.sorted { ($0.rssi ?? .min) > ($1.rssi ?? .min) }
        case .address: return byAddress
        case .name: return byAddress.sorted { isBefore($0.data.name, $1.data.name) }
        case .seen: return byAddress.sorted { $0.firstSeen < $1.firstSeen }
        }
    }

    private func isBefore(_ first: String?, _ second: String?) -> Bool {
        guard let first else { return false }
        guard let second else { return true }
        return first < second
    }
}
