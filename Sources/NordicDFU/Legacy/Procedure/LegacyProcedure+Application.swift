import FirmwareModel
public import UpdateCore

/// What stands in the way of an update while the application runs, and what the update makes of that application.
extension LegacyProcedure {
    /// Start erases the application where there is one bank, and no request tells how many there are. A SoftDevice takes
    /// the application's place in any case (nordic-legacy.md, Conversation).
    public var effectOnApplication: DeviceState.Application? {
        switch state {
        case .finished: image.role == .application ? .new : sacrifice
        case .writing(.activate, _): .unknown
        default: update.isStartInDoubt ? sacrifice : update.effect
        }
    }

    /// That of stock bootloaders, which have an MTU of 23; Adafruit's has none (nordic-legacy.md, Timing).
    public var inactivityLimit: Duration? { link.hasStockMTU ? .seconds(120) : nil }

    /// The version in the init packet, which no bootloader compares.
    public func check(_ running: ApplicationFacts) throws(UpdateFailure) -> [UpdateNotice] {
        guard let number = image.countedVersion,
            let shown = running.version, ExpectedVersion.order(of: number, to: shown) == .same
        else { return [] }
        return try InstalledVersion(shown).notices(allowing: risks)
    }

    /// What Start makes of the application. One that takes the update itself has a place for it beside its own.
    var sacrifice: DeviceState.Application {
        if receiver == .application { return .intact }
        return image.role == .softdevice || image.role == .softdeviceBootloader ? .gone : .unknown
    }

    /// The device has answered Start.
    mutating func noteStart(isAccepted: Bool) {
        update.isStartInDoubt = false
        update.effect =
            isAccepted ? (update.effect ?? .intact).followed(by: sacrifice) : update.effect ?? .intact
    }
}

extension LegacyImage {
    /// The application's version in the init packet; nil where it has none, or the one that stands for any (0xFFFFFFFF).
    var countedVersion: UInt32? {
        guard role == .application, let number = initPacket?.applicationVersion, number != .max else {
            return nil
        }
        return number
    }
}
