/// A device with a Legacy bootloader: the fixed properties of its two programs.
public struct LegacyDevice: Hashable, Sendable {
    /// What the application tells the bootloader about the connected central (nRF5 SDK 11, `dfu_app_handler.c`).
    public enum Handover: String, Hashable, Sendable, CaseIterable {
        /// Nothing: the bootloader advertises to all centrals, at its own address.
        case nothing = "none"
        /// An address: it advertises to that central only, without a payload, at the application's address.
        case address
        /// A bond with an IRK: all scanners hear it at the application's address, but it is not discoverable.
        case identity
    }

    /// The profile of the bootloader.
    public var personality: LegacyPersonality
    /// The `device_type` that init packets must name; nil for any.
    public var type: UInt16?
    /// The `device_revision` that init packets must name; nil for any.
    public var revision: UInt16?
    /// The bootloader's Firmware Revision String 2A26; nil if it has no Device Information.
    public var bootloaderRevision: String?
    /// What the application tells the bootloader when it enters it.
    public var handover = Handover.nothing
    /// Whether the request to enter the bootloader gets a response.
    public var answersEntry = true

    /// A device with this bootloader that accepts packages for any device.
    public init(_ personality: LegacyPersonality) { self.personality = personality }
}
