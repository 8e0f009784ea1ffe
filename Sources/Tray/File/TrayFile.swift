/// The units of a tray and their update: the content of one YAML file (docs/formats/tray.md).
///
/// Every value can be written (``text``) and reads back equal.
public struct TrayFile: Hashable, Sendable {
    /// The beacons. No two slots have the same label or can select the same beacon.
    public internal(set) var units: TrayUnits
    /// The firmware of all units without firmware of their own.
    public let firmware: TrayFirmware?
    /// The memory layout of Dialog units that name none of their own.
    public let memory: TrayMemory?
    /// Files of settings, each for one kind of unit; `config` in the file.
    public let settings: [String]
    /// The limits of a run.
    public let limits: TrayLimits
    /// The order in which units start.
    public let order: TrayOrder
    /// The bench's name.
    public let station: String?
    /// The operator's name; `operator` in the file.
    public let operatorName: String?
    /// The work order's number.
    public let orderNumber: String?

    /// Throws for a tray that its file format cannot express, and for units without firmware unless an order gives it
    /// (`isOrdered`).
    public init(
        units: TrayUnits, firmware: TrayFirmware? = nil, memory: TrayMemory? = nil, settings: [String] = [],
        limits: TrayLimits = TrayLimits(),
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
        self.units = units
        self.firmware = firmware
        self.memory = memory
        self.settings = settings
        self.limits = limits
        self.order = order
        self.station = station
        self.operatorName = operatorName
        self.orderNumber = orderNumber
    }

    /// Allowed numbers of units.
    static let counts = 1...1000

    /// The most kinds of beacons with settings.
    private static let mostSettings = 8

    private static func check(_ slots: [TraySlot], isFirmwareGiven: Bool) throws(TrayFileError) {
        guard !slots.isEmpty else { throw TrayFileError("slots", "a tray has at least one slot") }
        guard slots.count <= counts.upperBound else {
            throw TrayFileError(
                "slot", "a tray has at most \(counts.upperBound) slots", slot: counts.upperBound)
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
}

extension TrayFile {
    /// The slots; empty if a rule selects the beacons.
    public var slots: [TraySlot] { if case .slots(let slots) = units { slots } else { [] } }
}
