public import FirmwareModel
public import Sessions

/// How the conversation of an update ends over one link.
public enum ConversationResult: Equatable, Sendable {
    /// The device has everything; look whether it comes back.
    case complete(Completion)
    /// The device restarts, and the conversation goes on over a new link.
    case restart(Restart)
}

/// What an update asks of the world.
public typealias UpdateCommand = DialogueCommand<ConversationResult>

/// A step of an update.
public typealias UpdateStep = DialogueStep<ConversationResult, UpdateNotice>

/// One vendor's way to bring firmware into a device.
///
/// `begin` starts it on a new link, at first and again after every lost one: the procedure keeps what it has
/// learned, and its first question is what the device already has. It has no requirement with a default: what holds for
/// most is a lie for somebody, and nobody would notice.
public protocol UpdateProcedure: Dialogue
where Ending == ConversationResult, Notice == UpdateNotice, Failure == UpdateFailure {
    /// How many bytes of firmware will be sent, as far as is known by now.
    var total: Int { get }
    /// Which program is at the other end; told before each link's `begin`.
    var receiver: Receiver { get set }
    /// What tells the bootloader from an application.
    var targetSignature: TargetSignature { get }
    /// Where the application is, seen from the bootloader's address.
    var applicationAddresses: Set<ExpectedAddress> { get }
    /// Whether a bootloader at its application's address may be at the next one after a restart: it was there only
    /// for a peer that the application had told it of.
    var mayMove: Bool { get }
    /// What it means that the link has ended now.
    func linkEnded() -> DisconnectMeaning
    /// Whether a device that fails so probably has this part already.
    func meansInstalled(_ failure: UpdateFailure) -> Bool
    /// What the application should say of itself in the end; nil when nothing is known of that.
    var expectedVersion: ExpectedVersion? { get }
    /// What a person can do about a failure that ends the update where it is now; nil leaves that to the failure and
    /// its code.
    func remedy(for failure: UpdateFailure) -> Advice?
    /// What the update has made of the unit's application so far; nil while nothing was asked of the device that changes
    /// anything. What depends on the device's layout, which it does not tell, is unknown.
    var effectOnApplication: DeviceState.Application? { get }
    /// After how long without a request the device ends the update and restarts by itself; nil where nobody knows.
    var inactivityLimit: Duration? { get }
    /// The part that is being installed; nil where there is only one.
    var part: UpdatePart? { get }
    /// What a running application says of itself speaks against the update: it throws that, or returns what is to be
    /// told. Asked before anything is changed.
    func check(_ running: ApplicationFacts) throws(UpdateFailure) -> [UpdateNotice]
    /// Whether a device may keep what it has over a lost link, so that the update goes on there.
    var goesOn: Bool { get }
}
