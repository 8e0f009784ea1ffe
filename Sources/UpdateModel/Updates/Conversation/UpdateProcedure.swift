public import Bluetooth

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
    /// Whether a bootloader at its application's address may have the next address after a restart. A bootloader keeps the
    /// application's address only while it has the bond of a peer, which the application has handed over.
    var mayMove: Bool { get }
    /// What it means if the link ends now.
    var disconnectMeaning: DisconnectMeaning { get }
    /// Whether this failure probably means that the device already has this part.
    func meansInstalled(_ failure: UpdateFailure) -> Bool
    /// The version that the application should report in the end; nil if unknown.
    var expectedVersion: ExpectedVersion? { get }
    /// The next step after a failure that ends the update in its present state, instead of the failure's own
    /// (``UpdateFailure/remedy``); nil to keep that.
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
    case mustContinue
    /// The update must continue over a new link, but the device may restart first, for example to install what it has:
    /// it may take this long to come back.
    case mayRestart(within: Duration)
    /// The device has refused and ended the link, so the update fails.
    case refused(UpdateFailure)
    /// The device may have finished and restarted, or may have missed the last request.
    case perhapsDone(Completion)

    /// The completion that the device may have reached; nil if it cannot have finished.
    public var possibleCompletion: Completion? {
        if case .perhapsDone(let completion) = self { completion } else { nil }
    }
}

/// The end of a conversation, and what has to be observed before it counts as an update.
public struct Completion: Equatable, Sendable {
    /// Whether the device has confirmed that it accepts the whole image. False if the link ended before that: then a
    /// device that comes back proves nothing about its firmware.
    public let isConfirmed: Bool
    /// Whether the device may have missed the request to start the image that it has accepted.
    public let mayHaveMissedStart: Bool
    /// Possible addresses of the application, relative to the bootloader's.
    public let expectedAddresses: Set<ExpectedAddress>
    /// The time limit for the device to come back.
    public let timeout: Duration
    /// Whether the device may legitimately stay in its bootloader: the installed part is not an application, and may
    /// have overwritten the application.
    public let mayStayInBootloader: Bool
    /// What the procedure itself has seen of the new firmware after the restart, so that nothing is left to verify; nil
    /// if the caller of the update has to look for the application.
    public let proof: UpdateProof?

    public init(
        isConfirmed: Bool, mayHaveMissedStart: Bool = false, expectedAddresses: Set<ExpectedAddress>,
        timeout: Duration,
        mayStayInBootloader: Bool = false
    ) {
        (self.isConfirmed, self.mayHaveMissedStart) = (isConfirmed, mayHaveMissedStart)
        (self.expectedAddresses, self.timeout) = (expectedAddresses, timeout)
        self.mayStayInBootloader = mayStayInBootloader
        proof = nil
    }

    /// The end of an update whose result the procedure has verified over the current link.
    public init(proof: UpdateProof) {
        (isConfirmed, mayHaveMissedStart, mayStayInBootloader) = (true, false, false)
        (expectedAddresses, timeout, self.proof) = ([.sameAddress], .zero, proof)
    }
}

/// A restart during an update, which then continues in the bootloader.
public struct Restart: Equatable, Sendable {
    /// The time limit for the device to come back.
    public let timeout: Duration
    /// The failure for which everything is sent again; nil if the restart is a regular part of the update. The update
    /// fails with it if the device does not come back.
    public let repeating: UpdateFailure?
    /// How long to wait until the device ends the link by itself; nil for the usual time.
    public let disconnectTimeout: Duration?
    /// The shortest pause between the end of the link and the search for the device.
    public let pause: Duration
    /// Whether the device only forgets what it was sent over a lost link, so that the lost link still counts.
    public let isAfterLoss: Bool

    public init(
        timeout: Duration, repeating: UpdateFailure? = nil, disconnectTimeout: Duration? = nil,
        pause: Duration = .zero, isAfterLoss: Bool = false
    ) {
        (self.timeout, self.repeating, self.isAfterLoss) = (timeout, repeating, isAfterLoss)
        (self.disconnectTimeout, self.pause) = (disconnectTimeout, pause)
    }
}

/// A possible address of a device after its restart, relative to the address that it had before.
public enum ExpectedAddress: Hashable, Sendable {
    case sameAddress
    /// The address with the last byte lower by one, without carry: a Nordic application's, relative to its
    /// bootloader's.
    case previousAddress
    /// The address with the last byte higher by one, without carry: a Nordic bootloader's, relative to its
    /// application's.
    case nextAddress

    /// The expected address of a device that had `address` before.
    public func address(from address: DeviceAddress) -> DeviceAddress {
        switch self {
        case .sameAddress: address
        case .previousAddress: address.neighbour(-1)
        case .nextAddress: address.neighbour(1)
        }
    }
}

/// The version that runs after an update, from a report of the device that identifies the image and not only its
/// version.
public struct UpdateProof: Equatable, Sendable {
    public let version: String
    /// The version text of the image that ran before; nil if unknown.
    public let versionBefore: String?
    /// The hash by which the device identifies the running image; nil if it identifies it in another way.
    public let imageHash: [UInt8]?

    public init(_ version: String, imageHash: [UInt8]? = nil, after versionBefore: String?) {
        (self.version, self.imageHash, self.versionBefore) = (version, imageHash, versionBefore)
    }
}
