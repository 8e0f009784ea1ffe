/// The phase of an update.
public enum UpdatePhase: String, Sendable {
    /// Searching for the device and connecting.
    case connecting
    /// Sending the application to its bootloader.
    case enteringBootloader = "entering-bootloader"
    /// Negotiating what is sent.
    case preparing
    /// Sending firmware.
    case transferring
    /// The device verifies and installs.
    case activating
    /// The device restarts.
    case rebooting
    /// Verifying the result.
    case verifying
}

/// A notice of a procedure to observers.
public enum UpdateNotice: Equatable, Sendable {
    /// A new phase begins.
    case phase(UpdatePhase)
    /// Another part of the update begins.
    case part(UpdatePart)
    /// The application is about to be told to start its bootloader. `isNamed`: the bootloader will advertise a name
    /// that we set.
    case leavingApplication(isNamed: Bool)
    /// The device still has data of an earlier attempt; firmware is sent from `offset`, which may be 0.
    case resumed(at: Int)
    /// Something is sent again.
    case retry(reason: FailureCode, from: Int)
    /// The device has accepted a block or object that ends at `position`.
    case accepted(upTo: Int)
    /// A problem that does not stop the update.
    case warning(FailureCode, String)
    /// Details for some observers.
    case detail(UpdateDetail)
}
