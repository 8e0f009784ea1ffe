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
    public var otherServices = OtherServices.full
    /// Whether updates are switched off: every access is refused with ATT error 0x08.
    public var isSwitchedOff = false
    /// Legacy: whether the Write Response to Activate is sent before the restart.
    public var answersActivation = false
    /// Secure: whether every packet is answered with `60 03 01`.
    public var answersEveryPacket = false
    /// Secure: whether the received data survive the end of a link.
    public var keepsState = false

    public init() {}
}
