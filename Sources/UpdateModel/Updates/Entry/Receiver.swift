/// The program of a device that takes an update, as detected over a link.
public enum Receiver: Hashable, Sendable {
    /// A bootloader: it offers only what an update needs.
    case bootloader
    /// The running application: it keeps its address, and is there again after the update.
    case application
    /// Undecided: it offers Device Information as well, as applications and some bootloaders do.
    case either
}
