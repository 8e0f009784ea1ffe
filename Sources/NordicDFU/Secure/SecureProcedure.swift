public import FirmwareModel
public import Sessions
public import UpdateCore

/// Nordic Secure DFU of one image, as a value (nordic-secure.md, Conversation).
///
/// Rules, all transitions are in this type:
/// 1. Receipts and Select come first on every link; what the device holds decides what follows.
/// 2. An answer is known by its opcode, never by its place in the row: receipts and answers to earlier,
///    repeated requests may come at any time and are passed over.
/// 3. A request that was not answered is not repeated before the device was asked what it holds.
/// 4. Nothing is believed to have arrived until offset and CRC say so, and no byte is sent past the end of
///    the object that was created.
public struct SecureProcedure: UpdateProcedure {
    enum State: Equatable, Sendable {
        case idle
        case subscribing
        /// Waiting for the answer to a request, for the `tries`-th time.
        case asking(SecureRequest, tries: Int, strays: Int)
        /// The answer did not come; asked what the device holds before asking again.
        case settling(SecureRequest, tries: Int, strays: Int)
        case streaming(count: Int)
        case awaitingReceipt(strays: Int)
        /// Taking the receipts that have come meanwhile, without waiting for any.
        case lookingForReceipts(strays: Int)
        /// Pausing until the flash has room.
        case pausing(until: Duration)
        /// Pausing before a request.
        case pausingBefore(SecureRequest, tries: Int)
        case finished
    }

    /// How often an object is sent again at most.
    public static let maximumObjectRetries = 3
    static let maximumTries = 3
    static let maximumStrays = 64
    /// More than there are packets of 20 bytes in an object of 4096.
    static let maximumShortAnswers = 512
    static let maximumRestarts = 2

    let image: SecureImage
    let risks: Set<Risk>
    /// What the application should say of itself in the end.
    public let expectedVersion: ExpectedVersion?
    var state = State.idle
    /// Which program is at the other end.
    public var receiver = Receiver.bootloader
    var flow: FlowControl
    var link: LinkState
    var update = UpdateState()

    /// The update to `image`. `receiptInterval` is the PRN to begin with; nil leaves it to the procedure,
    /// 0 asks for no receipts. Losses lower it. `versionText` is what the new application has to call itself;
    /// nil goes by the package's number. `risks` are taken whatever the running application says.
    public init(
        _ image: SecureImage, receiptInterval: Int? = nil, versionText: String? = nil,
        allowing risks: Set<Risk> = []
    ) {
        self.image = image
        self.risks = risks
        expectedVersion =
            image.role.isSystem
            ? versionText.map { ExpectedVersion(text: $0) }
            : ExpectedVersion(number: image.firmwareVersion, text: versionText)
        flow = FlowControl(receiptInterval: receiptInterval)
        link = LinkState(image)
    }

    /// One more notification has come that answers nothing; how many that makes in a row. Some devices send a short
    /// checksum answer for each packet, which counts only when there are far too many.
    mutating func stray(_ bytes: [UInt8], after strays: Int) -> Int {
        guard SecureAnswer(bytes)?.isShortChecksum == true,
            link.transfer.shortAnswers < Self.maximumShortAnswers
        else {
            return strays + 1
        }
        link.transfer.shortAnswers += 1
        return strays
    }

    /// A receipt comes with the connection event after its packet's, if the packet has arrived at all. Where packets are
    /// lost it is not waited for long: the device can be asked at any time.
    var receiptDeadline: Duration {
        let patient = Duration.seconds(1) + (flow.roundTrip ?? .zero) * 2
        guard flow.hasLost, flow.roundTrip != nil else { return patient }
        return min(patient, flow.receiptDeadline(of: flow.window))
    }

    /// How many bytes of firmware will be sent.
    public var total: Int { image.bytes.count }
    /// Whoever has the control point takes updates.
    public var targetSignature: TargetSignature { TargetSignature(SecureService.controlPoint) }
    /// One below the bootloader's address, or the same (nordic-secure.md, Layout).
    public var applicationAddresses: Set<ExpectedAddress> { [.sameAddress, .previousAddress] }
    /// A bootloader keeps whole objects at least.
    public var goesOn: Bool { true }
    /// A bootloader keeps its address over a restart.
    public var mayMove: Bool { false }
    /// One image is one part.
    public var part: UpdatePart? { nil }
    /// Every refusal brings its own, but for what depends on how the image was sent.
    public func remedy(for failure: UpdateFailure) -> Advice? {
        guard failure.code == SecureRefusal.imageHashMismatch, flow.requested != 1 else { return nil }
        return
            "flash again, one packet at a time (\(.receiptInterval, "1")); if that fails too, the flash is worn"
    }

    /// Notifications, then receipts, then what the device holds.
    public mutating func begin(on facts: LinkFacts) throws(UpdateFailure) -> UpdateStep {
        guard !image.bytes.isEmpty, !image.initPacket.isEmpty else {
            throw UpdateFailure.nothingToSend
        }
        flow.begin(maximumWriteLength: facts.maximumWriteLength)
        if case .asking(.flashBarrier, _, _) = state { update.hasBarrierFailed = true }
        if case .asking(.protocolVersion, _, _) = state { flow.note(isOld: true) }
        let sending = if case .streaming(let count) = state { count } else { 0 }
        update.held.noteEnd(of: link.transfer, sending: sending)
        link = LinkState(image)
        state = .subscribing
        return UpdateStep(.subscribe(SecureService.controlPoint), notices: [.phase(.preparing)])
    }

    /// What is learned from the times of answers.
    public mutating func note(_ times: CommandTimes) {
        guard let trip = link.pacing.note(times), case .asking(let request, 1, 0) = state else { return }
        if !request.isWork { flow.note(roundTrip: trip) }
    }

    /// The step that follows from the outcome of the last one.
    public mutating func advance(after outcome: DialogueOutcome) throws(UpdateFailure) -> UpdateStep {
        if case .value(let bytes) = outcome { link.noteAnswer(bytes) }
        switch (state, outcome) {
        case (.subscribing, .done): return setReceipts()
        case (.asking(let request, let tries, let strays), .value(let bytes)):
            guard let answer = SecureAnswer(bytes), answer.answers(request) else {
                let now = stray(bytes, after: strays)
                state = .asking(request, tries: tries, strays: now)
                return try expectAgain(request, strays)
            }
            return try take(answer, to: request, tries)
        case (.asking(let request, let tries, _), .timedOut): return try settle(request, tries)
        case (.settling(let request, let tries, let strays), .value(let bytes)):
            guard let answer = SecureAnswer(bytes), answer.answers(.checksum) else {
                let now = stray(bytes, after: strays)
                state = .settling(request, tries: tries, strays: now)
                return try expectAgain(.checksum, strays)
            }
            return try conclude(answer, about: request, tries)
        case (.settling(let request, let tries, _), .timedOut): return try askAgain(request, tries)
        case (.streaming(let count), .done):
            if link.transfer.object == .data { flow.note(sent: count) }
            link.transfer.advance(by: count, of: source, flow, from: link.pacing.began, to: link.pacing.now)
            return sendOn()
        case (.pausing(let moment), .done):
            link.pacing.noteRest(until: moment)
            link.transfer.hasLooked = false
            return sendOn()
        case (.pausingBefore(let request, let tries), .done): return ask(request, tries: tries)
        case (.awaitingReceipt(let strays), .value(let bytes)): return try take(receipt: bytes, strays)
        case (.lookingForReceipts(let strays), .value(let bytes)):
            guard SecureAnswer(bytes)?.answers(.checksum) == true || strays >= Self.maximumStrays
            else { return lookForReceipts(strays: stray(bytes, after: strays)) }
            return try take(receipt: bytes, strays)
        case (.lookingForReceipts, .timedOut):
            link.transfer.hasLooked = true
            return sendOn()
        case (.awaitingReceipt, .timedOut):
            flow.missedReceipts += 1
            link.transfer.check = .receipt(mismatches: 0)
            return ask(.checksum)
        default: throw UpdateFailure.misplaced(outcome, in: state, during: "updating")
        }
    }

    /// A link that ends during the last Execute may have ended because the device was done.
    public func linkEnded() -> DisconnectMeaning {
        switch state {
        case .asking(.execute(.data, isLast: true), _, _), .settling(.execute(.data, isLast: true), _, _):
            .perhapsDone(completion(isConfirmed: false))
        case .pausingBefore(.execute(.data, isLast: true), _):
            link.refusedWhole.map { .refused($0) } ?? .interrupted
        case .finished: .perhapsDone(completion(isConfirmed: link.unansweredExecutes == 0))
        default: .interrupted
        }
    }

    /// A bootloader takes only a higher version of itself, and a SoftDevice's list need not name the one that it
    /// installs (docs/formats/init-packet.md).
    public func meansInstalled(_ failure: UpdateFailure) -> Bool {
        image.role.isSystem && failure.during == SecureRequest.execute(.command, isLast: false).step
            && SecureRefusal.perhapsInstalled.contains(failure.code)
    }
}
