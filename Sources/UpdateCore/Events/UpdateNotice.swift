import FirmwareModel

/// Where an update is.
public enum UpdatePhase: String, Sendable {
    /// Looking for the device and connecting.
    case connecting
    /// Leaving the application.
    case enteringBootloader = "entering-bootloader"
    /// Agreeing on what is sent.
    case preparing
    /// Sending firmware.
    case transferring
    /// The device checks and installs.
    case activating
    /// The device restarts.
    case rebooting
    /// Looking at what came up.
    case verifying
}

/// What a procedure lets observers know.
public enum UpdateNotice: Equatable, Sendable {
    /// A new phase begins.
    case phase(UpdatePhase)
    /// Another part of the update begins.
    case part(UpdatePart)
    /// The application is about to be told to start its bootloader. `isNamed`: that will advertise a name of ours.
    case leavingApplication(isNamed: Bool)
    /// The device still holds something of an earlier attempt; firmware is sent from `offset` on, which may
    /// be 0.
    case resumed(at: Int)
    /// Something is sent again.
    case retry(reason: FailureCode, from: Int)
    /// The device has accepted a block or object that ends at `position`.
    case accepted(upTo: Int)
    /// Something to know that stops nothing.
    case warning(FailureCode, String)
    /// What only some observers want to know.
    case detail(UpdateDetail)
}
