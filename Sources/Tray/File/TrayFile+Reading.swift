public import Bytes
import Firmware
import Identity

extension TrayFile {
    /// The keys of a tray file, in the order of the format's page.
    static let keys = [
        "tray", "slots", "rule", "firmware", "catalogue", "pins", "profile", "config", "order", "limits",
        "station", "operator",
        "order_number",
    ]

    /// Reads a tray file. Every error has its line and column.
    public init(parsing text: [UInt8], isOrdered: Bool = false) throws(YAMLProblem) {
        let root = try YAMLValue(parsing: text)
        let values = try root.values(of: Self.keys)
        let version = try root.required("tray", in: values)
        guard try version.text() == "1" else {
            throw version.problem("only version 1 of the format is known")
        }
        let units: TrayUnits
        switch (values["slots"], values["rule"]) {
        case (let list?, nil): units = .slots(try TraySlot.list(list))
        case (nil, let rule?): units = .rule(try TrayRule(rule))
        case (nil, nil):
            throw root.problem("'slots' or 'rule' is missing: one of them has to select the beacons")
        case (_?, let rule?): throw rule.problem("a tray has either 'slots' or 'rule', not both")
        }
        let firmware = try TrayFirmware(among: values)
        let settings = try values["config"].map { (value) throws(YAMLProblem) in try value.texts() } ?? []
        let limits = try values["limits"].map { (value) throws(YAMLProblem) in try TrayLimits(value) }
        let order = try values["order"]?.word() ?? TrayOrder.listed
        let station = try values["station"]?.text()
        let operatorName = try values["operator"]?.text()
        let orderNumber = try values["order_number"]?.text()
        let (pins, profile) = (try values["pins"]?.text(), try values["profile"]?.text())
        self = try root.checked { () throws(TrayFileError) in
            try TrayFile(
                units: units, firmware: firmware, memory: TrayMemory(pins: pins, profile: profile),
                settings: settings, limits: limits ?? TrayLimits(),
                order: order,
                station: station, operatorName: operatorName, orderNumber: orderNumber,
                isOrdered: isOrdered)
        }
    }
}

extension TraySlot {
    /// The keys of every slot, in the order of the format's page.
    static let keys = ["slot", "device", "id", "firmware", "catalogue", "pins", "profile"]

    static func list(_ value: YAMLValue) throws(YAMLProblem) -> [TraySlot] {
        var slots: [TraySlot] = []
        for value in try value.list() { slots.append(try TraySlot(value)) }
        return slots
    }

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
        let (pins, profile) = (try values["pins"]?.text(), try values["profile"]?.text())
        self = try value.checked { () throws(TrayFileError) in
            try TraySlot(
                label, device: device, id: id, firmware: firmware,
                memory: TrayMemory(pins: pins, profile: profile))
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

extension TrayLimits {
    /// The keys of limits, in the order of the format's page.
    static let keys = ["links", "attempts", "failure_percent", "unit_s", "tray_s"]

    init(_ value: YAMLValue) throws(YAMLProblem) {
        let values = try value.values(of: Self.keys)
        let links: Int? = try values["links"]?.number(in: Self.links)
        let attempts: Int? = try values["attempts"]?.number(in: Self.attempts)
        let percent: Int? = try values["failure_percent"]?.number(in: Self.percents)
        let unit: Int? = try values["unit_s"]?.number(in: Self.seconds)
        let tray: Int? = try values["tray_s"]?.number(in: Self.seconds)
        self = try value.checked { () throws(TrayFileError) in
            try TrayLimits(
                links: links, attempts: attempts, failurePercent: percent, unitSeconds: unit,
                traySeconds: tray)
        }
    }
}

extension TrayFirmware {
    /// The keys of `catalogue`, in the order of the format's page.
    static let catalogueKeys = ["folder", "channel"]

    /// The firmware that the keys of a tray or a slot name; nil if they name none.
    init?(among values: [String: YAMLValue]) throws(YAMLProblem) {
        switch (values["firmware"], values["catalogue"]) {
        case (nil, nil): return nil
        case (let file?, nil): self = .file(try file.text())
        case (nil, let catalogue?):
            let own = try catalogue.values(of: Self.catalogueKeys)
            self = .catalogue(
                folder: try catalogue.required("folder", in: own).text(),
                channel: try own["channel"]?.word() ?? .release)
        case (_?, let catalogue?):
            throw catalogue.problem("firmware is either a file ('firmware') or from a catalogue, not both")
        }
    }
}

extension YAMLValue {
    /// Returns the result of `make`; reports its error at the place of the error's key.
    fileprivate func checked<Value>(_ make: () throws(TrayFileError) -> Value) throws(YAMLProblem) -> Value {
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

extension YAMLValue {
    /// A single text or a list of texts.
    fileprivate func texts() throws(YAMLProblem) -> [String] {
        guard let values = try? list() else { return [try text()] }
        guard !values.isEmpty else { throw problem("the list is empty") }
        return try values.map { (value) throws(YAMLProblem) in try value.text() }
    }
}
