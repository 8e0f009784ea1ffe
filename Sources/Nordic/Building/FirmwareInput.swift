/// An image to pack.
public struct FirmwareInput: Hashable, Sendable {
    /// The file name without folders; the entries of the package are named after it.
    public var name: String
    /// The image, a multiple of 4 bytes.
    public var bytes: [UInt8]
    /// The image's version; a SoftDevice has none.
    public var version: UInt32
    /// How the bootloader checks the image at every start.
    public var bootCheck: BootCheck

    /// An image from the file `name`.
    public init(name: String, bytes: [UInt8], version: UInt32, bootCheck: BootCheck = .crc) {
        self.name = name
        self.bytes = bytes
        self.version = version
        self.bootCheck = bootCheck
    }

    /// The name without `.hex` or `.bin`.
    var stem: String {
        for ending in [".hex", ".bin"] where name.hasSuffix(ending) && name.count > ending.count {
            return String(name.dropLast(ending.count))
        }
        return name
    }
}
