public import BluetoothTypes
public import Sessions

/// How an application is made to give way to its bootloader.
///
/// It keeps what it has learned over lost links, as an update does: a way that made the application crash is
/// not tried twice.
public protocol BootloaderEntry: Dialogue
where Ending == BootloaderHandoff, Notice == UpdateNotice, Failure == UpdateFailure {
    /// The characteristics of which an application has one if it can be sent to its bootloader; the first that
    /// is offered is taken.
    var entryCharacteristics: [Characteristic] { get }
    /// Where the bootloader may appear when the application leaves through `entryCharacteristic`, seen from its address.
    func expectedAddresses(enteringBy entryCharacteristic: Characteristic) -> Set<ExpectedAddress>
    /// Whether the application may give its bootloader a name that nobody else has. Such an entry tells with
    /// `UpdateNotice.leavingApplication`, before the step that starts the bootloader, whether it has.
    func mayName(enteringBy entryCharacteristic: Characteristic) -> Bool
    /// Takes `entryCharacteristic` from now on.
    mutating func choose(_ entryCharacteristic: Characteristic)
    /// What it means that the link has ended now.
    func linkEnded() -> EntryDisconnect
}

extension BootloaderEntry {
    /// False.
    public func mayName(enteringBy entryCharacteristic: Characteristic) -> Bool { false }
}

/// A step on the way to the bootloader.
public typealias EntryStep = DialogueStep<BootloaderHandoff, UpdateNotice>

/// What the end of a link means for an application that is being sent to its bootloader.
public enum EntryDisconnect: Equatable, Sendable {
    /// It still runs.
    case staying
    /// It has been told to go, and probably went.
    case leaving(BootloaderHandoff)
}

/// An application that gives way: by what its bootloader will be known.
public struct BootloaderHandoff: Equatable, Sendable {
    /// Where the bootloader may be, seen from the application's address.
    public let expectedAddresses: Set<ExpectedAddress>
    /// The name that we have given to it; nil when it took none.
    public let name: String?
    /// Whether the bootloader may advertise to its bonded peer alone, at the application's address, so that
    /// listening finds nothing and connecting does.
    public let mayBeInaudible: Bool

    /// A departure as described.
    public init(expectedAddresses: Set<ExpectedAddress>, name: String?, mayBeInaudible: Bool = false) {
        self.expectedAddresses = expectedAddresses
        self.name = name
        self.mayBeInaudible = mayBeInaudible
    }
}
