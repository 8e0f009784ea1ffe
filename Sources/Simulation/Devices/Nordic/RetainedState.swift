/// The state that a beacon resumes from after an earlier run of the program, except the bytes of its flash.
public struct RetainedState: Codable, Hashable, Sendable {
    /// The program that ran.
    public var program: Restart.Program
    /// The settings page in flash: versions, executed init packet, sizes.
    public var page: BootloaderSettings
    /// The settings in the bootloader's RAM.
    public var settings: BootloaderSettings
    /// The rest of the bootloader's RAM: progress, current object, PRN.
    public var memory: BootloaderMemory
    /// The stored state of a KBeacon's application.
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
