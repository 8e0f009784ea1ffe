/// One part of a package, ready to be written.
struct BuiltPart {
    let role: FirmwareRole
    let binFile: String
    let datFile: String
    let image: [UInt8]
    let initPacket: [UInt8]
    /// What the manifest notes for people about a SoftDevice with a bootloader.
    let sizes: (bootloader: Int, softDevice: Int)?
}
