import Bytes
package import UpdateModel

/// Nordic Legacy DFU of one image, as a state machine without I/O (nordic-legacy.md, Conversation).
///
/// Rules (all transitions are in this type):
/// 1. There is no resume. A bootloader that is in the middle of an update refuses Start; it is restarted, and
///    the image is sent from its first byte over a new link.
/// 2. A response is matched by its opcode, never by its position. Only a receipt, or the response to a request
///    for the count, proves that packets have arrived.
/// 3. A device that stops responding is asked what it has received before the attempt is given up: a lost
///    receipt costs nothing, only a stall costs a restart.
/// 4. Restarts after a refusal or a missing response are counted here, with a limit for each kind of reason; lost links are
///    counted by the engine. So every conversation ends.
/// 5. An image that the device has verified is not sent again if the device stops responding: it is told once
///    more to start it.
package struct LegacyProcedure: UpdateProcedure {
    enum State: Equatable, Sendable {
        case idle
        case subscribing
        case readingVersion
        /// Reading the bootloader's firmware revision (2A26), which some have.
        case readingInformation(version: [UInt8]?)
        case resting(before: LegacyRequest)
        /// Writing a request that has no response, or whose response is awaited later; `tries` counts the attempts.
        case writing(LegacyRequest, tries: Int)
        case sending(PacketContent)
        /// Waiting for the response to a request; `tries` counts the attempts.
        case asking(LegacyRequest, tries: Int, strays: Int)
        /// Waiting for a receipt, or for the confirmation that everything is in flash.
        case awaitingReceipt(strays: Int)
        /// Waiting for the number of received bytes; `tries` counts the requests.
        case counting(tries: Int, strays: Int)
        /// Waiting until the application has forgotten an earlier update.
        case waitingUntilForgotten(strays: Int)
        /// Waiting for a restart, after the device was told once more to start the verified image.
        case awaitingStart(strays: Int)
        case restarting
        case finished
    }

    enum PacketContent: Equatable, Sendable {
        case sizes
        case initPacket
        case image(Int)
    }

    /// The largest number of restarts after a refusal or a missing response.
    static let maximumRestarts = 2
    static let maximumTries = 3
    /// The largest number of tries after the device has verified the image, when a missing response changes nothing.
    static let maximumTriesAfterValidation = 2
    static let maximumStrays = 64
    static let receiptDeadline = Duration.seconds(5)
    static let restartTimeout = Duration.seconds(30)
    /// How long to send nothing to an application before a new Start. A known one forgets an update only after 9.8 s
    /// without any access; until then it treats the sizes after a second Start as image data.
    static let forgetTime = Duration.milliseconds(10_500)
    /// How long a device that is to start an image may take to end the link.
    static let startDeadline = Duration.seconds(8)
    /// The number of received bytes between two reports of progress.
    static let progressStep = 4096

    let image: LegacyImage
    /// Bytes of the longest packet that the user allows; nil for the 20 bytes that every bootloader accepts.
    let packetSize: Int?
    let risks: Set<Risk>
    /// Only a hint, unless the user set it: the version number in Legacy packages is not meaningful.
    package let expectedVersion: ExpectedVersion?
    var state = State.idle
    package var receiver = Receiver.bootloader
    var pacing: LegacyPacing
    var link = LinkState()
    var update = UpdateState()

    /// The update to `image`. `receiptInterval` is the initial PRN; nil uses the default, 0 requests no receipts. It
    /// is lowered for a device that cannot keep up. `packetSize` allows packets of more than the usual 20 bytes.
    /// `versionText` is the version text that the new application has to report; nil for any. `risks` are accepted
    /// whatever the running application reports.
    package init(
        _ image: LegacyImage, receiptInterval: Int? = nil, packetSize: Int? = nil, versionText: String? = nil,
        allowing risks: Set<Risk> = []
    ) {
        (self.image, self.packetSize, self.risks) = (image, packetSize, risks)
        let own = image.countedVersion.map { ExpectedVersion(hinted: $0) } ?? ExpectedVersion()
        expectedVersion = versionText.map { ExpectedVersion(text: $0) } ?? (image.role.isSystem ? nil : own)
        pacing = LegacyPacing(receiptInterval: receiptInterval.map { Int(UInt16(clamping: $0)) })
    }

    package var total: Int { image.bytes.count }
    /// Distinguishes bootloaders from applications, which have the control point too.
    package var targetSignature: TargetSignature { LegacyService.targetSignature }
    /// The bootloader's address minus one, or the same address (nordic-legacy.md, Layout).
    package var applicationAddresses: Set<ExpectedAddress> { [.sameAddress, .previousAddress] }
    /// Whether the address may change: a restart loses the bond data that an application handed over (nordic-legacy.md,
    /// Entry). Bootloaders before SDK 7 always have their application's address.
    package var mayMove: Bool { !link.quirks.mayNeedOldStart }
    package var resumes: Bool { false }

    /// The advice for failures whose general advice assumes a resume, or which depends on the packets sent.
    package func remedy(for failure: UpdateFailure) -> Advice? {
        let again: Advice =
            "run the same command again; it starts at the first byte, because Legacy DFU cannot resume"
        return switch failure.code {
        case .system.interrupted where receiver == .application && mayHaveStartedImage:
            "the beacon had the whole image: check with \(task: .info) what it runs before you send it again"
        case .device.linkLost where failure.remedy == nil:
            "bring the beacon closer or give it fresh power, then " + again
        case .system.interrupted: again
        case .nordicRefusal.transferStalled where sendsLongPackets,
            .device.noAnswer where sendsLongPackets && update.hasSentStart:
            "power-cycle the beacon, then run the same command with a smaller \(.packetSize), or without"
        case .nordicRefusal.transferStalled where !pacing.isSlowest && failure.remedy == nil:
            "power-cycle the beacon, then run the same command with \(.receiptInterval, "1"), which sends one packet at a time"
        case .nordicRefusal.imageIncomplete where !pacing.isSlowest && failure.remedy == nil:
            "bring the beacon closer, and flash again with \(.receiptInterval, "1"), which sends one packet at a time"
        default: nil
        }
    }

    private var sendsLongPackets: Bool { link.packetLength > LegacyQuirks.packetLength }

    /// Whether the device was told to start an image that it has checked.
    private var mayHaveStartedImage: Bool { if case .perhapsDone = disconnectMeaning { true } else { false } }

    package mutating func begin(on facts: LinkFacts) throws(UpdateFailure) -> UpdateStep {
        try checkImage()
        update.effect = effectOnApplication
        if case .writing(.activate, _) = state {
            update.mayBeActivated = true
            update.unansweredActivations += 1
        }
        link = LinkState(
            hasStockMTU: facts.maximumWriteLength <= 20, packetLength: packetLength(on: facts),
            isStale: update.isStartPending)
        state = .subscribing
        return UpdateStep(.subscribe(LegacyService.controlPoint), notices: [.phase(.preparing)])
    }

    /// Bytes of the image per packet: whole words, and more than 20 only if the user allows it.
    private func packetLength(on facts: LinkFacts) -> Int {
        max(LegacyQuirks.packetLength, min(packetSize ?? 0, facts.maximumWriteLength) / 4 * 4)
    }

    package mutating func note(_ times: CommandTimes) {}

    package mutating func advance(after outcome: DialogueOutcome) throws(UpdateFailure) -> UpdateStep {
        switch (state, outcome) {
        case (.subscribing, .done):
            state = .readingVersion
            return UpdateStep(.read(LegacyService.version))
        case (.readingVersion, .value(let version)): return try ask(after: version)
        case (.readingVersion, .absent): return try ask(after: nil)
        case (.readingInformation(let version), .value(let bytes)):
            let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            try checkHardware(in: text)
            try checkSoftDevice(in: text)
            return try prepare(version)
        case (.readingInformation(let version), .absent): return try prepare(version)
        case (.resting(.start), .done): return start()
        case (.resting, .done): return continueSending()
        case (.writing(let request, let tries), .done): return try continueAfterWriting(request, tries)
        case (.sending(let content), .done): return continueAfterSending(content)
        case (.asking(let request, let tries, let strays), .value(let bytes)):
            guard case .status(let status, request.opcode) = LegacyAnswer(bytes) else {
                state = .asking(request, tries: tries, strays: strays + 1)
                return try expectAgain(request, strays)
            }
            return try handle(status, of: request)
        case (.asking(let request, let tries, _), .timedOut): return try askAgain(request, tries)
        case (.awaitingReceipt(let strays), .value(let bytes)): return try handleReceipt(bytes, strays)
        case (.awaitingReceipt, .timedOut): return try requestCount(tries: 1)
        case (.counting(let tries, let strays), .value(let bytes)):
            return try handleCount(bytes, tries, strays)
        case (.counting(let tries, _), .timedOut): return try requestCountAgain(tries)
        case (.waitingUntilForgotten, .timedOut): return start()
        case (.waitingUntilForgotten(let strays), .value):
            state = .waitingUntilForgotten(strays: strays + 1)
            return try expectAgain(within: Self.forgetTime, strays, during: .start(mode: nil))
        case (.awaitingStart(let strays), .value):
            state = .awaitingStart(strays: strays + 1)
            return try expectAgain(within: Self.startDeadline, strays, during: .activate)
        case (.awaitingStart, .timedOut): throw notStarted
        default: throw UpdateFailure.misplaced(outcome, in: state, during: "updating")
        }
    }

    package var disconnectMeaning: DisconnectMeaning {
        switch state {
        case .finished: .perhapsDone(completion())
        case .awaitingStart: .perhapsDone(completion(mayHaveMissedStart: receiver != .application))
        case .writing(.activate, _): .perhapsDone(completion(mayHaveMissedStart: true))
        case .writing(.reset, _), .restarting: .mayRestart(within: Self.restartTimeout)
        default: update.mayBeActivated ? .perhapsDone(completion(mayHaveMissedStart: true)) : .mustContinue
        }
    }

    /// The completion with a verified image. An application gets more time, because its loader may swap two images.
    func completion(mayHaveMissedStart: Bool = false) -> Completion {
        Completion(
            isConfirmed: true, mayHaveMissedStart: mayHaveMissedStart,
            expectedAddresses: applicationAddresses,
            timeout: receiver == .bootloader
                ? .milliseconds(10_000 + image.bytes.count / 10)
                : .milliseconds(30_000 + image.bytes.count / 4), mayStayInBootloader: image.role.isSystem)
    }

    /// Refuses sizes for which every bootloader responds with status 3 or, worse, accepts half an image.
    private func checkImage() throws(UpdateFailure) {
        guard !image.bytes.isEmpty else { throw UpdateFailure.nothingToSend }
        guard image.sizes.allSatisfy({ $0 >= 0 && $0.isMultiple(of: 4) && $0 <= Int(UInt32.max) }) else {
            throw UpdateFailure(
                .nordicFile.imageSizeRefused, during: "preparing",
                message: "the sizes \(image.sizes) are not multiples of 4")
        }
        guard image.sizes.reduce(0, +) == image.bytes.count else {
            throw UpdateFailure(
                .nordicFile.partSizesMismatch, during: "preparing",
                message: "the sizes \(image.sizes) are not those of an image of \(image.bytes.count) bytes")
        }
    }
}

extension LegacyProcedure {
    /// With one bank, Start erases the application; no request reveals the number of banks. A SoftDevice always overwrites
    /// the application (nordic-legacy.md, Conversation).
    package var effectOnApplication: DeviceState.Application? {
        switch state {
        case .finished: image.role == .application ? .new : effectOfStart
        case .writing(.activate, _): .unknown
        default: update.isStartInDoubt ? effectOfStart : update.effect
        }
    }

    /// The limit of stock bootloaders, which have an MTU of 23; Adafruit's has none (nordic-legacy.md, Timing).
    package var inactivityLimit: Duration? { link.hasStockMTU ? .seconds(120) : nil }
    package var part: UpdatePart? { nil }
    package func meansInstalled(_ failure: UpdateFailure) -> Bool { false }

    /// Compares the version in the init packet, which bootloaders do not compare.
    package func check(_ running: ApplicationFacts) throws(UpdateFailure) -> [UpdateNotice] {
        guard let number = image.countedVersion,
            let shown = running.version, ExpectedVersion.order(of: number, to: shown) == .same
        else { return [] }
        return try InstalledVersion.notices(of: shown, allowing: risks)
    }

    /// Start's effect on the application. An application that takes the update itself stores it in a separate bank.
    var effectOfStart: DeviceState.Application {
        if receiver == .application { return .intact }
        return image.role == .softdevice || image.role == .softdeviceBootloader ? .gone : .unknown
    }

    mutating func noteStart(isAccepted: Bool) {
        update.isStartInDoubt = false
        let before = update.effect ?? .intact
        update.effect = isAccepted ? before.followed(by: effectOfStart) : before
    }

    struct LinkState: Sendable {
        /// Whether the link carries writes of at most 20 bytes, as with stock bootloaders.
        var hasStockMTU = true
        var packetLength = LegacyQuirks.packetLength
        /// Whether the device was sent Start over an earlier link and has not restarted since, so that it refuses another.
        var isStale = false
        var quirks = LegacyQuirks.stock
        /// Whether the device also refused the Start from before SDK 7 (or its first refusal was received twice).
        var hasRefusedOldStart = false
        var attempt = AttemptState()
        /// Why the device is being restarted; nil if the restart does not count as a repetition.
        var reason: UpdateFailure?
    }

    struct AttemptState: Sendable {
        var position = 0
        /// The number of arrived bytes last reported to the observer.
        var reported = 0
        /// The device's last byte count if bytes were missing; nil after a receipt.
        var lastCount: UInt32?
    }

    struct UpdateState: Sendable {
        /// Whether Start is sent in the form from before SDK 7, because the device knows no other.
        var usesOldStart = false
        /// Whether the bootloader reports that it is Adafruit's, with a SoftDevice that the init packet lists.
        var isAdafruit = false
        /// Whether the device shows no version, but has refused an init packet from before SDK 7.
        var usesNewInit = false
        var hasSentStart = false
        /// Whether the device has been sent Start, and no reset since.
        var isStartPending = false
        /// Whether a link ended at Activate, so that the device may have started the image.
        var mayBeActivated = false
        var unansweredActivations = 0
        var restarts = 0
        /// The most bytes that the device has received over any link.
        var furthest = 0
        /// The known effect on the application; nil before anything was changed.
        var effect: DeviceState.Application?
        /// Whether Start was sent, and its result is unknown.
        var isStartInDoubt = false
    }
}
