import BluetoothTypes
import FirmwareModel
import UpdateCore

/// What a unit's update asks of its driver, which answers each step with one `UnitFact`.
enum UnitStep: Sendable {
    /// Keep other programs away from an address until the update is over.
    case claim(DeviceAddress)
    /// Listen until so much is known of who is near.
    case listen(until: NearbyScan.ScanCondition)
    /// Listen until one of these is heard.
    case search(Set<DeviceAddress>, within: Duration)
    /// Connect and see what runs there. The link stands afterwards.
    case connect(DeviceAddress, ProgramQuestions)
    /// Over the link: ask the application what it is; `version` is known.
    case examine(version: String?)
    /// Over the link: hold the dialogue `UnitUpdate.entry`. Nobody else may take these addresses, where the bootloader may
    /// be.
    case enter(from: DeviceAddress, claiming: Set<DeviceAddress>)
    /// Over the link: hold the dialogue `UnitUpdate.procedure`.
    case update(at: DeviceAddress)
    /// End the link.
    case disconnect
    /// Connect for as long as it takes to see what runs there, without pairing.
    case probe(DeviceAddress, ProgramQuestions)
    /// Listen for the bootloader until the lock has a verdict.
    case find(BootloaderLock, within: Duration)
    /// Listen for so long to everybody.
    case overhear(for: Duration)
    /// Wait.
    case rest(Duration)
    /// The update is over.
    case finish(Result<VerifiedState, UpdateFailure>)
}

/// What became of a step.
enum UnitFact: Sendable {
    /// Nothing was done yet.
    case begun
    /// Nobody else has the address.
    case claimed
    /// Who is near, as far as was waited for.
    case nearbyScan(NearbyScan.State)
    /// What was heard first; nil when nothing was in time.
    case heard(Advertisement?)
    /// A link stands to a device that runs this.
    case connected(Program)
    /// What the application says of itself.
    case examined(ApplicationFacts)
    /// How the entry ended; nil where the link was lost over it.
    case entered(BootloaderHandoff?)
    /// How the conversation of the update ended, and whether the device has hung up by itself; nil where the link was
    /// lost over it.
    case updated(ConversationResult?, hasLeft: Bool)
    /// There is no link (any more).
    case disconnected(LinkOutcome)
    /// What a short look has shown.
    case probed(ProbeResult)
    /// What the lock makes of all that was heard; nil when time ran out.
    case found(BootloaderLock.Verdict?)
    /// Who was heard meanwhile, each once.
    case overheard([Advertisement])
    /// The wait is over.
    case rested
    /// Something that no other link mends.
    case failed(UpdateFailure)
}

/// How a link ended, or that none came about.
struct LinkOutcome: Sendable {
    /// Why it ended.
    enum Cause: Sendable {
        /// We ended it.
        case asked
        /// It was lost, or did not come about.
        case lost
        /// The device does not answer any more; a new link may help.
        case silent(UpdateFailure)
    }

    var cause = Cause.asked
    /// Whether it has ever stood.
    var hasStood = false
    /// The furthest byte of firmware that the device has accepted.
    var accepted = 0
    /// Who is near, as far as is known now.
    var nearbyScan = NearbyScan.State()
}

/// What a short look at a device has shown.
enum ProbeResult: Sendable {
    /// It runs this.
    case program(Program)
    /// It runs this, and did not say in its session which version that is.
    case silent(Program, UpdateFailure)
    /// No link came about, or it ended too soon.
    case unreached
    /// It did not answer everything in time.
    case unfinished
}

/// What a device runs, as its characteristics show.
enum Program: Sendable {
    /// One that takes the update, and what it calls its firmware where it may be an application.
    case receiver(Receiver, revision: Revision?)
    /// An application, by which characteristic it can be sent to its bootloader, and what it calls its firmware.
    case application(entryCharacteristic: Characteristic?, revision: Revision?)
    /// One that takes the update, and cannot be the bootloader of the application at the address below.
    case unrelated

    /// What it calls its firmware.
    var revision: Revision? {
        switch self {
        case .receiver(_, let revision), .application(_, let revision): revision
        case .unrelated: nil
        }
    }

    /// What it shows itself as, where it takes updates.
    var receiver: Receiver? { if case .receiver(let receiver, _) = self { receiver } else { nil } }
}

/// What has to be known of the program that a device runs.
struct ProgramQuestions: Sendable {
    /// What tells one that takes the update from others.
    var targetSignature: TargetSignature
    /// By which characteristics an application could be sent away.
    var entryCharacteristics: [Characteristic] = []
    /// The version that is waited for.
    var expectedVersion: ExpectedVersion?
    /// Whether the version of a program that takes the update is known.
    var knowsVersion = false
    /// Whether an application that takes the update is introduced to before its update begins.
    var identifies = false
    /// Whether the device was taken for the bootloader of the application at the address below only because that is
    /// silent.
    var isAssumed = false
}
