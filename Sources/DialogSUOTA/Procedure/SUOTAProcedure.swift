import BluetoothTypes
public import FirmwareModel
public import Sessions
public import UpdateCore

/// SUOTA of one image, as a value (dialog-suota.md, Conversation).
///
/// Rules, all transitions are in this type:
/// 1. There is no resume. Whatever ends an attempt, the next one begins with byte 0; attempts that the device's
///    silence or its counting has ended are bounded, lost links are counted by whoever runs the update.
/// 2. The end is announced once, and only when every block is acknowledged and the device's own count does not say
///    otherwise. What became of it is read, never asked again.
/// 3. A status says little: 02 is any block, and the end. One that was there before its block had left is a doubled
///    or late one of an earlier block; the device's count decides.
/// 4. A device that falls silent is asked what it has before it is given up: a lost status costs 5 s, not an attempt.
/// 5. A device that refuses is told to leave the service, because some keep a buffer until they hear that.
public struct SUOTAProcedure: UpdateProcedure {
    enum State: Equatable, Sendable {
        case idle
        case identifying(Question)
        case subscribing
        /// The same on a link that comes after the end: a device says there what it thinks of a signature.
        case subscribingAgain
        case wiring
        case announcing
        /// Up to the `upTo`-th byte of the upload.
        case sending(upTo: Int)
        case opening
        case pouring(upTo: Int)
        /// Between two runs of packets over the channel: has the device refused meanwhile?
        case glancing
        case awaiting(Awaited)
        case readingStatus(Awaited, ReadReason)
        case readingCount(Awaited, ReadReason)
        /// A status that belongs to the block before may still come.
        case sweeping
        case draining(UpdateFailure, heard: Int)
        case aborting(UpdateFailure)
        case rebooting
        case finished
    }

    /// What is waited for.
    enum Awaited: Equatable, Sendable {
        case start
        case block
        /// That everything has arrived, before the end is announced.
        case arrival
        case end
        /// What the device thinks of the image's signature, once it has verified the image.
        case signature
    }

    /// Why the device's status or its count is read.
    enum ReadReason: Equatable, Sendable {
        /// No status came.
        case silence
        /// One came before it could.
        case earliness
        /// The end comes next and must not come too early; or a status came for it that may belong to something else.
        case caution
        /// The link ended after the announced end.
        case lostLink
    }

    /// Attempts that are made again because of what a device said, or failed to say.
    static let maximumRestarts = 3
    static let maximumReboots = 2
    static let maximumStrays = 64
    /// Bytes that a flash erases at a time.
    static let sector = 4096
    /// How long a status may take before the device is looked at.
    static let glance = Duration.seconds(5)
    /// How long a status may take in all.
    static let timeout = Duration.seconds(30)
    /// How long a device may take to check a signature.
    static let signatureTimeout = Duration.seconds(60)
    /// How long others are listened for after a refusal: they may follow for packets that were on the way.
    static let drainTime = Duration.milliseconds(200)
    /// A status that was waited for no longer than this was there before.
    static let noWait = Duration.milliseconds(1)
    /// How long DA1468x and DA1469x, which restart whenever the link of an update ends, may take to be heard again.
    static let restartTimeout = Duration.seconds(30)

    let image: SUOTAImage
    let preferences: SUOTAPreferences
    /// The file, and the XOR of it.
    let upload: [UInt8]
    var state = State.idle
    var link = LinkState()
    var attempt: AttemptState
    var update = UpdateState()
    /// When the last command began and ended, where it has.
    var times: CommandTimes?

    /// The update to `image` as `preferences` has it.
    public init(_ image: SUOTAImage, _ preferences: SUOTAPreferences = SUOTAPreferences()) {
        self.image = image
        self.preferences = preferences
        upload = image.bytes + [image.trailer]
        attempt = AttemptState(
            plan: BlockPlan(uploadSize: upload.count, blockSize: BlockPlan.safeBlock, chunkSize: 20))
    }

    /// How many bytes of firmware will be sent: over a channel without the XOR, which becomes known on the link.
    public var total: Int { attempt.channel == nil ? upload.count : payloadEnd }
    /// The running application is what takes the update.
    public var targetSignature: TargetSignature {
        .application(SUOTAService.memoryDevice, isAskedByProcedure: true)
    }
    /// It comes back where it was.
    public var applicationAddresses: Set<ExpectedAddress> { [.sameAddress] }
    /// The version of the image's header, unless the user knows better; nil where it is empty or no text.
    public var expectedVersion: ExpectedVersion? {
        if let text = preferences.versionText { return ExpectedVersion(text: text) }
        return versionText.map(ExpectedVersion.init(announced:))
    }

    /// Every link begins at the first byte.
    public var goesOn: Bool { false }
    /// Only applications take such updates, and they keep their address.
    public var receiver = Receiver.application
    /// It stays where it is.
    public var mayMove: Bool { false }
    /// One image is one part.
    public var part: UpdatePart? { nil }
    /// An image that is there already is refused before anything is sent.
    public func meansInstalled(_ failure: UpdateFailure) -> Bool { false }

    var family: HeaderFamily { image.header.family }
    var payloadEnd: Int { image.header.payloadOffset + Int(image.header.codeSize) }

    var versionText: String? {
        if let text = preferences.versionText { return text }
        let version = image.header.version
        return version.isText && !version.text.isEmpty ? version.text : nil
    }

    /// What the device runs, then the rest of what it shows.
    public mutating func begin(on link: LinkFacts) throws(UpdateFailure) -> UpdateStep {
        try check()
        self.link = LinkState(maximumWriteLength: link.maximumWriteLength)
        state = .identifying(Question.first)
        return UpdateStep(.read(Question.first.characteristic), notices: [.phase(.preparing)])
    }

    /// How long the last command took: a status that was there before it was waited for is in doubt.
    public mutating func note(_ times: CommandTimes) { self.times = times }

    /// The step that follows from the outcome of the last one.
    public mutating func advance(after outcome: DialogueOutcome) throws(UpdateFailure) -> UpdateStep {
        defer { times = nil }
        switch (state, outcome) {
        case (.identifying(let question), .value(let bytes)): return try learn(question, bytes)
        case (.identifying(let question), .absent): return try learn(question, nil)
        case (.subscribing, .done): return start()
        case (.subscribingAgain, .done): return awaitSignature()
        case (.wiring, .done): return announce()
        case (.announcing, .done): return send()
        case (.sending(let end), .done): return hasSent(upTo: end)
        case (.opening, .opened(let length)): return pour(inPacketsOf: length)
        case (.opening, .refused), (.opening, .timedOut): return goOnWithoutChannel()
        case (.pouring(let end), .done): return hasPoured(upTo: end)
        case (.glancing, .value(let bytes)): return glance(at: bytes)
        case (.glancing, .timedOut): return pourOn()
        case (.awaiting(let what), .value(let bytes)): return hear(bytes, what)
        case (.awaiting(let what), .timedOut): return lookAfter(what)
        case (.readingStatus(let what, let readReason), .value(let bytes)):
            return try judge(SUOTAStatus(bytes), what, readReason)
        case (.readingStatus(let what, let readReason), .absent):
            return try judge(nil as SUOTAStatus?, what, readReason)
        case (.readingCount(let what, let readReason), .value(let bytes)):
            return try judge(DeviceFacts.number(bytes), what, readReason)
        case (.readingCount(let what, let readReason), .absent): return try judge(nil as Int?, what, readReason)
        case (.sweeping, .value(let bytes)): return sweep(bytes)
        case (.sweeping, .timedOut): return goOn()
        case (.draining(let failure, let heard), .value): return drain(failure, heard + 1)
        case (.draining(let failure, _), .timedOut): return abort(failure)
        case (.aborting(let failure), .done), (.aborting(let failure), .refused): throw failure
        case (.rebooting, .done), (.rebooting, .refused): return finish()
        default: throw .misplaced(outcome, in: state, during: "updating")
        }
    }

    /// After the end the device may be done; before it, everything is sent again.
    public func linkEnded() -> DisconnectMeaning {
        switch (update.stage, state) {
        case (.fresh, _): .interrupted
        case (.begun, .draining(let failure, _)) where !failure.mayReconnect,
            (.begun, .aborting(let failure)) where !failure.mayReconnect:
            .refused(failure)
        case (.begun, _): family == .da1458x ? .interrupted : .restarting(within: Self.restartTimeout)
        case (.ended, _), (.unconfirmed, _), (.verified, _): .perhapsDone(completion)
        }
    }

    /// A device that copies the image before it starts takes its time.
    var completion: Completion {
        Completion(
            isConfirmed: update.stage == .verified, expectedAddresses: applicationAddresses,
            timeout: .milliseconds(30_000 + image.bytes.count / 10))
    }
}
