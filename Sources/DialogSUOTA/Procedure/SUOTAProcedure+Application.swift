public import UpdateCore

/// What the update makes of the application that takes it.
extension SUOTAProcedure {
    /// The present image is kept until the new one is verified, unless a bank was forced that may hold it.
    public var effectOnApplication: DeviceState.Application? {
        switch update.stage {
        case .fresh: nil
        case .begun: isInDanger ? .unknown : .intact
        case .ended, .unconfirmed: .unknown
        case .verified: .new
        }
    }

    /// The application goes on running.
    public var inactivityLimit: Duration? { nil }

    /// The procedure asks the device itself, for more than any application says.
    public func check(_ running: ApplicationFacts) throws(UpdateFailure) -> [UpdateNotice] { [] }
}
