public import FirmwareModel
public import Sessions
public import UpdateCore

/// Nordic Legacy DFU of one image, as a value (nordic-legacy.md, Conversation).
///
/// Rules, all transitions are in this type:
/// 1. There is no resume. A bootloader that is in the middle of something refuses Start; it is restarted, and
///    the image is sent from its first byte over a new link.
/// 2. An answer is known by its opcode, never by its place in the row. Whether packets have arrived says a
///    receipt or the answer to a question, and nothing else.
/// 3. A device that falls silent is asked what it has received before it is given up: a lost receipt costs
///    nothing, a stall costs a restart.
/// 4. Restarts are counted, each kind of reason by its own bound, so that every conversation ends.
/// 5. An image that the device has checked is not sent again because the device is silent: it is told once more
///    to start it.
public struct LegacyProcedure: UpdateProcedure {
    enum State: Equatable, Sendable {
        case idle
        case subscribing
        case readingVersion
        /// What the bootloader says of itself is asked for, which some have (2A26).
        case readingInformation(version: [UInt8]?)
        case resting(before: LegacyRequest)
        /// A request without an answer of its own, or one whose answer is waited for later, for the `tries`-th time.
        case writing(LegacyRequest, tries: Int)
        case sending(PacketContent)
        /// Waiting for the answer to a request, for the `tries`-th time.
        case asking(LegacyRequest, tries: Int, strays: Int)
        /// Waiting for a receipt, or for the word that everything is in flash.
        case awaitingReceipt(strays: Int)
        /// Waiting for the number of received bytes, for the `tries`-th time.
        case counting(tries: Int, strays: Int)
        /// Leaving the device alone until it has forgotten what it was at.
        case keepingQuiet(strays: Int)
        /// The device was told once more to start the image that it has checked.
        case awaitingStart(strays: Int)
        case restarting
        case finished
    }

    /// What goes as packets.
    enum PacketContent: Equatable, Sendable {
        case sizes
        case initPacket
        /// So many bytes of the image.
        case image(Int)
    }

    /// Restarts because of what a device said, or failed to say.
    static let maximumRestarts = 2
    /// Links in a row that may be lost without one more byte arriving than ever before.
    static let maximumFruitlessRestarts = 4
    static let maximumTries = 3
    /// The same where the device has checked the image: its silence then changes nothing.
    static let maximumTriesOnceChecked = 2
    static let maximumStrays = 64
    static let receiptDeadline = Duration.seconds(5)
    /// How long a device may take to be heard again after a restart.
    static let restartTimeout = Duration.seconds(30)
    /// How long an application has to be left alone until it takes a new Start: one in the field forgets an
    /// update after 9.8 s without any access, and takes the sizes after an earlier Start for image.
    static let quiet = Duration.milliseconds(10_500)
    /// How long a device that has something to start may take to end the link.
    static let startDeadline = Duration.seconds(8)
    /// How many received bytes are told at once.
    static let block = 4096

    static let stalled = FailureCode(rawValue: "transfer-stalled")
    private static let incomplete = FailureCode(rawValue: "image-incomplete")

    let image: LegacyImage
    let risks: Set<Risk>
    /// What the application should say of itself in the end. Legacy packages have a number that nobody counts by.
    public let expectedVersion: ExpectedVersion?
    var state = State.idle
    /// Which program is at the other end.
    public var receiver = Receiver.bootloader
    var pacing: LegacyPacing
    var link = LinkState()
    var update = UpdateState()

    /// The update to `image`. `receiptInterval` is the PRN to begin with; nil leaves it to the procedure, 0 asks
    /// for no receipts. A device that cannot keep up lowers it. `versionText` is what the new application has to
    /// call itself; nil leaves that open. `risks` are taken whatever the running application says.
    public init(
        _ image: LegacyImage, receiptInterval: Int? = nil, versionText: String? = nil,
        allowing risks: Set<Risk> = []
    ) {
        self.image = image
        self.risks = risks
        expectedVersion =
            if let versionText { ExpectedVersion(text: versionText) } else if image.role.isSystem { nil } else
            {
                image.countedVersion.map { ExpectedVersion(hinted: $0) } ?? ExpectedVersion()
            }
        pacing = LegacyPacing(receiptInterval: receiptInterval.map { Int(UInt16(clamping: $0)) })
    }

    /// How many bytes of firmware will be sent.
    public var total: Int { image.bytes.count }
    /// Applications have the control point too.
    public var targetSignature: TargetSignature { LegacyService.targetSignature }
    /// One below the bootloader's address, or the same (nordic-legacy.md, Layout).
    public var applicationAddresses: Set<ExpectedAddress> { [.sameAddress, .previousAddress] }
    /// What a bonded application hands over does not outlive a restart (nordic-legacy.md, Entry). Before SDK 7 a bootloader is
    /// always at its application's address.
    public var mayMove: Bool { !link.quirks.mayKnowOldStartOnly }
    /// There is no resume.
    public var goesOn: Bool { false }
    /// One image is one part.
    public var part: UpdatePart? { nil }
    /// Legacy bootloaders compare no versions.
    public func meansInstalled(_ failure: UpdateFailure) -> Bool { false }

    /// A link without requests takes up no time of the flash's.
    public mutating func note(_ times: CommandTimes) {}

    /// It does not go on where it was.
    public func remedy(for failure: UpdateFailure) -> Advice? {
        let again: Advice =
            "run the same command again; it begins at the first byte, because Legacy DFU cannot go on where it was"
        return switch failure.code {
        case .interrupted where receiver == .application && hasBeenStarted:
            "the beacon had the whole image: see with \(task: .info) what it runs before you send it again"
        case .linkLost where failure.remedy == nil:
            "bring the beacon closer or give it fresh power, then " + again
        case .interrupted: again
        case Self.stalled where !pacing.isSlowest && failure.remedy == nil:
            "power-cycle the beacon, then run the same command with \(.receiptInterval, "1"), which sends one packet at a time"
        case Self.incomplete where !pacing.isSlowest && failure.remedy == nil:
            "bring the beacon closer, and flash again with \(.receiptInterval, "1"), which sends one packet at a time"
        default: nil
        }
    }

    /// Whether the device was told to start an image that it has checked.
    private var hasBeenStarted: Bool { if case .perhapsDone = linkEnded() { true } else { false } }

    /// Notifications, then the version.
    public mutating func begin(on facts: LinkFacts) throws(UpdateFailure) -> UpdateStep {
        try checkImage()
        update.effect = effectOnApplication
        if case .writing(.activate, _) = state {
            update.mayBeActivated = true
            update.unansweredActivations += 1
        }
        link = LinkState(hasStockMTU: facts.maximumWriteLength <= 20, isStale: update.isUnderWay)
        state = .subscribing
        return UpdateStep(.subscribe(LegacyService.controlPoint), notices: [.phase(.preparing)])
    }

    /// The step that follows from the outcome of the last one.
    public mutating func advance(after outcome: DialogueOutcome) throws(UpdateFailure) -> UpdateStep {
        switch (state, outcome) {
        case (.subscribing, .done):
            state = .readingVersion
            return UpdateStep(.read(LegacyService.version))
        case (.readingVersion, .value(let version)): return try ask(after: version)
        case (.readingVersion, .absent): return try ask(after: nil)
        case (.readingInformation(let version), .value(let text)):
            try checkHardware(in: text)
            try checkSoftDevice(in: text)
            return try prepare(version)
        case (.readingInformation(let version), .absent): return try prepare(version)
        case (.resting(.start), .done): return start()
        case (.resting, .done): return sendOn()
        case (.writing(let request, let tries), .done): return try follow(request, tries)
        case (.sending(let cargo), .done): return follow(cargo)
        case (.asking(let request, let tries, let strays), .value(let bytes)):
            guard case .status(let status, request.opcode) = LegacyAnswer(bytes) else {
                state = .asking(request, tries: tries, strays: strays + 1)
                return try expectAgain(request, strays)
            }
            return try take(status, of: request)
        case (.asking(let request, let tries, _), .timedOut): return try askAgain(request, tries)
        case (.awaitingReceipt(let strays), .value(let bytes)): return try hear(bytes, strays)
        case (.awaitingReceipt, .timedOut): return try count(tries: 1)
        case (.counting(let tries, let strays), .value(let bytes)):
            return try hear(bytes, countedAt: tries, strays)
        case (.counting(let tries, _), .timedOut): return try countAgain(tries)
        case (.keepingQuiet, .timedOut): return start()
        case (.keepingQuiet(let strays), .value):
            state = .keepingQuiet(strays: strays + 1)
            return try expectAgain(within: Self.quiet, strays, during: .start(mode: nil))
        case (.awaitingStart(let strays), .value):
            state = .awaitingStart(strays: strays + 1)
            return try expectAgain(within: Self.startDeadline, strays, during: .activate)
        case (.awaitingStart, .timedOut): throw notStarted
        default: throw UpdateFailure.misplaced(outcome, in: state, during: "updating")
        }
    }

    /// A link that ends after Activate has probably ended because the device was done.
    public func linkEnded() -> DisconnectMeaning {
        switch state {
        case .finished: .perhapsDone(completion())
        case .awaitingStart: .perhapsDone(completion(mayBeUnheard: receiver != .application))
        case .writing(.activate, _): .perhapsDone(completion(mayBeUnheard: true))
        case .writing(.reset, _), .restarting: .restarting(within: Self.restartTimeout)
        default: update.mayBeActivated ? .perhapsDone(completion(mayBeUnheard: true)) : .interrupted
        }
    }

    /// The end of an update whose image the device has checked. An application's own loader may have to swap two
    /// images first.
    func completion(mayBeUnheard: Bool = false) -> Completion {
        Completion(
            isConfirmed: true, mayBeUnheard: mayBeUnheard, expectedAddresses: applicationAddresses,
            timeout: receiver == .bootloader
                ? .milliseconds(10_000 + image.bytes.count / 10)
                : .milliseconds(30_000 + image.bytes.count / 4),
            mayStayInBootloader: image.role.isSystem)
    }

    /// What would make every bootloader answer 3, or worse, take half an image.
    private func checkImage() throws(UpdateFailure) {
        let step = "preparing"
        guard !image.bytes.isEmpty else { throw UpdateFailure.nothingToSend }
        guard image.sizes.allSatisfy({ $0 >= 0 && $0.isMultiple(of: 4) && $0 <= Int(UInt32.max) }) else {
            throw UpdateFailure(
                FailureCode(rawValue: "image-size-refused"), during: step,
                message: "the sizes \(image.sizes) are not multiples of 4")
        }
        guard image.sizes.reduce(0, +) == image.bytes.count else {
            throw UpdateFailure(
                FailureCode(rawValue: "part-sizes-mismatch"), during: step,
                message: "the sizes \(image.sizes) are not those of an image of \(image.bytes.count) bytes")
        }
    }
}
