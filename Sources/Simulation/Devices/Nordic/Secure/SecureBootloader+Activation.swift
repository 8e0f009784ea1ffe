extension SecureBootloader {
    /// How long the installation of a verified image takes: erase and program, page by page.
    ///
    /// Zero if there is none, and if the image already is in place (single bank).
    public var activationTime: Duration {
        guard let waiting = settledSettings.activation, waiting.address != destination(of: waiting) else {
            return .zero
        }
        // SoftDevice and bootloader are copied separately.
        let second = waiting.bootloaderSize ?? 0
        let pages = FlashModel.pages(in: waiting.size - second) + FlashModel.pages(in: second)
        return (flash.timing.pageErase + flash.timing.pageProgram) * pages
    }

    /// The exact bytes of the installed application; empty if there is none.
    public var applicationImage: [UInt8] {
        let start = identity.layout.applicationStart
        return flash.content(start..<start + settings.applicationSize)
    }

    /// Installs the pending image, and decides what starts.
    mutating func activate() -> Restart {
        let time = activationTime
        guard let waiting = settings.activation else { return restart(after: time, resets: 1) }
        settings.activation = nil
        let image = flash.content(waiting.address..<waiting.address + waiting.size)
        if waiting.kind == .application {
            install(image, from: waiting.address)
        }
        // The MBR copies a bootloader after an additional reset.
        let hasBootloader = waiting.kind == .bootloader || waiting.kind == .softDeviceAndBootloader
        let resets = personality.resetsToApplication + (hasBootloader ? 1 : 0)
        let hasSoftDevice = waiting.kind == .softDevice || waiting.kind == .softDeviceAndBootloader
        if hasSoftDevice, let number = SoftDeviceImage(image)?.firmwareID { settings.softDevice = number }
        return restart(
            after: time, resets: resets, continues: hasSoftDevice)
    }

    private mutating func install(_ image: [UInt8], from address: Int) {
        let start = identity.layout.applicationStart
        if address != start {
            guard !flash.keepsOldApplication else { return }
            flash.place(image, at: start)
        }
        settings.applicationSize = image.count
        settings.runningVersion = nil
    }

    private func restart(after time: Duration, resets: Int, continues: Bool = false) -> Restart {
        let hasApplication = settings.applicationSize > 0
        return Restart(
            program: hasApplication && !continues ? .application : .bootloader, time: time,
            resets: resets, continues: continues)
    }

    private func destination(of waiting: BootloaderSettings.Activation) -> Int? {
        waiting.kind == .application ? identity.layout.applicationStart : nil
    }
}
