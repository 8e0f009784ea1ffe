public import UpdateModel

/// The checks against a running application, and the update's effect on it.
extension LegacyProcedure {
    /// With one bank Start erases the application, and no request reveals the number of banks. A SoftDevice always
    /// overwrites the application (nordic-legacy.md, Conversation).
    public var effectOnApplication: DeviceState.Application? {
        switch state {
        case .finished: image.role == .application ? .new : sacrifice
        case .writing(.activate, _): .unknown
        default: update.isStartInDoubt ? sacrifice : update.effect
        }
    }

    /// The limit of stock bootloaders, which have an MTU of 23; Adafruit's has none (nordic-legacy.md, Timing).
    public var inactivityLimit: Duration? { link.hasStockMTU ? .seconds(120) : nil }

    /// Compares the version in the init packet, which bootloaders do not compare.
    public func check(_ running: ApplicationFacts) throws(UpdateFailure) -> [UpdateNotice] {
        guard let number = image.countedVersion,
            let shown = running.version, ExpectedVersion.order(of: number, to: shown) == .same
        else { return [] }
        return try InstalledVersion(shown).notices(allowing: risks)
    }

    /// The effect of Start on the application. An application that takes the update itself stores it in a separate
    /// bank.
    var sacrifice: DeviceState.Application {
        if receiver == .application { return .intact }
        return image.role == .softdevice || image.role == .softdeviceBootloader ? .gone : .unknown
    }

    /// The device has responded to Start.
    mutating func noteStart(isAccepted: Bool) {
        update.isStartInDoubt = false
        update.effect =
            isAccepted ? (update.effect ?? .intact).followed(by: sacrifice) : update.effect ?? .intact
    }
}

extension LegacyImage {
    /// The application's version in the init packet; nil if it has none or the wildcard (0xFFFFFFFF).
    var countedVersion: UInt32? {
        guard role == .application, let number = initPacket?.applicationVersion, number != .max else {
            return nil
        }
        return number
    }
}
