import UpdateModel

/// The upload of one image over one link (docs/protocols/mcuboot-smp.md, Upload).
extension SMPUpdate {
    /// How long the server may take for the first answer, as it may erase the slot, and for the last, as it checks it.
    static let eraseLimit = Duration.seconds(40)
    static let lastLimit = Duration.seconds(20)
    /// The maximum numbers of answers, gaps and timeouts in sequence without progress.
    static let maximumAnswersWithoutProgress = 64
    static let maximumGaps = 5
    static let maximumTimeouts = 5
    /// The maximum number of timeouts after first requests, each of which takes long.
    static let maximumFirstTimeouts = 2
    /// How often an image is begun again, how often it may arrive damaged, and how often a server may step back.
    static let maximumRestarts = 3
    static let maximumFailures = 1
    static let maximumSetbacks = 16

    struct UploadState: Sendable {
        /// The index of the part.
        let index: Int
        var window: UploadWindow
        /// Whether the server has taken the first request over this link.
        var isOpen = false
        var hasSentAll = false
        /// The furthest offset that the server wanted.
        var furthest = 0
        /// The number of answers since the last one that ended a round.
        var answersInRound = 0
        var answersWithoutProgress = 0
        var gaps = 0
        var timeouts = 0
        var refusals = 0
        /// Whether nothing is sent until all requests under way are answered, because the server is busy.
        var isPausing = false
        /// Whether the server was sent the whole digest. Without it, some servers report that the image does not match.
        var isChecked = false
        var left = Duration.zero
        /// Since when, and from which offset, the speed is measured.
        var pace: (since: Duration, offset: Int)?
    }

    /// The bytes of all parts before part `index`.
    func base(_ index: Int) -> Int { parts[..<index].reduce(0) { $0 + $1.upload.bytes.count } }

    /// Uploads the next image that the unit does not have; after the last one, checks that the unit lists all of them.
    mutating func sendNext() throws(UpdateFailure) -> UpdateStep {
        guard let index = parts.firstIndex(where: { !$0.isUploaded }) else {
            link.upload = nil
            return stage == .fresh ? try activate() : ask(.images(.stored))
        }
        link.upload = UploadState(index: index, window: UploadWindow(limit: link.window))
        var notices: [UpdateNotice] = link.hasTransferred ? [] : [.phase(.transferring)]
        link.hasTransferred = true
        if index > 0, parts[..<index].allSatisfy(\.isUploaded) {
            notices.append(.accepted(upTo: base(index)))
        }
        return try continueUpload().after(notices)
    }

    /// Sends the next request if one fits in the window; otherwise waits for an answer.
    mutating func continueUpload() throws(UpdateFailure) -> UpdateStep {
        guard let upload = link.upload else { return try sendNext() }
        let window = upload.window
        if upload.isPausing {
            guard window.requests.isEmpty else { return listen() }
            link.upload?.isPausing = false
            return pause(before: nil)
        }
        if upload.isOpen {
            return window.isFull || window.next >= parts[upload.index].upload.bytes.count
                ? listen() : try send(from: window.next)
        }
        return window.requests.contains { $0.range.lowerBound == 0 } ? listen() : try send(from: 0)
    }

    private mutating func send(from offset: Int) throws(UpdateFailure) -> UpdateStep {
        guard var upload = link.upload else { return try sendNext() }
        let image = parts[upload.index].upload.bytes
        var notices: [UpdateNotice] = []
        guard let frame = frame(from: offset, upload.index, &notices) else {
            throw packetsTooSmall(for: upload.index)
        }
        if link.frameLimit > link.packetLength { counts.hasJoined = true }
        upload.isChecked = link.upload?.isChecked ?? false
        // The first request may have shown that packets have to be joined, which lowers the limit.
        if offset == 0, upload.window.limit > link.window { upload.window = UploadWindow(limit: link.window) }
        upload.window.noteRequest(frame.range, sequence: link.sequence)
        if frame.range.upperBound == image.count { upload.hasSentAll = true }
        link.upload = upload
        stage = max(stage, .uploading)
        effect = effect ?? .intact
        state = .sending
        // Such a bootloader may start the image as soon as its last byte is stored.
        let isActivation = startsUnmarked && frame.range.upperBound == image.count
        if isActivation { (stage, effect) = (max(stage, .marking), .unknown) }
        let step = stream(
            frame.bytes,
            payload: PayloadSpan(
                at: base(upload.index) + offset, of: total, image: base(upload.index),
                asksForPosition: !upload.isOpen, header: frame.bytes.count - frame.range.count))
        return (isActivation ? activating(step) : step).after(notices)
    }

    private mutating func frame(
        from offset: Int, _ index: Int, _ notices: inout [UpdateNotice]
    ) -> UploadFrame? {
        let sequence = nextSequence()
        let part = parts[index]
        func frame(_ first: CBORMap?) -> UploadFrame? {
            UploadFrame(
                of: part.upload.bytes, from: offset, first: first, sequence: sequence, limit: link.frameLimit)
        }
        guard offset == 0 else { return frame(nil) }
        let first = firstMembers(part)
        let withDigest = first + ["sha": .bytes(Array(part.digest.prefix(part.digestLength)))]
        if let frame = frame(withDigest) {
            link.upload?.isChecked = part.digestLength == part.digest.count
            return frame
        }
        if let frame = frame(first) {
            notices.append(
                .warning(
                    .smp.withoutResume,
                    "packets of \(link.packetLength) bytes are too small for the checksum of the upload"))
            return frame
        }
        return joinPackets() ? frame(withDigest) : nil
    }

    /// The failure if no first request fits, with the least MTU for one.
    private func packetsTooSmall(for index: Int) -> UpdateFailure {
        let image = parts[index].upload.bytes
        let data = Array(image.prefix(UploadFrame.leastFirst))
        let content = firstMembers(parts[index]) + ["off": .integer(0), "data": .bytes(data)]
        let least = SMPRequest.upload(content).frame(sequence: 0).bytes.count
        let isBuffer = link.bufferSize.map { $0 < least } ?? false
        return .uploading(
            .smp.packetsTooSmall,
            isBuffer
                ? "the beacon's buffers take frames of \(link.bufferSize ?? 0) bytes, "
                    + "and this upload needs \(least)"
                : "packets of \(link.packetLength) bytes hold no upload request, and the beacon does not "
                    + "join packets: this upload needs an MTU of \(least + 3) or more")
    }

    private func firstMembers(_ part: Part) -> CBORMap {
        let image = part.upload.image
        // The image is sent to the slot that does not run, even if the bootloader moves it to another one.
        let slot = active(image)?.slot == 1 ? 0 : 1
        let number = facts.uploadNumbers[SlotPlace(image: image, slot: slot)] ?? image
        var members: CBORMap = number == 0 ? [:] : ["image": .integer(number)]
        members.append("len", .integer(part.upload.bytes.count))
        return members
    }

    private mutating func listen() -> UpdateStep {
        guard var upload = link.upload else { return wait() }
        let requests = upload.window.requests
        let end = parts[upload.index].upload.bytes.count
        let limit =
            !upload.isOpen
            ? Self.eraseLimit
            : requests.contains { $0.range.upperBound == end } ? Self.lastLimit : Self.answerLimit
        upload.left =
            limit + Self.packetAllowance * (requests.count * (link.frameLimit / link.packetLength + 1))
        link.upload = upload
        return expectAnswer()
    }

    private mutating func expectAnswer() -> UpdateStep {
        state = .listening
        return UpdateStep(
            .expect(from: SMPService.characteristic, within: link.upload?.left ?? Self.answerLimit),
            waitsFor: .flash, endsBlock: endsRound)
    }

    /// Whether the next answer ends a round: as many requests as may be under way, or the last one.
    private var endsRound: Bool {
        guard let upload = link.upload, upload.isOpen else { return true }
        return upload.window.requests.count <= 1 || upload.answersInRound + 1 >= upload.window.limit
    }

    mutating func receive(_ piece: [UInt8]) throws(UpdateFailure) -> UpdateStep {
        guard var upload = link.upload else { return try sendNext() }
        upload.left = remaining(of: upload.left)
        link.upload = upload
        guard let frame = try frame(completedBy: piece) else { return try listenLonger() }
        guard frame.operation == .writeAnswer, frame.group == 1, frame.command == 1 else { return try skip() }
        if let error = SMPError(in: frame.content) {
            return try handleUploadRefusal(error, of: frame.sequence)
        }
        let length = parts[upload.index].upload.bytes.count
        let offset = frame.content.integer("off").flatMap { (0...length).contains($0) ? $0 : nil }
        guard let answer = upload.window.noteAnswer(to: frame.sequence, wanting: offset) else {
            return try skip()
        }
        upload.answersInRound = endsRound ? 0 : upload.answersInRound + 1
        (link.pieces, link.strays) = (0, 0)
        link.upload = upload
        guard let offset else { return try continueWithoutProgress() }
        return try handleAnswer(answer, offset, frame.content)
    }

    /// Continues waiting after a frame that answers nothing.
    private mutating func skip() throws(UpdateFailure) -> UpdateStep {
        link.strays += 1
        return try listenLonger()
    }

    private mutating func listenLonger() throws(UpdateFailure) -> UpdateStep {
        guard let left = link.upload?.left, left > .zero else { return try handleTimeout() }
        return expectAnswer()
    }

    /// Handles the answer to an upload request, by which the server wants `offset` next.
    private mutating func handleAnswer(
        _ answer: UploadWindow.Answer, _ offset: Int, _ content: CBORMap
    ) throws(UpdateFailure) -> UpdateStep {
        guard var upload = link.upload else { return try sendNext() }
        let (index, base) = (upload.index, base(upload.index))
        var notices: [UpdateNotice] = []
        if answer.request.range.lowerBound == 0, !upload.isOpen {
            upload.isOpen = offset > 0
            let isResumed = offset != answer.request.range.upperBound && offset > 0
            if isResumed { notices.append(.resumed(at: base + offset)) }
            if offset > 0 { try noteOpening(index, at: offset, isResumed: isResumed) }
        } else if offset == 0 {
            return try handleForgottenUpload()
        } else if offset < answer.before {
            counts.setbacks += 1
            (upload.furthest, upload.gaps) = (offset, upload.gaps + 1)
            guard counts.setbacks <= Self.maximumSetbacks else { throw noProgressFailure() }
        }
        if offset > upload.furthest {
            (upload.furthest, upload.answersWithoutProgress, upload.gaps) = (offset, 0, 0)
            (upload.timeouts, upload.refusals) = (0, 0)
            parts[index].lastWantedOffset = offset
            notices.append(.accepted(upTo: base + offset))
        } else {
            upload.answersWithoutProgress += 1
        }
        if answer.isGap {
            upload.gaps += 1
            notices.append(.retry(reason: .smp.requestsLost, from: base + upload.window.next))
        }
        link.upload = upload
        guard upload.answersWithoutProgress <= Self.maximumAnswersWithoutProgress,
            upload.gaps <= Self.maximumGaps
        else {
            throw noProgressFailure()
        }
        try checkPace(offset)
        guard offset == parts[index].upload.bytes.count else { return try continueUpload().after(notices) }
        if upload.isChecked, content["match"] == .flag(false) {
            return try beginAgain(
                .device.imageHashMismatch, "the beacon has every byte, and finds another checksum"
            ).after(notices)
        }
        parts[index].isUploaded = true
        return try sendNext().after(notices)
    }

    private func noProgressFailure() -> UpdateFailure {
        let offset = link.upload?.window.wanted ?? 0
        return .uploading(
            .smp.requestsLost, "the beacon keeps asking for byte \(offset) of the image", mayReconnect: true)
    }

    /// Continues after an answer without an offset, or with one outside the image.
    private mutating func continueWithoutProgress() throws(UpdateFailure) -> UpdateStep {
        link.upload?.answersWithoutProgress += 1
        guard let upload = link.upload, upload.answersWithoutProgress <= Self.maximumAnswersWithoutProgress
        else {
            throw .uploading(
                .device.unexpectedAnswer, "the beacon's answers to the upload have no offset in the image",
                mayReconnect: true)
        }
        return try continueUpload()
    }

    /// Continues after no answer came in time. A server that has lost one of a frame's packets waits for the rest of the
    /// frame until a new link is opened.
    mutating func handleTimeout() throws(UpdateFailure) -> UpdateStep {
        link.reassembly.reset()
        guard var upload = link.upload else { return try sendNext() }
        upload.timeouts += 1
        upload.window.noteTimeout()
        link.upload = upload
        let isJoined = link.frameLimit > link.packetLength
        let most = upload.isOpen ? Self.maximumTimeouts : Self.maximumFirstTimeouts
        guard !isJoined, upload.timeouts < most else {
            if isJoined { counts.joinedFailures += 1 }
            throw .uploading(
                .device.noAnswer,
                "the beacon does not answer an upload request at byte \(upload.window.next)",
                mayReconnect: true)
        }
        return try continueUpload().after([
            .retry(reason: .device.noAnswer, from: base(upload.index) + upload.window.next)
        ])
    }

    /// The server has ended the upload. If the last byte was sent, it may have the whole image: the list shows that.
    private mutating func handleForgottenUpload() throws(UpdateFailure) -> UpdateStep {
        guard let upload = link.upload else { return try sendNext() }
        guard !upload.hasSentAll else { return ask(.images(.forgotten)) }
        return try beginAgain(.smp.uploadRestarted, "the beacon has forgotten the upload")
    }

    mutating func continueAfterForgottenUpload() throws(UpdateFailure) -> UpdateStep {
        guard let index = link.upload?.index else { return try sendNext() }
        if stored(parts[index]) != nil {
            parts[index].isUploaded = true
            return try sendNext()
        }
        return try beginAgain(.smp.uploadRestarted, "the beacon has forgotten the upload")
    }

    /// Sends an image from its first byte, a limited number of times.
    mutating func beginAgain(_ code: FailureCode, _ message: String) throws(UpdateFailure) -> UpdateStep {
        guard let index = link.upload?.index else { return try sendNext() }
        let isDamage = code == .device.imageHashMismatch || code == .smp.imageNotKept
        if isDamage { parts[index].failures += 1 } else { parts[index].restarts += 1 }
        (parts[index].isUploaded, parts[index].lastWantedOffset) = (false, 0)
        guard parts[index].failures <= Self.maximumFailures, parts[index].restarts <= Self.maximumRestarts
        else { throw .uploading(code, message) }
        link.upload = UploadState(index: index, window: UploadWindow(limit: link.window))
        return try continueUpload().after([.retry(reason: code, from: base(index))])
    }

    private mutating func handleUploadRefusal(_ error: SMPError, of sequence: UInt8) throws(UpdateFailure)
        -> UpdateStep
    {
        guard var upload = link.upload, upload.window.noteAnswer(to: sequence, wanting: nil) != nil else {
            return try skip()
        }
        (link.pieces, link.strays) = (0, 0)
        // The other requests under way are refused as well, or answered with the offset that the server wants.
        upload.refusals += upload.isPausing ? 0 : 1
        upload.isPausing = true
        link.upload = upload
        if error.isBusy || error.isShortOfMemory, upload.refusals < Self.maximumBusy {
            return try continueUpload()
        }
        link.upload?.isPausing = false
        if error.isOccupied, !upload.isOpen {
            return try freeSlot(.smp.noFreeSlot, "the beacon has no free slot (\(error.words))", nil)
        }
        if error.isFlash, !upload.isOpen, !counts.hasErasedSlot, parts[upload.index].upload.image == 0 {
            // Old servers erase a length that is no multiple of a page, and fail; the request to erase does not.
            counts.hasErasedSlot = true
            return ask(.eraseSlot(error))
        }
        if error.isFlash {
            return try beginAgain(.smp.flashFailed, "the beacon could not write its flash (\(error.words))")
        }
        if error.isCorrupt {
            if link.joins == nil, link.frameLimit > link.packetLength, !upload.isOpen {
                throw packetsTooSmall(for: upload.index)
            }
            if link.frameLimit > link.packetLength { counts.joinedFailures += 1 }
            throw .uploading(
                .smp.requestsLost, "the beacon received a damaged request (\(error.words))",
                mayReconnect: true)
        }
        throw uploadFailure(error)
    }

    func uploadFailure(_ error: SMPError) -> UpdateFailure {
        refusal(of: link.upload.map { "the \(parts[$0.index].upload.title)" } ?? "the upload", error)
    }
}

extension CBORMap {
    fileprivate static func + (left: CBORMap, right: CBORMap) -> CBORMap {
        var all = left
        for member in right.members { all.append(member.key, member.value) }
        return all
    }
}
