import Bluetooth
import Bytes
package import UpdateModel

/// SUOTA of one image, as a state machine without I/O (dialog-suota.md, Conversation).
///
/// Rules (all transitions are in this type):
/// 1. There is no resume. Whatever ends an attempt, the next one starts with byte 0. Attempts ended by a missing
///    response or by the device's count are limited here; the caller of the update counts lost links.
/// 2. The end is announced once, and only when every block is acknowledged and the device's own count does not
///    contradict. Its result is read, never requested again.
/// 3. A status says little: 02 is any block, and the end. One that was buffered before its block was sent is a
///    duplicate or late status of an earlier block; the device's count decides.
/// 4. If a status is missing, the device's count is read before the attempt is given up: a lost status costs 5 s,
///    not an attempt.
/// 5. A device that refuses is told to leave the update, because some keep a buffer until then.
package struct SUOTAProcedure: UpdateProcedure {
    enum State: Equatable, Sendable {
        case idle
        case identifying(Question)
        case subscribing
        /// The same on a link after the end: a device reports the result of a signature check there.
        case subscribingAgain
        case wiring
        case announcing
        case sending(upTo: Int)
        case opening
        case pouring(upTo: Int)
        /// Between two runs of packets over the channel: checks whether the device has refused meanwhile.
        case glancing
        case awaiting(Awaited)
        case readingStatus(Awaited, ReadReason)
        case readingCount(Awaited, ReadReason)
        /// A status of the previous block may still come.
        case sweeping
        case draining(UpdateFailure, heard: Int)
        case aborting(UpdateFailure)
        case rebooting
        case finished
    }

    enum Awaited: Equatable, Sendable {
        case start
        case block
        case arrival
        case end
        /// The result of the signature check, once the device has verified the image.
        case signature
    }

    enum ReadReason: Equatable, Sendable {
        case silence
        case earliness
        /// The end comes next and must not come too early, or a status for it may belong to something else.
        case caution
        case lostLink
    }

    /// The limit of attempts because of a response, or a missing one.
    static let maximumRestarts = 3
    static let maximumReboots = 2
    static let maximumStrays = 64
    /// Bytes that a flash erases at a time.
    static let sector = 4096
    /// The time after which a missing status causes a read of the device's state.
    static let glance = Duration.seconds(5)
    static let timeout = Duration.seconds(30)
    static let signatureTimeout = Duration.seconds(60)
    /// The time to wait for further statuses after a refusal: packets under way may cause more.
    static let drainTime = Duration.milliseconds(200)
    /// A status that came within this time was buffered before.
    static let noWait = Duration.milliseconds(1)
    /// The time limit for DA1468x and DA1469x, which restart whenever the link of an update ends, to be heard again.
    static let restartTimeout = Duration.seconds(30)

    let image: SUOTAImage
    let preferences: SUOTAPreferences
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

    /// Bytes of firmware to send; over a channel without the XOR, which is only known once there is a link.
    package var total: Int { attempt.channel == nil ? upload.count : payloadEnd }
    /// The running application takes the update.
    package var targetSignature: TargetSignature {
        .application(SUOTAService.memoryDevice, isAskedByProcedure: true)
    }
    package var applicationAddresses: Set<ExpectedAddress> { [.sameAddress] }
    /// The version in the image's header, unless the user has set another; nil if it is empty or not text.
    package var expectedVersion: ExpectedVersion? {
        if let text = preferences.versionText { return ExpectedVersion(text: text) }
        return versionText.map(ExpectedVersion.init(announced:))
    }

    /// No: every link starts at the first byte.
    package var goesOn: Bool { false }
    /// Only applications take such updates, and they keep their address.
    package var receiver = Receiver.application

    var family: HeaderFamily { image.header.family }
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

    /// Records the time of the last command: a status that was buffered before it is ambiguous.
    package mutating func note(_ times: CommandTimes) { self.times = times }

    package mutating func advance(after outcome: DialogueOutcome) throws(UpdateFailure) -> UpdateStep {
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
        case (.readingStatus(let what, let reason), .value(let bytes)):
            return try judge(SUOTAStatus(bytes), what, reason)
        case (.readingStatus(let what, let reason), .absent):
            return try judge(nil as SUOTAStatus?, what, reason)
        case (.readingCount(let what, let reason), .value(let bytes)):
            return try judge(DeviceFacts.number(bytes), what, reason)
        case (.readingCount(let what, let reason), .absent): return try judge(nil as Int?, what, reason)
        case (.sweeping, .value(let bytes)): return sweep(bytes)
        case (.sweeping, .timedOut): return goOn()
        case (.draining(let failure, let heard), .value): return drain(failure, heard + 1)
        case (.draining(let failure, _), .timedOut): return abort(failure)
        case (.aborting(let failure), .done), (.aborting(let failure), .refused): throw failure
        case (.rebooting, .done), (.rebooting, .refused): return finish()
        default: throw .misplaced(outcome, in: state, during: "updating")
        }
    }

    package func linkEnded() -> DisconnectMeaning {
        switch (update.stage, state) {
        case (.fresh, _): .interrupted
        case (.begun, .draining(let failure, _)) where !failure.mayReconnect,
            (.begun, .aborting(let failure)) where !failure.mayReconnect:
            .refused(failure)
        case (.begun, _): family == .da1458x ? .interrupted : .restarting(within: Self.restartTimeout)
        case (.ended, _), (.unconfirmed, _), (.verified, _): .perhapsDone(completion)
        }
    }

    /// A device that copies the image before it starts needs time.
    var completion: Completion {
        Completion(
            isConfirmed: update.stage == .verified, expectedAddresses: applicationAddresses,
            timeout: .milliseconds(30_000 + image.bytes.count / 10))
    }
}

extension SUOTAProcedure {
    /// The present image stays until the new one is verified, unless a bank that may hold it was set explicitly.
    package var effectOnApplication: DeviceState.Application? {
        switch update.stage {
        case .fresh: nil
        case .begun: isInDanger ? .unknown : .intact
        case .ended, .unconfirmed: .unknown
        case .verified: .new
        }
    }

    /// None: the application continues to run.
    package var inactivityLimit: Duration? { nil }
    package var mayMove: Bool { false }
    package var part: UpdatePart? { nil }
    package func meansInstalled(_ failure: UpdateFailure) -> Bool { false }

    /// Does nothing: the procedure itself reads more facts from the device than these.
    package func check(_ running: ApplicationFacts) throws(UpdateFailure) -> [UpdateNotice] { [] }
}

/// Sending the image in writes: block by block, each followed by a status (dialog-suota.md, Blocks).
extension SUOTAProcedure {
    /// Sends the length, unless the device has it already; then the block.
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
        return UpdateStep(
            .stream(
                PacketRun(
                    bytes: upload[position..<end], target: SUOTAService.patchData,
                    packetLength: plan.chunkSize, payload: PayloadSpan(at: position, of: total))),
            notices: position == 0 ? [.phase(.transferring)] : [])
    }

    mutating func hasSent(upTo end: Int) -> UpdateStep {
        let range = attempt.plan.block(attempt.block)
        if attempt.position == range.lowerBound { attempt.clock.blockStart = times?.started }
        attempt.position = end
        let isWhole = end == range.upperBound
        if attempt.block == 0, isWhole, update.bank == .untouched { update.bank = .inDoubt }
        let notices = preferences.reportsChunks ? chunkNotices(range) : []
        return (isWhole ? expectStatus(.block) : send()).after(notices)
    }

    mutating func takeBlock(isSettled: Bool = false) -> UpdateStep {
        let notices = noteBlock(isSettled: isSettled)
        return goOn().after(notices)
    }

    mutating func noteBlock(isSettled: Bool) -> [UpdateNotice] {
        if let ended = times?.ended { attempt.clock.uploadEnded(at: ended) }
        var notices = blockNotices()
        if isSettled {
            attempt.owed += 1
            notices.append(log("no status came for block \(attempt.block + 1), but the beacon has the block"))
        }
        attempt.block += 1
        update.bank = .written
        return notices
    }

    /// Continues with the next block, or after the last one reads the device's count.
    mutating func goOn() -> UpdateStep {
        attempt.block < attempt.plan.blockCount ? announce() : awaitArrival().after([uploadNotice])
    }

    /// The device's count if it has everything up to the current position: a DA1458x excludes the XOR byte.
    var expectedCount: Int { family == .da1458x ? min(attempt.position, payloadEnd) : attempt.position }

    /// Whether the count distinguishes the current block from the previous one: not if it is only the XOR byte.
    var countTells: Bool {
        let before = attempt.plan.block(attempt.block).lowerBound
        return attempt.channel != nil
            || expectedCount > (family == .da1458x ? min(before, payloadEnd) : before)
    }
}
