package import UpdateModel

/// Nordic Secure DFU of one image, as a state machine without I/O (nordic-secure.md, Conversation).
///
/// Rules (all transitions are in this type):
/// 1. Receipts and Select come first on every link; what the device holds decides the next step.
/// 2. A response is matched by its opcode, never by its position: receipts and responses to earlier, repeated
///    requests may come at any time and are skipped.
/// 3. A request without a response is not repeated before the device was asked what it holds.
/// 4. Bytes count as arrived only when offset and CRC confirm them, and no byte is sent past the end of
///    the object that was created.
package struct SecureProcedure: UpdateProcedure {
    enum State: Equatable, Sendable {
        case idle
        case subscribing
        /// Waiting for the response to a request; `tries` counts the attempts.
        case asking(SecureRequest, tries: Int, strays: Int)
        /// Asking what the device holds, because there was no response to a request, before it is repeated.
        case settling(SecureRequest, tries: Int, strays: Int)
        case streaming(count: Int)
        case awaitingReceipt(strays: Int)
        /// Reading the receipts that have arrived meanwhile, without waiting for more.
        case lookingForReceipts(strays: Int)
        /// Pausing until the flash has capacity.
        case pausing(until: Duration)
        case pausingBefore(SecureRequest, tries: Int)
        case finished
    }

    static let maximumObjectRetries = 3
    static let maximumTries = 3
    static let maximumStrays = 64
    /// More than the number of 20-byte packets in an object of 4096 bytes.
    static let maximumShortAnswers = 512
    static let maximumRestarts = 2

    let image: SecureImage
    let beginsAfresh: Bool
    let risks: Set<Risk>
    package let expectedVersion: ExpectedVersion?
    var state = State.idle
    package var receiver = Receiver.bootloader
    var flow: FlowControl
    var link: LinkState
    var update = UpdateState()

    /// The update to `image`. `receiptInterval` is the initial PRN; nil lets the procedure choose, 0 requests no
    /// receipts. Losses lower it. `versionText` is the version text that the new application has to report; nil uses
    /// the package's number. `risks` are accepted whatever the running application reports. `beginningAfresh`: what the
    /// bootloader holds of an earlier update is not used.
    package init(
        _ image: SecureImage, receiptInterval: Int? = nil, versionText: String? = nil,
        allowing risks: Set<Risk> = [], beginningAfresh beginsAfresh: Bool = false
    ) {
        (self.image, self.risks, self.beginsAfresh) = (image, risks, beginsAfresh)
        expectedVersion =
            image.role.isSystem
            ? versionText.map { ExpectedVersion(text: $0) }
            : ExpectedVersion(number: image.firmwareVersion, text: versionText)
        flow = FlowControl(receiptInterval: receiptInterval)
        link = LinkState(image)
    }

    /// Counts a notification that is not the awaited response; returns the new number in a row. Some devices send a
    /// short checksum response for each packet, which counts only if there are far too many.
    mutating func stray(_ bytes: [UInt8], after strays: Int) -> Int {
        guard SecureAnswer(bytes)?.isShortChecksum == true,
            link.transfer.shortAnswers < Self.maximumShortAnswers
        else { return strays + 1 }
        link.transfer.shortAnswers += 1
        return strays
    }

    /// The timeout of a receipt, due in the event after its packet; short on lossy links: the device can be asked.
    var receiptDeadline: Duration {
        let patient = Duration.seconds(1) + (flow.roundTrip ?? .zero) * 2
        guard flow.hasLost, flow.roundTrip != nil else { return patient }
        return min(patient, flow.receiptDeadline(of: flow.window))
    }

    package var total: Int { image.bytes.count }
    package var targetSignature: TargetSignature { TargetSignature(SecureService.controlPoint) }
    /// The bootloader's address minus one, or the same address (nordic-secure.md, Layout).
    package var applicationAddresses: Set<ExpectedAddress> { [.sameAddress, .previousAddress] }
    /// True: some bootloaders keep at least whole objects when a link is lost.
    package var goesOn: Bool { true }
    /// Refusals have their own advice; this adds advice that depends on how the image was sent.
    package func remedy(for failure: UpdateFailure) -> Advice? {
        guard failure.code == .device.imageHashMismatch, flow.requested != 1 else { return nil }
        return
            "flash again, one packet at a time (\(.receiptInterval, "1")); if that fails too, the flash is worn"
    }

    package mutating func begin(on facts: LinkFacts) throws(UpdateFailure) -> UpdateStep {
        guard !image.bytes.isEmpty, !image.initPacket.isEmpty else { throw UpdateFailure.nothingToSend }
        flow.begin(maximumWriteLength: facts.maximumWriteLength)
        if case .asking(.flashBarrier, _, _) = state { update.hasBarrierFailed = true }
        if case .asking(.protocolVersion, _, _) = state { flow.answersAsOld = true }
        let sending = if case .streaming(let count) = state { count } else { 0 }
        update.held.noteEnd(of: link.transfer, sending: sending)
        link = LinkState(image)
        state = .subscribing
        return UpdateStep(.subscribe(SecureService.controlPoint), notices: [.phase(.preparing)])
    }

    package mutating func note(_ times: CommandTimes) {
        guard let trip = link.pacing.note(times), case .asking(let request, 1, 0) = state else { return }
        if !request.isExecute { flow.note(roundTrip: trip) }
    }

    package mutating func advance(after outcome: DialogueOutcome) throws(UpdateFailure) -> UpdateStep {
        if case .value(let bytes) = outcome { link.noteAnswer(bytes) }
        switch (state, outcome) {
        case (.subscribing, .done): return setReceipts()
        case (.asking(let request, let tries, let strays), .value(let bytes)):
            guard let answer = SecureAnswer(bytes), answer.answers(request) else {
                state = .asking(request, tries: tries, strays: stray(bytes, after: strays))
                return try expectAgain(request, strays)
            }
            return try take(answer, to: request, tries)
        case (.asking(let request, let tries, _), .timedOut): return try settle(request, tries)
        case (.settling(let request, let tries, let strays), .value(let bytes)):
            guard let answer = SecureAnswer(bytes), answer.answers(.checksum) else {
                state = .settling(request, tries: tries, strays: stray(bytes, after: strays))
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

    /// If the link ends during the last Execute, the device has probably finished.
    package func linkEnded() -> DisconnectMeaning {
        switch state {
        case .asking(.execute(.data, isLast: true), _, _), .settling(.execute(.data, isLast: true), _, _):
            .perhapsDone(completion(isConfirmed: false))
        case .pausingBefore(.execute(.data, isLast: true), _):
            link.refusedWhole.map(DisconnectMeaning.refused) ?? .interrupted
        case .finished: .perhapsDone(completion(isConfirmed: link.unansweredExecutes == 0))
        default: .interrupted
        }
    }

    /// An installed part's init packet is refused: a bootloader accepts only a higher version of itself, and a
    /// SoftDevice's package need not list the SoftDevice that it installs (docs/formats/init-packet.md).
    package func meansInstalled(_ failure: UpdateFailure) -> Bool {
        image.role.isSystem && failure.during == SecureRequest.execute(.command, isLast: false).step
            && SecureRefusal.perhapsInstalled.contains(failure.code)
    }
}

extension SecureProcedure {
    /// Until an init packet is executed, nothing changes. Then the old application stays only if the new image fits
    /// next to it, and no request reveals the free space (nordic-secure.md, Personalities).
    package var effectOnApplication: DeviceState.Application? {
        update.isInitInDoubt ? .unknown : update.effect
    }

    mutating func noteAnswer(to request: SecureRequest) {
        if case .execute(.command, _) = request {
            update.isInitInDoubt = false
            update.hasExecutedInit = true
        }
        if case .create = request { update.effect = update.effect ?? .intact }
    }

    /// The limit of stock bootloaders (nordic-secure.md, Timing).
    package var inactivityLimit: Duration? { .seconds(120) }
    package var mayMove: Bool { false }
    package var part: UpdatePart? { nil }

    /// Finds a version that the bootloader would refuse, or that is installed already, and a chip that the package is
    /// not for. System parts are not checked: an application does not report them.
    package func check(_ running: ApplicationFacts) throws(UpdateFailure) -> [UpdateNotice] {
        guard image.role == .application else { return [] }
        if !risks.contains(.wrongFamily) { try checkChip(running) }
        guard let number = image.firmwareVersion, let shown = running.version else { return [] }
        switch ExpectedVersion.order(of: number, to: shown) {
        case .same: return try InstalledVersion.notices(of: shown, allowing: risks)
        case .lower where !risks.contains(.lowerVersion):
            throw UpdateFailure(
                .device.firmwareVersionTooLow, during: InstalledVersion.step,
                message: "the application reports version \(shown), the package has "
                    + "\(ExpectedVersion(number: number)), and bootloaders accept no lower one; nothing was sent",
                remedy: "build the package with \(.applicationVersion, Self.number(shown)) or higher; if the "
                    + "application's version text means something else, \(.risk, "lower-version") lets the "
                    + "bootloader decide"
            )
        case .lower, .higher, nil: return []
        }
    }

    private static func number(_ shown: String) -> String {
        ExpectedVersion.number(of: shown).map(String.init) ?? shown
    }

    /// Compares the chip if `hw_version` is 51 or 52, as in stock bootloaders; other numbers are a maker's own.
    private func checkChip(_ running: ApplicationFacts) throws(UpdateFailure) {
        guard let wanted = image.hardwareVersion, Self.chips.contains(wanted) else { return }
        for text in [running.hardware, running.model] {
            guard let text, let chip = Self.chip(namedIn: text), chip != wanted else { continue }
            throw UpdateFailure(
                .device.hardwareVersionMismatch, during: InstalledVersion.step,
                message: "the application reports hardware '\(text)', but the package is for hardware "
                    + "\(wanted), which is an nRF\(wanted); nothing was sent",
                remedy: "use the package for this hardware; if the application's text is wrong, "
                    + "\(.risk, "wrong-family") lets the bootloader decide")
        }
    }

    private static let chips: [UInt32] = [51, 52]

    private static func chip(namedIn text: String) -> UInt32? {
        let text = text.lowercased()
        return chips.first { text.contains("nrf\($0)") }
    }
}

extension SecureProcedure {
    mutating func ask(_ request: SecureRequest, tries: Int = 1, notices: [UpdateNotice] = []) -> UpdateStep {
        if request.isExecute { link.unansweredExecutes += 1 }
        if case .execute(.command, _) = request { update.isInitInDoubt = true }
        state = .asking(request, tries: tries, strays: 0)
        return step(request, notices: notices)
    }

    func step(_ request: SecureRequest, notices: [UpdateNotice] = []) -> UpdateStep {
        UpdateStep(
            .request(
                request.bytes, on: SecureService.controlPoint, answerOn: SecureService.controlPoint,
                within: request.deadline), notices: notices,
            // A data Execute is acknowledged when all writes of its object are done (nordic-secure.md, Conversation).
            waitsFor: request.waitsForFlash ? .flash : .answers)
    }

    func expectAgain(_ request: SecureRequest, _ strays: Int) throws(UpdateFailure) -> UpdateStep {
        guard strays < Self.maximumStrays else { throw .strays(strays, during: request.step) }
        return UpdateStep(.expect(from: SecureService.controlPoint, within: request.deadline))
    }

    /// Rule 3: first asks what the device holds, unless the request itself asks that.
    mutating func settle(_ request: SecureRequest, _ tries: Int) throws(UpdateFailure) -> UpdateStep {
        if link.settings == .expected || link.settings.areUnderWay { flow.noteSpoiledMeasurement() }
        link.noteSilence()
        switch request {
        case .checksum, .select, .setReceipts: return try askAgain(request, tries)
        case .create, .execute:
            state = .settling(request, tries: tries, strays: 0)
            return step(.checksum)
        case .flashBarrier: return foundFlash(isIdle: false)
        case .protocolVersion: return try foundGeneration(isOld: true)
        }
    }

    mutating func askAgain(_ request: SecureRequest, _ tries: Int) throws(UpdateFailure) -> UpdateStep {
        guard tries < Self.maximumTries else {
            throw UpdateFailure(
                .device.noAnswer, during: request.step,
                message: "the beacon did not respond to \(tries) requests", mayReconnect: true)
        }
        return ask(
            request, tries: tries + 1, notices: [.retry(reason: .device.noAnswer, from: firmwarePosition)])
    }

    /// There was no response to a Create or Execute; `answer` reports what the device holds.
    ///
    /// Both can be repeated without harm: a second Create discards an empty object, a second Execute has nothing to
    /// do (nordic-secure.md, Conversation). Execute is not repeated if bytes are missing.
    mutating func conclude(
        _ answer: SecureAnswer, about request: SecureRequest, _ tries: Int
    ) throws(UpdateFailure) -> UpdateStep {
        if case .execute = request, answer.refusal == nil,
            !link.transfer.agrees(with: try progress(in: answer, .checksum))
        {
            return try sendObjectAgain(mayBeExecuted: true)
        }
        return try askAgain(request, tries)
    }
}
