import Bluetooth
import Bytes
package import UpdateModel

/// SUOTA of one image, as a state machine without I/O (dialog-suota.md, Conversation).
///
/// Rules (all transitions are in this type):
/// 1. There is no resume. Whatever ends an attempt, the next one starts with byte 0. This type limits the attempts
///    that follow a refusal or a missing response; the engine limits those that follow a lost link.
/// 2. The end command is sent once, and only when every block is acknowledged and the device's count of received
///    bytes does not contradict. If its result does not come, it is read; the command is not repeated in an attempt.
/// 3. Status 02 means either "block accepted" or "image verified". If it was buffered before the current block was
///    sent, it belongs to an earlier block; the device's byte count decides.
/// 4. If a status is missing, the device's byte count is read before the attempt is given up: a lost status costs
///    5 s, not an attempt.
/// 5. A device that refuses gets the abort command, because some devices keep a buffer until then.
package struct SUOTAProcedure: UpdateProcedure {
    enum State: Equatable, Sendable {
        case idle
        case identifying(Question)
        case subscribing
        /// Subscribing on a new link after the end command, for the result of the device's signature check.
        case subscribingAgain
        case writingPins
        case announcing
        case sending(upTo: Int)
        case opening
        case sendingOverChannel(upTo: Int)
        /// Between two slices of packets over the channel, checks whether a refusal has arrived.
        case pollingStatus
        case awaiting(Awaited)
        case readingStatus(Awaited, ReadReason)
        case readingCount(Awaited, ReadReason)
        /// The count confirmed a block whose status was ambiguous; another status for it may be buffered.
        case awaitingLateStatus
        /// Receiving further statuses before the abort command; `received` counts them.
        case draining(UpdateFailure, received: Int)
        case aborting(UpdateFailure)
        case rebooting
        case finished
    }

    enum Awaited: Equatable, Sendable {
        case start
        case block
        /// The arrival of all bytes, by the device's count, before the end command.
        case arrival
        case end
        /// The result of the signature check, once the device has verified the image.
        case signature
    }

    enum ReadReason: Equatable, Sendable {
        case silence
        /// The status came too early, or an earlier one is still missing.
        case earlyStatus
        /// Before the end command, which must not be sent too early; or after a status 02 that may belong to the last block.
        case unconfirmedArrival
        /// The link was lost after the end command.
        case lostLink
    }

    /// The largest number of further attempts after a refusal or a missing response.
    static let maximumRestarts = 3
    /// The largest number of reboot commands in an update.
    static let maximumReboots = 2
    /// The largest number of unrelated statuses that one wait skips.
    static let maximumStrays = 64
    /// The number of bytes that are erased at a time.
    static let sector = 4096
    /// The time without a status after which the device's state is read.
    static let readDelay = Duration.seconds(5)
    /// The time without a result after which the attempt ends.
    static let timeout = Duration.seconds(30)
    static let signatureTimeout = Duration.seconds(60)
    /// The time to wait for further statuses after a refusal: packets in flight may cause more.
    static let drainTime = Duration.milliseconds(200)
    /// A status that arrives within this time after its wait begins was buffered before the wait.
    static let bufferedWithin = Duration.milliseconds(1)

    let image: SUOTAImage
    let preferences: SUOTAPreferences
    /// The file and the XOR of its bytes.
    let upload: [UInt8]
    var state = State.idle
    var link = LinkState()
    var attempt: AttemptState
    var update = UpdateState()
    /// When the last command began and ended, if known.
    var times: CommandTimes?

    package init(_ image: SUOTAImage, _ preferences: SUOTAPreferences = SUOTAPreferences()) {
        self.image = image
        self.preferences = preferences
        upload = image.bytes + [image.trailer]
        attempt = AttemptState(
            plan: BlockPlan(uploadSize: upload.count, blockSize: BlockPlan.safeBlock, chunkSize: 20))
    }

    /// The number of bytes to send: without the XOR if a channel is used.
    package var total: Int { attempt.channel == nil ? upload.count : payloadEnd }
    /// The running application receives the update.
    package var targetSignature: TargetSignature {
        .application(SUOTAService.memoryDevice, isAskedByProcedure: true)
    }
    package var applicationAddresses: Set<ExpectedAddress> { [.sameAddress] }
    /// The version that the user has set, or the one in the image's header; nil if that is empty or not text.
    package var expectedVersion: ExpectedVersion? {
        if let text = preferences.versionText { return ExpectedVersion(text: text) }
        return versionText.map(ExpectedVersion.init(announced:))
    }

    /// Only applications receive SUOTA, and they keep their address.
    package var receiver = Receiver.application

    var family: HeaderFamily { image.header.family }
    /// The offset in bytes of the end of the payload in the file.
    var payloadEnd: Int { image.header.payloadOffset + Int(image.header.codeSize) }

    var versionText: String? {
        if let text = preferences.versionText { return text }
        let version = image.header.version
        return version.isText && !version.text.isEmpty ? version.text : nil
    }

    package mutating func begin(on link: LinkFacts) throws(UpdateFailure) -> UpdateStep {
        try check()
        self.link = LinkState(maximumWriteLength: link.maximumWriteLength)
        state = .identifying(.manufacturer)
        return UpdateStep(.read(Question.manufacturer.characteristic), notices: [.phase(.preparing)])
    }

    /// Records when the last command began and ended: a status that was buffered before it is ambiguous.
    package mutating func note(_ times: CommandTimes) { self.times = times }

    package mutating func advance(after outcome: DialogueOutcome) throws(UpdateFailure) -> UpdateStep {
        defer { times = nil }
        switch (state, outcome) {
        case (.identifying(let question), .value(let bytes)): return try record(question, bytes)
        case (.identifying(let question), .absent): return try record(question, nil)
        case (.subscribing, .done): return start()
        case (.subscribingAgain, .done): return awaitSignature()
        case (.writingPins, .done): return announce()
        case (.announcing, .done): return send()
        case (.sending(let end), .done): return continueAfterSending(upTo: end)
        case (.opening, .opened(let length)): return beginChannel(inPacketsOf: length)
        case (.opening, .refused), (.opening, .timedOut): return continueInWrites()
        case (.sendingOverChannel(let end), .done): return continueAfterSlice(upTo: end)
        case (.pollingStatus, .value(let bytes)): return receivePolledStatus(bytes)
        case (.pollingStatus, .timedOut): return sendOverChannel()
        case (.awaiting(let what), .value(let bytes)): return receiveStatus(bytes, what)
        case (.awaiting(let what), .timedOut): return readAfterTimeout(what)
        case (.readingStatus(let what, let reason), .value(let bytes)):
            return try judge(SUOTAStatus(bytes), what, reason)
        case (.readingStatus(let what, let reason), .absent):
            return try judge(nil as SUOTAStatus?, what, reason)
        case (.readingCount(let what, let reason), .value(let bytes)):
            return try judge(DeviceFacts.number(bytes), what, reason)
        case (.readingCount(let what, let reason), .absent): return try judge(nil as Int?, what, reason)
        case (.awaitingLateStatus, .value(let bytes)): return receiveLateStatus(bytes)
        case (.awaitingLateStatus, .timedOut): return continueAfterBlock()
        case (.draining(let failure, let received), .value): return drain(failure, received + 1)
        case (.draining(let failure, _), .timedOut): return abort(failure)
        case (.aborting(let failure), .done), (.aborting(let failure), .refused): throw failure
        case (.rebooting, .done), (.rebooting, .refused): return finish()
        default: throw .misplaced(outcome, in: state, during: "updating")
        }
    }

    /// The present image stays until the new one is verified, unless a bank that may hold it was set explicitly.
    package var effectOnApplication: DeviceState.Application? {
        switch update.stage {
        case .fresh: nil
        case .begun: endangersRunningImage ? .unknown : .intact
        case .ended, .unconfirmed: .unknown
        case .verified: .new
        }
    }

    /// Nil, because the application receives the update, and has no known limit.
    package var inactivityLimit: Duration? { nil }
    package var mayMove: Bool { false }
    package var part: UpdatePart? { nil }
    package func meansInstalled(_ failure: UpdateFailure) -> Bool { false }

    /// Checks nothing: the procedure itself reads more facts from the device than `running` has.
    package func check(_ running: ApplicationFacts) throws(UpdateFailure) -> [UpdateNotice] { [] }
}

/// Sending the image in writes: block by block, each followed by a status (dialog-suota.md, Blocks).
extension SUOTAProcedure {
    /// Sends the length of the current block, unless the device has it already; then the block.
    mutating func announce() -> UpdateStep {
        let length = attempt.plan.block(attempt.block).count
        guard length != attempt.announced, length > 0 else { return send() }
        let notice = log(attempt.announced == nil ? "the upload begins" : "a shorter last block")
        attempt.announced = length
        state = .announcing
        return UpdateStep(
            .write(UInt16(truncatingIfNeeded: length).bytes(), on: SUOTAService.patchLength),
            notices: [notice, log("patch length \(length)")])
    }

    /// Sends the rest of the block, or only its next chunk if every chunk is reported.
    mutating func send() -> UpdateStep {
        if state == .announcing, attempt.clock.uploadStart == nil {
            attempt.clock.uploadStart = times?.started
        }
        let (plan, position) = (attempt.plan, attempt.position)
        let range = plan.block(attempt.block)
        let end =
            preferences.reportsChunks ? min(position + plan.chunkSize, range.upperBound) : range.upperBound
        state = .sending(upTo: end)
        return .streaming(
            upload[position..<end], to: SUOTAService.patchData, inPacketsOf: plan.chunkSize,
            payload: PayloadSpan(at: position, of: total),
            notices: position == 0 ? [.phase(.transferring)] : [])
    }

    mutating func continueAfterSending(upTo end: Int) -> UpdateStep {
        let range = attempt.plan.block(attempt.block)
        if attempt.position == range.lowerBound { attempt.clock.blockStart = times?.started }
        attempt.position = end
        let isWhole = end == range.upperBound
        if attempt.block == 0, isWhole, update.bank == .untouched { update.bank = .inDoubt }
        let notices = preferences.reportsChunks ? chunkNotices(range) : []
        return (isWhole ? expectStatus(.block) : send()).after(notices)
    }

    /// `isConfirmedByCount`: the device's count shows that it has the block, and its status has not come.
    mutating func completeBlock(isConfirmedByCount: Bool = false) -> UpdateStep {
        let notices = recordBlock(isConfirmedByCount: isConfirmedByCount)
        return continueAfterBlock().after(notices)
    }

    mutating func recordBlock(isConfirmedByCount: Bool) -> [UpdateNotice] {
        if let ended = times?.ended { attempt.clock.uploadEnded(at: ended) }
        var notices = blockNotices()
        if isConfirmedByCount {
            attempt.lateStatuses += 1
            notices.append(log("no status came for block \(attempt.block + 1), but the beacon has the block"))
        }
        attempt.block += 1
        update.bank = .written
        return notices
    }

    /// Continues with the next block; after the last one, reads the device's count.
    mutating func continueAfterBlock() -> UpdateStep {
        attempt.block < attempt.plan.blockCount ? announce() : awaitArrival().after([uploadNotice])
    }

    /// The byte count of a device that has everything up to the current position; a DA1458x does not count the XOR byte.
    var expectedCount: Int { family == .da1458x ? min(attempt.position, payloadEnd) : attempt.position }

    /// Whether the count changes with the current block. For a DA1458x it does not if the block is only the XOR byte.
    var countShowsBlock: Bool {
        let before = attempt.plan.block(attempt.block).lowerBound
        return attempt.channel != nil
            || expectedCount > (family == .da1458x ? min(before, payloadEnd) : before)
    }
}
