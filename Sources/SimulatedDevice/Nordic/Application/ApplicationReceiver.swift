/// How an application takes updates itself, in place of a bootloader (nordic-legacy.md and nordic-secure.md,
/// Applications that take updates).
public struct ApplicationReceiver: Hashable, Sendable {
    /// What the application offers beside the update service.
    public enum OtherServices: String, Hashable, Sendable, CaseIterable {
        /// Device Information, Battery.
        case full
        /// Device Information.
        case information
    }

    /// What the new application calls its firmware; nil where it is as the old one's text follows from the version.
    public var updatedRevision: String?
    /// What else is offered.
    public var otherServices = OtherServices.full
    /// Whether updates are switched off: every access is refused with 08.
    public var isSwitchedOff = false
    /// Legacy: whether the Write Response to Activate leaves before the restart.
    public var answersActivation = false
    /// Secure: whether each packet is answered with `60 03 01`.
    public var answersEveryPacket = false
    /// Secure: whether what was received outlives a link.
    public var keepsState = false

    /// A receiver like those in the field.
    public init() {}
}
