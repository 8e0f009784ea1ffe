/// Which of a device's programs takes an update, by what the device shows on a link.
public enum Receiver: Hashable, Sendable {
    /// A bootloader: it shows nothing but what an update needs.
    case bootloader
    /// The running application: it keeps its address, and is there again when the update is over.
    case application
    /// Open: it shows Device Information as well, as applications and some bootloaders do.
    case either
}
