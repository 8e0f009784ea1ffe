/// How the conversation of an update ends on one link.
public enum ConversationResult: Equatable, Sendable {
    /// The device has everything; check whether it comes back.
    case complete(Completion)
    /// The device restarts, and the conversation continues over a new link.
    case restart(Restart)
}

/// What the loss of its link means to an update, at the point that its conversation has reached.
public enum DisconnectMeaning: Equatable, Sendable {
    /// The update must continue over a new link.
    case interrupted
    /// The update must continue over a new link, but the device may first install what it has, which delays its return.
    case restarting(within: Duration)
    /// The device has refused and ended the link, so the update fails.
    case refused(UpdateFailure)
    /// The device may have finished and restarted, or may have missed the last request.
    case perhapsDone(Completion)
}

public typealias UpdateCommand = DialogueCommand<ConversationResult>

public typealias UpdateStep = DialogueStep<ConversationResult, UpdateNotice>

/// One vendor's way to install firmware on a device.
///
/// `begin` starts it on a new link, initially and after every lost link: the procedure keeps what it has learned, and
/// first asks what the device already has. No requirement has a default, because a default that is wrong for one
/// vendor would go unnoticed.
public protocol UpdateProcedure: Dialogue
where Ending == ConversationResult, Notice == UpdateNotice, Failure == UpdateFailure {
    /// Bytes of firmware to send, as far as known.
    var total: Int { get }
    /// The program at the other end of the link; set before `begin` on each link.
    var receiver: Receiver { get set }
    /// Distinguishes the bootloader from an application.
    var targetSignature: TargetSignature { get }
    /// Possible addresses of the application, relative to the bootloader's.
    var applicationAddresses: Set<ExpectedAddress> { get }
    /// Whether a bootloader at its application's address may have the next address after a restart, because it kept the
    /// application's only for a peer whose bond the application had handed over.
    var mayMove: Bool { get }
    /// What it means if the link ends now.
    var disconnectMeaning: DisconnectMeaning { get }
    /// Whether this failure probably means that the device already has this part.
    func meansInstalled(_ failure: UpdateFailure) -> Bool
    /// The version that the application should report in the end; nil if unknown.
    var expectedVersion: ExpectedVersion? { get }
    /// Advice for a failure that ends the update in its present state; nil to use the failure's advice or its code's.
    func remedy(for failure: UpdateFailure) -> Advice?
    /// The effect on the unit's application so far; nil while no request has changed anything. `unknown` if it
    /// depends on the device's layout, which cannot be read.
    var effectOnApplication: DeviceState.Application? { get }
    /// The time without a request after which the device ends the update and restarts by itself; nil if unknown.
    var inactivityLimit: Duration? { get }
    /// The part being installed; nil if there is only one.
    var part: UpdatePart? { get }
    /// Checks the facts of a running application before anything is changed: throws if they rule out the update,
    /// returns notices to report.
    func check(_ running: ApplicationFacts) throws(UpdateFailure) -> [UpdateNotice]
    /// Whether a device may keep what it has when a link is lost, so that the update resumes there instead of at the
    /// first byte.
    var resumes: Bool { get }
}
