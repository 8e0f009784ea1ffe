import Bluetooth
import Bytes
package import UpdateModel

/// The installation of one or several images over SMP, as a state machine without I/O
/// (docs/protocols/mcuboot-smp.md, Conversation).
///
/// Rules (all transitions are in this type):
/// 1. Every link begins with the list of images, which decides what is left to do. What the beacon lists
/// counts, never what was sent.
/// 2. The offset in an answer to an upload request decides what is sent next. Each image may be begun again a
/// limited number of times, whatever the reason.
/// 3. Answers are matched by operation, group, command and sequence number. All others are skipped, a limited
/// number of them.
/// 4. A request that changes what the next restart does is judged by the flags in the list, not by its
/// answer.
/// 5. Only a list read after the restart proves the update: the image with the hash is active.
package struct SMPUpdate: UpdateProcedure {
    enum State: Equatable, Sendable {
        case idle
        case subscribing
        /// A request is being passed to the kernel.
        case writing(Request)
        case awaiting(Request)
        /// An upload request is being passed to the kernel.
        case sending
        case listening
        /// A pause before this request is repeated, or, if it is nil, before the upload goes on.
        case pausing(Request?)
        case finished
    }

    /// A request that is answered before the next one is sent.
    enum Request: Equatable, Sendable {
        case parameters
        /// An echo that fills a packet, for a server that waits for the rest of a request of an earlier link.
        case filler
        /// An echo that is longer than a packet, to see whether the server joins packets.
        case joinedEcho
        case mode
        case slotSizes
        case images(ListPurpose)
        /// Erases the slot, after the server has refused an upload with this error.
        case eraseSlot(SMPError)
        case eraseStorage
        /// Marks the image of the part with this index.
        case mark(Int)
        case confirm(Int)
        case reset
    }

    /// What the list of images is read for.
    enum ListPurpose: Equatable, Sendable {
        case deciding
        /// The server has ended or forgotten an upload after its last byte.
        case forgotten
        case stored
        case marked(Int)
        case running
        case confirmed
    }

    enum Stage: Int, Comparable, Sendable {
        /// Nothing on the unit was changed.
        case fresh
        case uploading
        /// The unit has all images, and perhaps starts them at its next restart.
        case marking
        /// The unit was told to restart.
        case restarting
        case verified

        static func < (left: Stage, right: Stage) -> Bool { left.rawValue < right.rawValue }
    }

    /// The longest packet, in bytes: some devices answer no longer ones. With headers, it fills two link-layer packets.
    static let longestPacket = 495
    /// How long a unit may take to install images and to start again.
    static let restartTimeout = Duration.seconds(120)

    let uploads: [ImageUpload]
    let preferences: SMPPreferences
    var state = State.idle
    var stage = Stage.fresh
    var link = LinkState()
    /// The images that are installed, in the order of the file; chosen when the slots are known.
    var parts: [Part]
    var facts = UnitFacts()
    var counts = Counts()
    /// Whether the unit was told to restart, and has not answered since.
    var isRestarting = false
    /// What the update has done to the application; nil before it can have changed anything.
    var effect: DeviceState.Application?
    /// Why the unit was told to restart to free a slot, until that is reported.
    var reasonForFreeing: String?
    /// What the last list has proven.
    var verified: Completion?
    var times: CommandTimes?

    /// Only applications take such updates; a bootloader with SMP over Bluetooth behaves in the same way.
    package var receiver = Receiver.application

    package init(_ uploads: [ImageUpload], _ preferences: SMPPreferences = SMPPreferences()) {
        (self.uploads, self.preferences) = (uploads, preferences)
        // Until the slots are known, the first file for each image number stands for its variants.
        parts = uploads.enumerated().filter { number, upload in
            uploads.firstIndex { $0.image == upload.image } == number
        }.map { Part($0.element) }
    }

    package mutating func begin(on link: LinkFacts) throws(UpdateFailure) -> UpdateStep {
        guard !uploads.isEmpty, uploads.allSatisfy({ !$0.bytes.isEmpty }) else {
            throw .preparing(.file.emptyPayload, "there is nothing to install")
        }
        // The beacon may have restarted since the last list, which undoes an unconfirmed image.
        if effect == .new { effect = .unknown }
        let length = min(max(link.maximumWriteLength, 1), Self.longestPacket)
        self.link = LinkState(packetLength: length, frameLimit: length)
        state = .subscribing
        return UpdateStep(
            .subscribe(SMPService.characteristic),
            notices: [.phase(stage < .restarting ? .preparing : .verifying)])
    }

    /// Keeps the times of a wait, which count against its limit whatever arrives meanwhile.
    package mutating func note(_ times: CommandTimes) { self.times = times }

    package mutating func advance(after outcome: DialogueOutcome) throws(UpdateFailure) -> UpdateStep {
        defer { times = nil }
        switch (state, outcome) {
        case (.subscribing, .done): return ask(stage < .restarting ? .parameters : .images(.running))
        case (.writing(let request), .done):
            state = .awaiting(request)
            return wait()
        case (.awaiting(let request), .value(let bytes)): return try receive(bytes, answering: request)
        case (.awaiting(let request), .timedOut): return try handleTimeout(of: request)
        case (.sending, .done): return try continueUpload()
        case (.listening, .value(let bytes)): return try receive(bytes)
        case (.listening, .timedOut): return try handleTimeout()
        case (.pausing(let request?), .done): return ask(request, again: true)
        case (.pausing(nil), .done): return try continueUpload()
        default: throw .misplaced(outcome, in: state, during: during)
        }
    }

    package var disconnectMeaning: DisconnectMeaning {
        switch stage {
        // A unit that was switched off meanwhile installs what is marked.
        case .marking, .restarting: .mayRestart(within: Self.restartTimeout)
        case .fresh, .uploading: isRestarting ? .mayRestart(within: Self.restartTimeout) : .mustContinue
        case .verified: verified.map { .perhapsDone($0) } ?? .mustContinue
        }
    }
}

extension SMPUpdate {
    /// The bytes of all images, including those that the unit has already.
    package var total: Int { parts.reduce(0) { $0 + $1.upload.bytes.count } }
    package var targetSignature: TargetSignature { .application(SMPService.characteristic, namesImage: true) }
    package var applicationAddresses: Set<ExpectedAddress> { [.sameAddress] }
    /// The user's text, or the version of the application's image.
    package var expectedVersion: ExpectedVersion? {
        preferences.versionText.map { ExpectedVersion(text: $0) }
            ?? application.map { ExpectedVersion(announced: "\($0.upload.version)") }
    }
    /// The server keeps an upload when a link ends.
    package var resumes: Bool { true }
    package var inactivityLimit: Duration? { nil }
    package var mayMove: Bool { false }
    package var part: UpdatePart? { nil }
    package var effectOnApplication: DeviceState.Application? { effect }
    package func meansInstalled(_ failure: UpdateFailure) -> Bool { failure.code == .device.sameVersion }
    /// Checks nothing: the list of images tells more than these facts.
    package func check(_ running: ApplicationFacts) throws(UpdateFailure) -> [UpdateNotice] { [] }

    /// The part that is the application: the image with the lowest number.
    var application: Part? { parts.min { $0.upload.image < $1.upload.image } }

    /// The step in progress, for sentences.
    var during: String {
        switch stage {
        case .fresh: "preparing"
        case .uploading: "uploading"
        case .marking: "activating"
        case .restarting, .verified: "verifying"
        }
    }
}

extension SMPUpdate {
    struct Part: Equatable, Sendable {
        let upload: ImageUpload
        /// SHA-256 of the bytes that are sent, by which the server recognises an upload.
        let digest: [UInt8]
        /// Whether the unit has the whole image, according to its answers.
        var isUploaded = false
        /// Whether the image ran according to an earlier list.
        var hasRun = false
        /// How often the upload was begun again, and how often it was complete but damaged.
        var restarts = 0
        var failures = 0
        /// The offset that the server wanted last, and the first one over this link.
        var lastWantedOffset = 0
        var firstWantedOffset = 0
        /// The number of links in sequence that advanced the upload by a few bytes only.
        var slowLinks = 0
        /// How many bytes of the digest are sent. A server that got other bytes for its upload begins again.
        var digestLength = 32

        init(_ upload: ImageUpload) {
            self.upload = upload
            digest = SHA256Digest.digest(upload.bytes)
        }

        func isIn(_ slot: SlotState) -> Bool { slot.image == upload.image && slot.hash == upload.hash }
    }

    struct LinkState: Sendable {
        /// Bytes in a write without response.
        var packetLength = 20
        /// The longest frame in bytes, and the maximum number of upload requests under way.
        var frameLimit = 20
        var window = 1
        /// Whether the server joins packets to a frame; nil if that is unknown.
        var joins: Bool?
        /// The size of the server's buffers in bytes; nil if not reported.
        var bufferSize: Int?
        var sequence: UInt8 = 0
        var reassembly = SMPReassembly()
        var exchange: Exchange?
        /// The number of notifications since the last useful one, and of frames that answer no request.
        var pieces = 0
        var strays = 0
        var slots: [SlotState] = []
        var upload: UploadState?
        /// Whether these phases were reported over this link.
        var hasTransferred = false
        var hasActivated = false
    }

    struct Exchange: Sendable {
        let request: SMPRequest
        let sequence: UInt8
        var tries = 1
        /// The rest of the time that the answer may take.
        var left: Duration
    }

    /// What the unit has reported of itself, over all links.
    struct UnitFacts: Sendable {
        var mode: BootloaderMode?
        var preventsDowngrades = false
        /// The bytes of the largest image, by image number.
        var largest: [Int: Int] = [:]
        /// The images that the unit has slots for; nil if it has not reported its slots.
        var images: Set<Int>?
        /// The image numbers that the server requires in uploads to its slots, as far as reported.
        var uploadNumbers: [SlotPlace: Int] = [:]
        /// Whether requests to mark and confirm images are not supported, because the bootloader decides by versions.
        var refusesMarks = false
        /// The version that ran before the update.
        var versionBefore: String?
    }

    struct SlotPlace: Hashable, Sendable {
        let image: Int
        let slot: Int
    }

    /// The counts and one-time steps that are limited over all links together.
    struct Counts: Sendable {
        var resets = 0
        var starts = 0
        var marks = 0
        /// The number of links over which the query for the bootloader's mode was not answered.
        var modeTimeouts = 0
        var reversions = 0
        var confirmations = 0
        /// The number of links over which an upload with joined packets failed.
        var joinedFailures = 0
        /// Whether an upload with joined packets was begun, so that the end of a link may have cut a request.
        var hasJoined = false
        var fillers = 0
        var setbacks = 0
        var hasErasedStorage = false
        var hasErasedSlot = false
        /// The indexes of parts whose image can only be marked for a test, and of those that cannot be confirmed.
        var onlyTested: Set<Int> = []
        var unconfirmable: Set<Int> = []
    }
}
