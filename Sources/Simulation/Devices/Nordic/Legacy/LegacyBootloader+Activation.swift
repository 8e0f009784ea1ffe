extension LegacyBootloader {
    /// The exact bytes of the installed application; empty if there is none.
    public var applicationImage: [UInt8] {
        let start = identity.layout.applicationStart
        return flash.content(start..<start + settings.applicationSize)
    }

    /// An application is valid if the settings say so and its first word is not erased; no checksum of it is stored.
    var isApplicationValid: Bool {
        let start = identity.layout.applicationStart
        return settings.applicationSize > 0 && flash.content(start..<start + 4) != [0xFF, 0xFF, 0xFF, 0xFF]
    }

    /// Activate: the link ends at once, the reset waits for the settings. Without a valid image it is just a reset.
    mutating func activate(at now: Duration) -> [FirmwareReaction] {
        guard stage == .validated, let announcement else {
            statistics.note(LegacyRule.activateBeforeValidate)
            return leave(at: now)
        }
        stage = .closing
        var settings = settledSettings
        settings.activation = .init(kind: announcement.kind, address: place, size: announcement.total)
        // FFFFFFFF is not a version (docs/formats/nordic-legacy.md).
        if announcement.kind == .application, let version = initPacket?.version, version != .max {
            settings.applicationVersion = version
        }
        write(settings, at: now)
        return [.disconnect(at: now), .reset(at: flash.idle(at: now))]
    }

    /// Installs a pending image; returns how long that takes: erase and program, page by page, or nothing if the
    /// application already is in place.
    mutating func activate() -> Duration {
        guard let waiting = settings.activation else { return .zero }
        settings.activation = nil
        let image = flash.content(waiting.address..<waiting.address + waiting.size)
        let start = identity.layout.applicationStart
        switch waiting.kind {
        case .application:
            settings.applicationSize = waiting.size
            guard waiting.address != start else { return .zero }
            flash.place(image, at: start)
        case .softDevice, .softDeviceAndBootloader:
            settings.applicationSize = 0
            settings.softDevice = SoftDeviceImage(image)?.firmwareID ?? settings.softDevice
        case .bootloader, .externalApplication: break
        }
        return (flash.timing.pageErase + flash.timing.pageProgram) * FlashModel.pages(in: waiting.size)
    }
}
