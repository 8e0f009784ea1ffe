/// What a beacon takes over from an earlier run of the program, apart from its flash's bytes.
public struct RetainedState: Codable, Hashable, Sendable {
    /// What ran.
    public var program: Restart.Program
    /// The settings page in flash: versions, executed init packet, sizes.
    public var page: BootloaderSettings
    /// The settings as the bootloader's RAM had them.
    public var settings: BootloaderSettings
    /// The rest of the bootloader's RAM: progress, current object, PRN.
    public var memory: BootloaderMemory
    /// What a KBeacon's application keeps.
    var kbeacon: KBeaconMemory?

    enum CodingKeys: String, CodingKey { case program, page, settings, memory, kbeacon }

    init(_ bootloader: some Bootloader, _ program: Restart.Program, _ kbeacon: KBeaconMemory? = nil) {
        self.kbeacon = kbeacon
        self.program = program
        page = bootloader.settledSettings
        settings = bootloader.settings
        memory = bootloader.memory
    }
}
