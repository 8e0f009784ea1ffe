public import BluetoothTypes
public import Sessions

/// How an application is made to give way to its bootloader.
///
/// It keeps what it has learned over lost links, as an update does: a way that made the application crash is
/// not tried twice.
public protocol BootloaderEntry: Dialogue
where Ending == Departure, Notice == UpdateNotice, Failure == UpdateFailure {
    /// The characteristics of which an application has one if it can be sent to its bootloader; the first that
    /// is offered is taken.
    var doors: [Characteristic] { get }
    /// Where the bootloader may appear when the application leaves through `door`, seen from its address.
    func appearances(behind door: Characteristic) -> Set<Reappearance>
    /// Takes `door` from now on.
    mutating func choose(_ door: Characteristic)
    /// What it means that the link has ended now.
    func linkEnded() -> EntryEnding
}

/// A step on the way to the bootloader.
public typealias EntryStep = DialogueStep<Departure, UpdateNotice>

/// What the end of a link means for an application that is being sent to its bootloader.
public enum EntryEnding: Equatable, Sendable {
    /// It still runs.
    case staying
    /// It has been told to go, and probably went.
    case leaving(Departure)
}

/// An application that gives way: by what its bootloader will be known.
public struct Departure: Equatable, Sendable {
    /// Where the bootloader may be, seen from the application's address.
    public let appearances: Set<Reappearance>
    /// The name that we have given to it; nil when it took none.
    public let name: String?
    /// Whether the bootloader may advertise to its bonded peer alone, at the application's address, so that
    /// listening finds nothing and connecting does.
    public let mayBeInaudible: Bool

    /// A departure as described.
    public init(appearances: Set<Reappearance>, name: String?, mayBeInaudible: Bool = false) {
        self.appearances = appearances
        self.name = name
        self.mayBeInaudible = mayBeInaudible
    }
}
