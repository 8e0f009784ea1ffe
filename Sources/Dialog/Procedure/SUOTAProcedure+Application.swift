public import UpdateModel

/// The update's effect on the application that takes it.
extension SUOTAProcedure {
    /// The present image stays until the new one is verified, unless a bank that may hold it was set explicitly.
    public var effectOnApplication: DeviceState.Application? {
        switch update.stage {
        case .fresh: nil
        case .begun: isInDanger ? .unknown : .intact
        case .ended, .unconfirmed: .unknown
        case .verified: .new
        }
    }

    /// None: the application continues to run.
    public var inactivityLimit: Duration? { nil }

    /// Does nothing: the procedure itself reads more facts from the device than these.
    public func check(_ running: ApplicationFacts) throws(UpdateFailure) -> [UpdateNotice] { [] }
}
