import Bluetooth
import UpdateModel

/// A step that a unit's update requests from its driver, which responds to each with one `UnitFact`.
enum UnitStep: Sendable {
    /// Keep other programs from using an address until the update is over.
    case claim(DeviceAddress)
    /// Wait until the scan of the devices nearby fulfils a condition or ends.
    case listen(until: NearbyScan.ScanCondition)
    /// Scan until a device at one of these addresses is heard.
    case search(Set<DeviceAddress>, within: Duration)
    /// Connect and detect the program. The link stays up.
    case connect(DeviceAddress, ProgramQuestions)
    /// Over the link: read the facts of the application; `version` is what is known of its version.
    case examine(version: String?)
    /// Over the link: run the dialogue `UnitUpdate.entry`. Other programs must not use these addresses, which the
    /// bootloader may have.
    case enter(from: DeviceAddress, claiming: Set<DeviceAddress>)
    case update(at: DeviceAddress)
    case disconnect
    /// Connect, detect the program without pairing, and disconnect.
    case probe(DeviceAddress, ProgramQuestions)
    /// Scan for the bootloader until the lock has a verdict.
    case find(BootloaderLock, within: Duration)
    /// Scan for this time, and return the last report of each device.
    case overhear(for: Duration)
    case rest(Duration)
    case finish(Result<VerifiedState, UpdateFailure>)
}

enum UnitFact: Sendable {
    case begun, claimed
    case nearbyScan(NearbyScan.State)
    /// The first report; nil on timeout.
    case heard(Advertisement?)
    case connected(Program)
    case examined(ApplicationFacts)
    case entered(BootloaderHandoff)
    /// How the update's conversation ended, and whether the device has ended the link.
    case updated(ConversationResult, hasLeft: Bool)
    /// The link has ended, in whatever step, or could not be established.
    case disconnected(LinkOutcome)
    case probed(ProbeResult)
    /// The verdict of the lock; nil on timeout.
    case found(BootloaderLock.Verdict?)
    case overheard([Advertisement])
    case rested
    /// A failure that another link cannot fix.
    case failed(UpdateFailure)
}

enum ProbeResult: Sendable {
    case program(Program)
    /// The device runs this program, but did not report its version in a session.
    case silent(Program, UpdateFailure)
    /// No link could be established, or it was lost too soon.
    case unreached
    case unfinished
}

enum Program: Sendable {
    /// A program that takes the update, with its version text; nil if it was not read, as from a bootloader.
    case receiver(Receiver, revision: Revision?)
    /// An application, with the characteristic that enters its bootloader and its version text.
    case application(entryCharacteristic: Characteristic?, revision: Revision?)
    /// A program that takes the update, but cannot be the bootloader of the application at the address below.
    case unrelated

    var revision: Revision? {
        switch self {
        case .receiver(_, let revision), .application(_, let revision): revision
        case .unrelated: nil
        }
    }

    /// The kind of program, if it takes the update; otherwise nil.
    var receiver: Receiver? { if case .receiver(let receiver, _) = self { receiver } else { nil } }
}

struct ProgramQuestions: Sendable {
    /// Distinguishes a program that takes the update from others.
    var targetSignature: TargetSignature
    /// The characteristics by which an application can be sent to its bootloader.
    var entryCharacteristics: [Characteristic] = []
    var expectedVersion: ExpectedVersion?
    /// Whether the version of a program that takes the update is known.
    var knowsVersion = false
    /// Whether to query an application that takes the update before it is updated.
    var identifies = false
    /// Whether the device is assumed to be the bootloader of the application at the address below only because that
    /// application is silent.
    var isAssumed = false
}

struct Baseline: Sendable {
    /// The application's version text; nil if it has none or was not asked.
    var revision: Revision?
    /// The version text of a program that may be a bootloader or an application.
    var revisionOfEither: Revision?
    var advertisedVersion: String?
    /// The program that takes the update, as first detected; nil before that.
    var receiver: Receiver?

    /// The version text to compare with that of a program detected as `found`.
    func revision(of found: Receiver?) -> Revision? { found == .either ? revisionOfEither : revision }

    /// Whether the version text of a program detected as `found` has changed.
    func differs(from shown: Revision?, of found: Receiver) -> Bool {
        guard let shown, let before = revision(of: found) else { return false }
        return shown.text != before.text
    }
}
