/// How an application receives updates itself, without a bootloader (nordic-legacy.md and nordic-secure.md,
/// Applications that take updates).
public struct ApplicationReceiver: Hashable, Sendable {
    /// The services of the application in addition to the update service.
    public enum OtherServices: String, Hashable, Sendable, CaseIterable {
        /// Device Information, Battery.
        case full
        /// Device Information.
        case information
    }

    /// The firmware revision of the new application; nil to derive it from the version, as for the old one.
    public var updatedRevision: String?
    /// The further services.
    public var otherServices = OtherServices.full
    /// Whether updates are switched off: every access is refused with 08.
    public var isSwitchedOff = false
    /// Legacy: whether the Write Response to Activate is sent before the restart.
    public var answersActivation = false
    /// Secure: whether every packet is answered with `60 03 01`.
    public var answersEveryPacket = false
    /// Secure: whether what was received survives the end of a link.
    public var keepsState = false

    /// A receiver like those in the field.
    public init() {}
}
