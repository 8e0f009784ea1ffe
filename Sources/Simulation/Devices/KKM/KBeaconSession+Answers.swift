import Bytes

/// Responses to commands (kbeacon.md, Acks).
extension KBeaconSession {
    mutating func carryOut(_ command: [UInt8], _ content: Content, at now: Duration) -> [BeaconReaction] {
        let isPending = link.delivery.map { !$0.isDone } ?? false || !link.frames.isEmpty
        if isPending || link.endDue.map({ now < $0 }) ?? false { statistics.note(.commandDuringAnswer) }
        (link.delivery, link.frames, link.endDue, link.floodDue) = (nil, [], nil, nil)
        link.commands += 1
        let text = content == .json ? String(decoding: command, as: UTF8.self) : HexText.encode(command)
        statistics.commands.append(text)
        let due = now + description.answers.delay
        if let cause = faults.refusal() { return refuse(content, cause, at: due) }
        if link.commands <= description.busyCommands { return refuse(content, .busy, at: due) }
        if faults.isDue(KBeaconFault.cutBeforeCommand) { return [.disconnect(at: due)] }
        do throws(KBeaconCause) {
            let frames =
                content == .json
                ? try message(command, at: now).map { [lengthened($0)] } : try history(command, at: now)
            if faults.isDue(KBeaconFault.cutAfterCommand) { return [.disconnect(at: due)] }
            guard let frames, !faults.isDue(KBeaconFault.loseAnswer) else { return [] }
            let style = description.answers
            let isSummary = command.first == 1 && style.records == .frames
            let shape = content == .json ? style.shape : isSummary ? .split : style.records
            return deliver(frames, content, shape, at: due)
        } catch { return refuse(content, error, at: due) }
    }

    private mutating func deliver(
        _ frames: [[UInt8]], _ content: Content, _ shape: KBeaconAnswerStyle.Shape, at now: Duration
    ) -> [BeaconReaction] {
        let style = description.answers
        var due = now
        var reactions: [BeaconReaction] = []
        for _ in 0..<max(0, style.logs) {
            link.hasSentLogs = true
            let log = KBeaconPiece(
                content: .binaryReport, place: .single, offset: 0, bytes: [0x10] + Array("log".utf8))
            reactions += notify(log.value, at: due)
        }
        for _ in 0..<max(0, style.moreFrames) {
            reactions += acknowledge(content, .moreFrames, at: due)
            due += style.executionTime
        }
        link.busyUntil = due
        guard let answer = frames.first, !answer.isEmpty else {
            return reactions + acknowledge(content, .done, at: due)
        }
        link.frames = frames.dropFirst()
        let isEndless = style.length == .endless && content == .json
        guard shape == .inline || shape == .split else {
            reactions += acknowledge(content, .received, at: due)
            begin(answer, content, sent: 0, isEndless)
            return reactions + continueAnswer(at: due)
        }
        let first = answer.prefix(
            max(0, min(style.pieceSize ?? .max, longestValue - KBeaconAcknowledgement.headerLength)))
        let isWhole = first.count == answer.count && frames.count == 1 && !isEndless
        let isDone = isWhole && (shape == .inline || content == .json)
        reactions += acknowledge(content, isDone ? .done : .received, first, at: due)
        guard !isDone else { return reactions }
        begin(answer, content, sent: first.count, isEndless)
        if isWhole { return reactions + end(content, inAcknowledgement: true, at: due) }
        return reactions + (style.waits ? [] : continueAnswer(at: due))
    }

    private mutating func acknowledge(
        _ content: Content, _ cause: KBeaconCause, _ first: ArraySlice<UInt8> = [], at due: Duration
    ) -> [BeaconReaction] {
        let window = cause == .done ? 0 : description.answers.window
        return notify(
            KBeaconAcknowledgement(
                content: content, cause: cause, offset: first.count, window: window, answer: Array(first)
            ).value, at: due)
    }

    private mutating func begin(_ answer: [UInt8], _ content: Content, sent: Int, _ isEndless: Bool = false) {
        let size = min(description.answers.pieceSize ?? .max, longestValue - KBeaconPiece.headerLength)
        link.delivery = KBeaconDelivery(
            answer, as: content.report, sent: sent, pieceSize: size, isEndless: isEndless)
    }

    /// The acknowledgement that follows the last piece of a response. It ends a binary response of the second
    /// generation. All others end with their last piece, and it has no meaning; its cause is 0 for a first-generation
    /// binary response in an acknowledgement.
    private mutating func end(
        _ content: Content, inAcknowledgement: Bool = false, at due: Duration
    ) -> [BeaconReaction] {
        let style = description.answers
        guard style.ending != .never else { return [] }
        let due = style.ending == .late ? due + style.endingDelay : due
        guard content == .binary else { return acknowledge(content, .complete, at: due) }
        guard description.generation == .second else {
            return acknowledge(content, inAcknowledgement ? .done : .complete, at: due)
        }
        link.endDue = due
        return acknowledge(content, style.endsWithDone ? .done : .complete, at: due)
    }

    /// The JSON text with a meaningless member that makes it longer by the described number of bytes.
    private func lengthened(_ answer: [UInt8]) -> [UInt8] {
        let frame = Array(",\"x\":\"\"}".utf8)
        guard case .longer(let count) = description.answers.length, !answer.isEmpty, count > frame.count
        else { return answer }
        return answer.dropLast() + frame.dropLast(2)
            + [UInt8](repeating: 0x78, count: count - frame.count + 1) + frame.suffix(2)
    }

    /// Processes the client's acknowledgement of a report, or its request to repeat it.
    mutating func take(_ acknowledgement: KBeaconAcknowledgement, at now: Duration) -> [BeaconReaction] {
        if acknowledgement.window != 1000 { statistics.note(.window) }
        let due = now + description.answers.delay
        guard var delivery = link.delivery, delivery.content == acknowledgement.content else {
            let isOfLog = link.hasSentLogs && acknowledgement.content == .binaryReport
            return isOfLog ? [] : ignore(.unaskedAcknowledgement)
        }
        if acknowledgement.cause == .wrongSequence, delivery.goBack(to: acknowledgement.offset) {
            link.delivery = delivery
            return continueAnswer(at: due)
        }
        guard acknowledgement.cause == .done, delivery.hasAll(acknowledgement.offset) else {
            return ignore(.unaskedAcknowledgement)
        }
        return description.answers.waits ? continueAnswer(at: due) : []
    }

    /// Sends the next piece or, if no acknowledgement is awaited, all remaining pieces.
    mutating func continueAnswer(at due: Duration) -> [BeaconReaction] {
        guard var delivery = link.delivery else { return [] }
        let style = description.answers
        let content: Content = delivery.content == .binaryReport ? .binary : .json
        let isFlood = !style.waits && style.length == .endless
        var reactions: [BeaconReaction] = []
        repeat {
            if delivery.isDone, let frame = link.frames.popFirst() {
                reactions += acknowledge(content, .moreFrames, at: due)
                begin(frame, content, sent: 0)
                delivery = link.delivery ?? delivery
            }
            guard let piece = delivery.next() else { break }
            let isLast = delivery.isDone && link.frames.isEmpty
            if isLast, style.ending == .early { reactions += end(content, at: due) }
            reactions += notify(piece, at: due)
            if isLast, style.ending != .early { reactions += end(content, at: due) }
        } while !style.waits && !isFlood
        link.floodDue = isFlood && !delivery.isDone ? due + .milliseconds(5) : nil
        link.delivery = delivery
        return reactions
    }
}
