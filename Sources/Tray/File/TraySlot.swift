public import BeaconIdentity
import BluetoothTypes
import Spelling

/// A place on a tray, for one beacon.
public struct TraySlot: Hashable, Sendable {
    /// What is written at the place, as `A1`.
    public let label: String
    /// The beacon that lies there; nil until a scanner has read its label.
    public internal(set) var device: DeviceSelector?
    /// The vendor's id on the beacon's label; nil where it was not read.
    public let id: String?
    /// Its own firmware; nil for the tray's.
    public private(set) var firmware: TrayFirmware?
    /// Where its own unit's memory is; nil for what the tray says.
    public let memory: TrayMemory?

    /// A place with a beacon in it, or an empty one.
    public init(
        _ label: String, device: DeviceSelector? = nil, id: String? = nil, firmware: TrayFirmware? = nil,
        memory: TrayMemory? = nil
    ) throws(TrayFlaw) {
        try TrayText.check(label, of: "slot")
        if let flaw = device?.slotFlaw { throw TrayFlaw("device", flaw) }
        try TrayText.check(id, of: "id")
        try firmware?.check()
        self.label = label
        self.id = id
        self.device = device
        self.firmware = firmware
        self.memory = memory
    }

    /// The same place, which gets the tray's firmware.
    public var withoutFirmware: TraySlot {
        var slot = self
        slot.firmware = nil
        return slot
    }
}

extension DeviceSelector {
    /// Why it cannot fill a slot; nil where it can.
    var slotFlaw: String? {
        let text =
            switch self {
            case .name(let name): name.pattern
            case .id(let id): id
            case .address, .bareAddress, .iBeacon: "\(self)"
            }
        if case .name = self, text.contains(where: { "*?".contains($0) }) {
            return "a slot is for one beacon, and 'name:\(text)' may be several; patterns are for 'rule'"
        }
        return TrayText.flaw(in: text).map { "the selector \($0)" }
    }

    /// What no two slots of a tray may have in common, and no two benches: a beacon's address without its type is either of two.
    public var meanings: [String] {
        switch self {
        case .address, .bareAddress: addresses.map { "\($0)/\($0.kind.rawValue)" }
        case .id(let id): ["id:\(id.lowercased())"]
        case .name, .iBeacon: ["\(self)"]
        }
    }
}

/// Where a Dialog unit's memory is, which it does not tell: as `--pins` and `--profile` say it.
public struct TrayMemory: Hashable, Sendable {
    /// The pins; nil for those of the profile, or the chip maker's.
    public let pins: String?
    /// The profile's name; nil for none.
    public let profile: String?

    /// Pins, a profile, or both; nil for neither.
    public init?(pins: String? = nil, profile: String? = nil) throws(TrayFlaw) {
        guard pins != nil || profile != nil else { return nil }
        try TrayText.check(pins, of: "pins")
        try TrayText.check(profile, of: "profile")
        (self.pins, self.profile) = (pins, profile)
    }
}
