public import Bluetooth

/// The dialogue that makes an application start its bootloader.
///
/// Like an update, it keeps what it has learned over lost links: a request that made the application crash is not
/// repeated.
public protocol BootloaderEntry: Dialogue
where Ending == BootloaderHandoff, Notice == UpdateNotice, Failure == UpdateFailure {
    /// The characteristics by which an application can be told to start its bootloader, the preferred one first.
    var entryCharacteristics: [Characteristic] { get }
    /// Possible addresses of the bootloader after an entry by `entryCharacteristic`, relative to the application's.
    func expectedAddresses(enteringBy entryCharacteristic: Characteristic) -> Set<ExpectedAddress>
    /// Whether the application can give its bootloader a unique name. Such an entry reports with
    /// `UpdateNotice.leavingApplication`, before the step that starts the bootloader, whether it did.
    func mayName(enteringBy entryCharacteristic: Characteristic) -> Bool
    /// Uses `entryCharacteristic` from now on.
    mutating func choose(_ entryCharacteristic: Characteristic)
    /// The handoff if the link is lost now: the application was told to start its bootloader, and probably did. Nil if
    /// it still runs.
    var handoffOnLoss: BootloaderHandoff? { get }
}

public typealias EntryStep = DialogueStep<BootloaderHandoff, UpdateNotice>

/// How to recognise a bootloader after its application has started it.
public struct BootloaderHandoff: Equatable, Sendable {
    /// Possible addresses of the bootloader, relative to the application's.
    public let expectedAddresses: Set<ExpectedAddress>
    /// The name that the bootloader was given; nil if none.
    public let name: String?
    /// Whether the bootloader may advertise only to its bonded peer, at the application's address, so that a scan
    /// finds nothing but a connection succeeds.
    public let mayBeInaudible: Bool

    public init(expectedAddresses: Set<ExpectedAddress>, name: String?, mayBeInaudible: Bool = false) {
        (self.expectedAddresses, self.name) = (expectedAddresses, name)
        self.mayBeInaudible = mayBeInaudible
    }
}
