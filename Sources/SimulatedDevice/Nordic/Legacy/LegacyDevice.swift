/// A device with a Legacy bootloader: what was built into both its programs.
public struct LegacyDevice: Hashable, Sendable {
    /// What the application hands to the bootloader about the central it was connected with
    /// (nRF5 SDK 11, `dfu_app_handler.c`).
    public enum Handover: String, Hashable, Sendable, CaseIterable {
        /// Nothing: the bootloader advertises to everybody, at its own address.
        case nothing = "none"
        /// An address: it advertises to that central alone, without a payload, at the application's address.
        case address
        /// A bond with an IRK: everybody hears it at the application's address, but it is not discoverable.
        case identity
    }

    /// How the bootloader behaves.
    public var personality: LegacyPersonality
    /// What init packets have to name as `device_type`; nil takes any.
    public var type: UInt16?
    /// What init packets have to name as `device_revision`; nil takes any.
    public var revision: UInt16?
    /// What the bootloader says of itself as the Firmware Revision String 2A26; nil where it has no Device Information.
    public var bootloaderRevision: String?
    /// What the application hands over when it is sent to its bootloader.
    public var handover = Handover.nothing
    /// Whether the application lives to answer the request that sends it to its bootloader.
    public var answersEntry = true

    /// A device with the given bootloader that takes packages for any device.
    public init(_ personality: LegacyPersonality) { self.personality = personality }
}
