/// What a procedure has to know about the link it speaks over.
public struct LinkFacts: Equatable, Sendable {
    /// The most bytes that one write without response carries.
    public let maximumWriteLength: Int
    /// Which program is at the other end.
    public let receiver: Receiver

    /// A link to `receiver` with the given limit.
    public init(maximumWriteLength: Int, to receiver: Receiver = .bootloader) {
        self.maximumWriteLength = maximumWriteLength
        self.receiver = receiver
    }
}

/// What comes next: what observers should know first, and what has to be done.
public struct UpdateStep: Equatable, Sendable {
    /// Facts to report before the command is carried out.
    public var notices: [UpdateNotice]
    /// What to do.
    public var command: UpdateCommand
    /// What an answer that takes its time is waited for: the link, or the device's flash.
    public var waitsFor: SpeedLimit
    /// Whether the answer that is waited for says that the device has done with the packets before it.
    public var endsBlock: Bool

    /// `command`, after `notices` were reported.
    public init(
        _ command: UpdateCommand, notices: [UpdateNotice] = [], waitsFor: SpeedLimit = .answers,
        endsBlock: Bool = false
    ) {
        self.command = command
        self.notices = notices
        self.waitsFor = waitsFor
        self.endsBlock = endsBlock
    }
}

/// When a command was carried out, as durations since any fixed moment.
public struct CommandTimes: Equatable, Sendable {
    /// It began.
    public let started: Duration
    /// The device had its request, and all packets before it; nil for commands without a request.
    public let acknowledged: Duration?
    /// Its outcome was there.
    public let ended: Duration

    /// A command with the given times.
    public init(started: Duration, acknowledged: Duration? = nil, ended: Duration) {
        self.started = started
        self.acknowledged = acknowledged
        self.ended = ended
    }
}

/// A conversation over a link, as a value that does no I/O and owns no clock.
public protocol Dialogue: Sendable {
    /// How many bytes of firmware will be sent, as far as is known by now.
    var total: Int { get }
    /// The first step on a new link.
    mutating func begin(on link: LinkFacts) throws(UpdateFailure) -> UpdateStep
    /// The last command was carried out, in the given time; `advance` follows. A dialogue that learns nothing from
    /// that need not listen.
    mutating func note(_ times: CommandTimes)
    /// The step that follows from the outcome of the last one.
    mutating func advance(after outcome: UpdateOutcome) throws(UpdateFailure) -> UpdateStep
}

extension Dialogue {
    /// None.
    public var total: Int { 0 }
    /// Learns nothing.
    public mutating func note(_ times: CommandTimes) {}
}

/// One vendor's way to bring firmware into a device.
///
/// `begin` starts it on a new link, at first and again after every lost one: the procedure keeps what it has
/// learned, and its first question is what the device already has.
public protocol UpdateProcedure: Dialogue {
    /// What tells the bootloader from an application.
    var entrance: Entrance { get }
    /// Where the application is, seen from the bootloader's address.
    var applicationAppearances: Set<Reappearance> { get }
    /// Whether a bootloader at its application's address may be at the next one after a restart: it was there only
    /// for a peer that the application had told it of.
    var mayMove: Bool { get }
    /// What it means that the link has ended now.
    func linkEnded() -> LinkEnding
    /// Whether a device that fails so probably has this part already.
    func meansInstalled(_ failure: UpdateFailure) -> Bool
    /// What the application should say of itself in the end; nil when nothing is known of that.
    var promise: VersionPromise? { get }
    /// What a person can do about a failure that ends the update where it is now; nil leaves that to the failure and
    /// its code.
    func remedy(for failure: UpdateFailure) -> String?
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

extension UpdateProcedure {
    /// It stays where it is.
    public var mayMove: Bool { false }
    /// Nothing is known.
    public var promise: VersionPromise? { nil }
    /// That they say.
    public func remedy(for failure: UpdateFailure) -> String? { nil }
    /// There is only one.
    public var part: UpdatePart? { nil }
    /// No failure means that.
    public func meansInstalled(_ failure: UpdateFailure) -> Bool { false }
}
