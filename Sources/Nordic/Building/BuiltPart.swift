/// One part of a package, ready to be written.
struct BuiltPart {
    let role: FirmwareRole
    let binFile: String
    let datFile: String
    let image: [UInt8]
    let initPacket: [UInt8]
    /// Sizes that the manifest lists for a SoftDevice with a bootloader; informational only.
    let sizes: (bootloader: Int, softDevice: Int)?
}
