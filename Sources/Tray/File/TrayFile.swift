import Bluetooth
package import Bytes
package import Firmware
import UpdateModel

/// The units of a tray and their update: the content of one YAML file (docs/formats/tray.md).
///
/// Every value can be written (``text``), and is read back as an equal value.
package struct TrayFile: Hashable, Sendable {
    /// The beacons. Slots differ in their labels, and no two slots can select the same beacon.
    package internal(set) var units: TrayUnits
    /// The firmware of all units without firmware of their own.
    package let firmware: TrayFirmware?
    /// The description of units whose slot has none of its own.
    package let description: UnitDescription?
    /// Files of settings, each for one kind of unit; `config` in the file.
    package let settings: [String]
    package let limits: TrayLimits
    package let order: TrayOrder
    package let station, operatorName, orderNumber: String?

    /// Throws for a tray that its file format cannot express, and for units without firmware unless an order gives it
    /// (`isOrdered`).
    package init(
        units: TrayUnits, firmware: TrayFirmware? = nil, description: UnitDescription? = nil,
        settings: [String] = [], limits: TrayLimits = TrayLimits(),
        order: TrayOrder = .listed, station: String? = nil, operatorName: String? = nil,
        orderNumber: String? = nil, isOrdered: Bool = false
    ) throws(TrayFileError) {
        try TrayText.check(station, of: "station")
        try TrayText.check(operatorName, of: "operator")
        try TrayText.check(orderNumber, of: "order_number")
        try firmware?.check()
        guard settings.count <= Self.mostSettings, Set(settings).count == settings.count else {
            throw TrayFileError(
                "config", "'config' lists at most \(Self.mostSettings) files, each of them once")
        }
        for path in settings { try TrayText.check(path, of: "config", upTo: TrayText.mostPathBytes) }
        switch units {
        case .slots(let slots): try Self.check(slots, isFirmwareGiven: firmware != nil || isOrdered)
        case .rule:
            guard firmware != nil || isOrdered else {
                throw TrayFileError("rule", "'firmware' or 'catalogue' is missing")
            }
        }
        (self.units, self.firmware, self.description) = (units, firmware, description)
        (self.settings, self.limits, self.order) = (settings, limits, order)
        (self.station, self.operatorName, self.orderNumber) = (station, operatorName, orderNumber)
    }

    /// The possible numbers of units.
    static let counts = 1...1000

    /// The highest number of files of settings.
    private static let mostSettings = 8

    private static func check(_ slots: [TraySlot], isFirmwareGiven: Bool) throws(TrayFileError) {
        guard !slots.isEmpty else {
            throw TrayFileError("slots", "the tray has no slots; list at least one")
        }
        guard slots.count <= counts.upperBound else {
            throw TrayFileError(
                "slot", "the tray has more than \(counts.upperBound) slots", slot: counts.upperBound)
        }
        var labels: Set<String> = []
        var holders: [String: String] = [:]
        for (index, slot) in slots.enumerated() {
            guard labels.insert(slot.label).inserted else {
                throw TrayFileError("slot", "slot '\(slot.label)' appears twice", slot: index)
            }
            for meaning in slot.device?.meanings ?? [] {
                if let other = holders.updateValue(slot.label, forKey: meaning) {
                    throw TrayFileError("device", "slot '\(other)' already has this beacon", slot: index)
                }
            }
            guard isFirmwareGiven || slot.firmware != nil else {
                throw TrayFileError(
                    "slot", "'firmware' or 'catalogue' is missing, for slot '\(slot.label)' or for the tray",
                    slot: index)
            }
        }
    }

    package var slots: [TraySlot] { if case .slots(let slots) = units { slots } else { [] } }

    /// The keys of a tray file, in the order of the format's page.
    static var keys: [String] {
        ["tray", "slots", "rule", "firmware", "catalogue"] + UnitDescription.keys
            + ["config", "order", "limits", "station", "operator", "order_number"]
    }

    /// Reads a tray file. Every error has its line and column.
    package init(parsing text: [UInt8], isOrdered: Bool = false) throws(YAMLProblem) {
        let root = try YAMLValue(parsing: text)
        let values = try root.values(of: Self.keys)
        try root.requireVersion("tray", in: values)
        let units: TrayUnits
        switch (values["slots"], values["rule"]) {
        case (let list?, nil): units = .slots(try list.list().map(TraySlot.init))
        case (nil, let rule?): units = .rule(try TrayRule(rule))
        case (nil, nil):
            throw root.problem("'slots' or 'rule' is missing: one of them has to select the beacons")
        case (_?, let rule?): throw rule.problem("a tray has either 'slots' or 'rule', not both")
        }
        let firmware = try TrayFirmware(among: values)
        let settings = try values["config"]?.texts() ?? []
        let limits = try values["limits"].map(TrayLimits.init) ?? TrayLimits()
        let order = try values["order"]?.word() ?? TrayOrder.listed
        let station = try values["station"]?.text()
        let operatorName = try values["operator"]?.text()
        let orderNumber = try values["order_number"]?.text()
        let description = try UnitDescription.texts(among: values)
        self = try root.checked { () throws(TrayFileError) in
            try TrayFile(
                units: units, firmware: firmware, description: UnitDescription(description),
                settings: settings, limits: limits, order: order,
                station: station, operatorName: operatorName, orderNumber: orderNumber, isOrdered: isOrdered)
        }
    }
}

extension TraySlot {
    /// The keys of a slot, in the order of the format's page.
    static var keys: [String] { ["slot", "device", "id", "firmware", "catalogue"] + UnitDescription.keys }

    init(_ value: YAMLValue) throws(YAMLProblem) {
        let values = try value.values(of: Self.keys)
        let label = try value.required("slot", in: values).text()
        let device = try values["device"].map { (value) throws(YAMLProblem) in
            let text = try value.text()
            guard let device = DeviceSelector(text) else {
                throw value.problem(DeviceSelector.flaw(in: text))
            }
            return device
        }
        let id = try values["id"]?.text()
        let firmware = try TrayFirmware(among: values)
        let description = try UnitDescription.texts(among: values)
        self = try value.checked { () throws(TrayFileError) in
            try TraySlot(
                label, device: device, id: id, firmware: firmware, description: UnitDescription(description))
        }
    }
}

extension TrayRule {
    /// The keys of a rule, in the order of the format's page.
    static let keys = ["vendor", "model", "name", "rssi_above", "expected"]

    init(_ value: YAMLValue) throws(YAMLProblem) {
        let values = try value.values(of: Self.keys)
        let vendor = try values["vendor"]?.text()
        let model = try values["model"]?.text()
        let name = try values["name"]?.text()
        let rssi: Int? = try values["rssi_above"]?.number(in: Self.rssi)
        let expected: Int? = try values["expected"]?.number(in: TrayFile.counts)
        self = try value.checked { () throws(TrayFileError) in
            try TrayRule(vendor: vendor, model: model, name: name, rssiAbove: rssi, expected: expected)
        }
    }
}

extension TrayFirmware {
    /// The keys of `catalogue`, in the order of the format's page.
    static let catalogueKeys = ["folder", "channel", "release"]

    /// The firmware that the keys of a tray or a slot name; nil if they name none.
    init?(among values: [String: YAMLValue]) throws(YAMLProblem) {
        switch (values["firmware"], values["catalogue"]) {
        case (nil, nil): return nil
        case (let file?, nil): self = .file(try file.text())
        case (nil, let catalogue?):
            let own = try catalogue.values(of: Self.catalogueKeys)
            self = .catalogue(
                folder: try catalogue.required("folder", in: own).text(),
                channel: try own["channel"]?.word() ?? .release, release: try own["release"]?.text())
        case (_?, let catalogue?):
            throw catalogue.problem("firmware is either a file ('firmware') or from a catalogue, not both")
        }
    }
}

extension UnitDescription {
    fileprivate static func texts(among values: [String: YAMLValue]) throws(YAMLProblem) -> [String: String] {
        var texts: [String: String] = [:]
        for key in keys { texts[key] = try values[key]?.text() }
        return texts
    }
}

extension YAMLValue {
    fileprivate func texts() throws(YAMLProblem) -> [String] {
        guard let values = try? list() else { return [try text()] }
        guard !values.isEmpty else { throw problem("the list is empty") }
        return try values.map { (value) throws(YAMLProblem) in try value.text() }
    }

    /// Returns the result of `make`; turns its error into a problem at the line and column of the error's key.
    func checked<Value>(_ make: () throws(TrayFileError) -> Value) throws(YAMLProblem) -> Value {
        do throws(TrayFileError) { return try make() } catch {
            let slot = error.slot.flatMap { self["slots"]?[$0] } ?? self
            throw (slot[error.key] ?? slot).problem(error.message)
        }
    }

    private subscript(key: String) -> YAMLValue? {
        (try? members())?.first { $0.key == key }?.value
    }

    private subscript(index: Int) -> YAMLValue? {
        guard let values = try? list(), values.indices.contains(index) else { return nil }
        return values[index]
    }
}

package enum TrayOrder: String, CaseIterable, Sendable {
    /// The units in the order of the slots; with a rule, in the order in which they are heard.
    case listed
    case loudest
}

package enum TrayUnits: Hashable, Sendable {
    case slots([TraySlot])
    case rule(TrayRule)
}

/// The source of a unit's firmware. Paths are relative to the folder of the tray file, or absolute.
package enum TrayFirmware: Hashable, Sendable {
    case file(String)
    /// A release of the catalogue in `folder`: the version `release`; if it is nil, the one that the catalogue chooses
    /// for the unit from `channel`.
    case catalogue(folder: String, channel: CatalogueChannel, release: String? = nil)

    func check() throws(TrayFileError) {
        switch self {
        case .file(let path): try TrayText.check(path, of: "firmware", upTo: TrayText.mostPathBytes)
        case .catalogue(let folder, _, let release):
            try TrayText.check(folder, of: "catalogue", upTo: TrayText.mostPathBytes)
            try TrayText.check(release, of: "release")
        }
    }
}

package struct TrayFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The slot's index, from 0; nil if the error is not in a slot.
    package let slot: Int?
    /// The tray file's key with the error (docs/formats/tray.md).
    package let key: String
    package let message: String

    init(_ key: String, _ message: String, slot: Int? = nil) {
        (self.slot, self.key, self.message) = (slot, key, message)
    }

    package var description: String { message }
}

/// The limits of a tray's run; nil for no limit.
package struct TrayLimits: Hashable, Sendable {
    /// Links of each adapter at the same time.
    package private(set) var links: Int?
    /// Attempts at a unit before it counts as failed.
    package private(set) var attempts: Int?
    /// The percentage of units that may fail; above it, no further unit starts.
    package private(set) var failurePercent: Int?
    /// Seconds for a unit, for all its attempts together.
    package private(set) var unitSeconds: Int?
    /// Seconds for the whole tray; after them, no further unit starts.
    package private(set) var traySeconds: Int?

    package init() {}

    typealias Limit = WritableKeyPath<TrayLimits, Int?> & Sendable

    /// All limits with their keys and ranges, in the order of the format's page.
    static let all: [(key: String, limit: any Limit, range: ClosedRange<Int>)] = [
        // 20 is the largest known limit of a controller.
        ("links", \.links, 1...64), ("attempts", \.attempts, 1...100),
        ("failure_percent", \.failurePercent, 0...100),
        // 86,400 s are a day.
        ("unit_s", \.unitSeconds, 1...86_400), ("tray_s", \.traySeconds, 1...86_400),
    ]

    /// Reads the members of a mapping; throws for a value that is out of its range.
    init(_ value: YAMLValue) throws(YAMLProblem) {
        let values = try value.values(of: Self.all.map(\.key))
        for (key, limit, range) in Self.all { self[keyPath: limit] = try values[key]?.number(in: range) }
        try value.checked(check)
    }

    /// These limits with `links` as the limit of links, unless it is nil; throws if it is out of its range.
    package func allowing(links: Int?) throws(TrayFileError) -> TrayLimits {
        var limits = self
        limits.links = links ?? limits.links
        try limits.check()
        return limits
    }

    private func check() throws(TrayFileError) {
        for (key, limit, range) in Self.all { try self[keyPath: limit].check(in: range, of: key) }
        if let unitSeconds, let traySeconds, unitSeconds > traySeconds {
            throw TrayFileError(
                "unit_s", "a unit may take \(unitSeconds) s, and its tray only \(traySeconds) s")
        }
    }
}

/// Selects beacons without slots: all beacons that match every condition that is not nil.
package struct TrayRule: Hashable, Sendable {
    /// The vendor, as `scan` names vendors.
    package let vendor: String?
    /// The model, as `scan` shows it; a pattern with `*` and `?`.
    package let model: String?
    /// The advertised name; a pattern with `*` and `?`.
    package let name: String?
    /// The signal strength in dBm that a beacon has to exceed: beacons of other benches are farther away.
    package let rssiAbove: Int?
    /// The number of beacons, so that a missing or an extra one is noticed; nil if they are not counted.
    package let expected: Int?

    /// Requires at least one of `vendor`, `model` and `name`: loudness alone would select any beacon nearby.
    package init(
        vendor: String? = nil, model: String? = nil, name: String? = nil, rssiAbove: Int? = nil,
        expected: Int? = nil
    ) throws(TrayFileError) {
        guard vendor != nil || model != nil || name != nil else {
            throw TrayFileError("rule", "a rule needs at least one of 'vendor', 'model' and 'name'")
        }
        if let vendor, !Self.vendors.contains(vendor) {
            let list = "; the vendors are \(Self.vendors.joined(separator: ", "))"
            let hint = Spelling.hint(for: vendor, in: Self.vendors, otherwise: list)
            throw TrayFileError("vendor", "there is no vendor '\(vendor)'" + hint)
        }
        try TrayText.check(model, of: "model")
        try TrayText.check(name, of: "name")
        try rssiAbove.check(in: Self.rssi, of: "rssi_above")
        try expected.check(in: TrayFile.counts, of: "expected")
        (self.vendor, self.model, self.name, self.rssiAbove) = (vendor, model, name, rssiAbove)
        self.expected = expected
    }

    static var vendors: [String] {
        Set(Maker.allCases.map(\.rawValue) + KnownVendors.all.map(\.name)).sorted()
    }

    /// The signal strengths that controllers report, in dBm (Bluetooth Core, Vol 4, Part E, 7.7.65.2).
    static let rssi = -127...20
}
