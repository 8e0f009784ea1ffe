import Bluetooth
import Bytes
public import Identity

/// A place on a tray, for one beacon.
public struct TraySlot: Hashable, Sendable {
    /// The label at the place, for example `A1`.
    public let label: String
    /// The beacon in it; nil until a scanner has read its label.
    public internal(set) var device: DeviceSelector?
    /// The vendor's id on the beacon's label; nil if it was not read.
    public let id: String?
    /// The slot's own firmware; nil for the tray's.
    public private(set) var firmware: TrayFirmware?
    /// The memory layout of the slot's own unit; nil for the tray's.
    public let memory: TrayMemory?

    /// A slot with a beacon, or an empty one.
    public init(
        _ label: String, device: DeviceSelector? = nil, id: String? = nil, firmware: TrayFirmware? = nil,
        memory: TrayMemory? = nil
    ) throws(TrayFileError) {
        try TrayText.check(label, of: "slot")
        if let flaw = device?.slotFlaw { throw TrayFileError("device", flaw) }
        try TrayText.check(id, of: "id")
        try firmware?.check()
        self.label = label
        self.id = id
        self.device = device
        self.firmware = firmware
        self.memory = memory
    }

    /// The same slot with the tray's firmware.
    public var withoutFirmware: TraySlot {
        var slot = self
        slot.firmware = nil
        return slot
    }
}

extension DeviceSelector {
    /// The reason why it cannot fill a slot; nil if it can.
    var slotFlaw: String? {
        let text =
            switch self {
            case .name(let name): name.pattern
            case .id(let id): id
            case .address, .bareAddress, .iBeacon: "\(self)"
            }
        if case .name = self, text.contains(where: { "*?".contains($0) }) {
            return "a slot is for one beacon, but 'name:\(text)' may match several; use patterns in 'rule'"
        }
        return TrayText.flaw(in: text).map { "the selector \($0)" }
    }

    /// Keys that no two slots of a tray, and no two benches, may share: an address without its type stands for both
    /// types.
    public var meanings: [String] {
        switch self {
        case .address, .bareAddress: addresses.map { "\($0)/\($0.kind.rawValue)" }
        case .id(let id): ["id:\(id.lowercased())"]
        case .name, .iBeacon: ["\(self)"]
        }
    }
}

/// The memory layout of a Dialog unit, which the unit does not report: as given by `--pins` and `--profile`.
public struct TrayMemory: Hashable, Sendable {
    /// The pins; nil for the profile's, or the chip maker's.
    public let pins: String?
    /// The profile's name; nil for none.
    public let profile: String?

    /// Pins, a profile, or both; nil for neither.
    public init?(pins: String? = nil, profile: String? = nil) throws(TrayFileError) {
        guard pins != nil || profile != nil else { return nil }
        try TrayText.check(pins, of: "pins")
        try TrayText.check(profile, of: "profile")
        (self.pins, self.profile) = (pins, profile)
    }
}
