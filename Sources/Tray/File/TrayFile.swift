/// What lies on a tray and what is to be done with it: the content of one YAML file (docs/formats/tray.md).
///
/// Every value can be written (``text``) and reads back equal.
public struct TrayFile: Hashable, Sendable {
    /// Which beacons. No two slots have the same label or can mean the same beacon.
    public internal(set) var units: TrayUnits
    /// The firmware of all units that have none of their own.
    public let firmware: TrayFirmware?
    /// Where the memory of units is that say nothing of their own; it concerns Dialog's.
    public let memory: TrayMemory?
    /// Files of settings, each for the units of its kind; `config` in the file.
    public let settings: [String]
    /// What the run may not exceed.
    public let limits: TrayLimits
    /// Which unit is begun first.
    public let order: TrayOrder
    /// The bench.
    public let station: String?
    /// Who works at it; `operator` in the file.
    public let operatorName: String?
    /// The work order.
    public let orderNumber: String?

    /// A tray. Refuses what its file could not say, and units without firmware unless somebody else says it (`isOrdered`).
    public init(
        units: TrayUnits, firmware: TrayFirmware? = nil, memory: TrayMemory? = nil, settings: [String] = [],
        limits: TrayLimits = TrayLimits(),
        order: TrayOrder = .listed, station: String? = nil, operatorName: String? = nil,
        orderNumber: String? = nil, isOrdered: Bool = false
    ) throws(TrayFlaw) {
        try TrayText.check(station, of: "station")
        try TrayText.check(operatorName, of: "operator")
        try TrayText.check(orderNumber, of: "order_number")
        try firmware?.check()
        guard settings.count <= Self.mostSettings, Set(settings).count == settings.count else {
            throw TrayFlaw("config", "'config' has at most \(Self.mostSettings) files, each of them once")
        }
        for path in settings { try TrayText.check(path, of: "config", upTo: TrayText.mostPathBytes) }
        switch units {
        case .slots(let slots): try Self.check(slots, isFirmwareGiven: firmware != nil || isOrdered)
        case .rule:
            guard firmware != nil || isOrdered else {
                throw TrayFlaw("rule", "'firmware' or 'catalogue' is missing")
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

    /// How many units a tray has.
    static let counts = 1...1000

    /// Kinds of beacons that a tray has.
    private static let mostSettings = 8

    private static func check(_ slots: [TraySlot], isFirmwareGiven: Bool) throws(TrayFlaw) {
        guard !slots.isEmpty else { throw TrayFlaw("slots", "a tray has at least one slot") }
        guard slots.count <= counts.upperBound else {
            throw TrayFlaw("slot", "a tray has at most \(counts.upperBound) slots", slot: counts.upperBound)
        }
        var labels: Set<String> = []
        var holders: [String: String] = [:]
        for (index, slot) in slots.enumerated() {
            guard labels.insert(slot.label).inserted else {
                throw TrayFlaw("slot", "slot '\(slot.label)' appears twice", slot: index)
            }
            for meaning in slot.device?.meanings ?? [] {
                if let other = holders.updateValue(slot.label, forKey: meaning) {
                    throw TrayFlaw("device", "slot '\(other)' has this beacon already", slot: index)
                }
            }
            guard isFirmwareGiven || slot.firmware != nil else {
                throw TrayFlaw(
                    "slot", "'firmware' or 'catalogue' is missing, for slot '\(slot.label)' or for the tray",
                    slot: index)
            }
        }
    }
}

extension TrayFile {
    /// Its slots; none where a rule says which beacons are meant.
    public var slots: [TraySlot] { if case .slots(let slots) = units { slots } else { [] } }
}
