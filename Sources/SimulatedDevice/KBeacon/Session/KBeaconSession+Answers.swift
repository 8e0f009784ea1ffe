import ByteCoding

/// Answers to commands (kbeacon.md, Acks).
extension KBeaconSession {
    /// Carries a command out, and answers.
    mutating func carryOut(
        _ command: [UInt8], _ content: KBeaconPiece.Content, at now: Duration
    ) -> [KBeaconReaction] {
        if let delivery = link.delivery, !delivery.isDone { statistics.note(.commandDuringAnswer) }
        link.delivery = nil
        link.floodDue = nil
        link.commands += 1
        let text = content == .json ? String(decoding: command, as: UTF8.self) : HexText.encode(command)
        statistics.commands.append(text)
        let due = now + description.answers.delay
        if let cause = faults.refusal() { return refuse(content, cause, at: due) }
        if link.commands <= description.busyCommands { return refuse(content, .busy, at: due) }
        if faults.strikes(KBeaconFault.cutBeforeCommand) { return [.disconnect(at: due)] }
        do throws(KBeaconRefusal) {
            let answer = try content == .json ? message(command, at: now) : history(command, at: now)
            if faults.strikes(KBeaconFault.cutAfterCommand) { return [.disconnect(at: due)] }
            guard let answer, !faults.strikes(KBeaconFault.loseAnswer) else { return [] }
            return deliver(answer, content, at: due)
        } catch { return refuse(content, error.cause, at: due) }
    }

    private mutating func deliver(
        _ answer: [UInt8], _ content: KBeaconPiece.Content, at now: Duration
    ) -> [KBeaconReaction] {
        let style = description.answers
        var due = now
        var reactions: [KBeaconReaction] = []
        for _ in 0..<max(0, style.logs) {
            link.hasSentLogs = true
            let log = KBeaconPiece(.binaryReport, .single, at: 0, [0x10] + Array("log".utf8))
            reactions += notify(log.value, at: due)
        }
        for _ in 0..<max(0, style.moreFrames) {
            reactions += acknowledge(content, .moreFrames, at: due)
            due += style.executionTime
        }
        link.busyUntil = due
        guard !answer.isEmpty else { return reactions + acknowledge(content, .done, at: due) }
        let answer = lengthened(answer, content)
        let isEndless = style.length == .endless && content == .json
        if style.shape != .report {
            let first = answer.prefix(
                max(0, min(style.pieceSize ?? .max, room - KBeaconAcknowledgement.headerLength)))
            let isWhole = first.count == answer.count && !isEndless
            reactions += acknowledge(content, isWhole ? .done : .received, first, at: due)
            guard !isWhole else { return reactions }
            begin(answer, content, sent: first.count, isEndless)
            return reactions + (style.waits ? [] : continueAnswer(at: due))
        }
        reactions += acknowledge(content, .received, at: due)
        begin(answer, content, sent: 0, isEndless)
        return reactions + continueAnswer(at: due)
    }

    private mutating func acknowledge(
        _ content: KBeaconPiece.Content, _ cause: KBeaconCause, _ first: ArraySlice<UInt8> = [],
        at due: Duration
    ) -> [KBeaconReaction] {
        let window = cause == .done ? 0 : description.answers.window
        return notify(
            KBeaconAcknowledgement(
                of: content, cause, offset: first.count, window: window, answer: Array(first)
            ).value, at: due)
    }

    private mutating func begin(
        _ answer: [UInt8], _ content: KBeaconPiece.Content, sent: Int, _ isEndless: Bool
    ) {
        let size = min(description.answers.pieceSize ?? .max, room - KBeaconPiece.headerLength)
        link.delivery = KBeaconDelivery(
            answer, as: content.report, sent: sent, pieceSize: size, isEndless: isEndless)
    }

    /// JSON with a member that says nothing, of as many bytes as it is to be longer.
    private func lengthened(_ answer: [UInt8], _ content: KBeaconPiece.Content) -> [UInt8] {
        let frame = Array(",\"x\":\"\"}".utf8)
        guard case .longer(let count) = description.answers.length, content == .json, count > frame.count
        else { return answer }
        return answer.dropLast() + frame.dropLast(2)
            + [UInt8](repeating: 0x78, count: count - frame.count + 1) + frame.suffix(2)
    }

    /// The client has acknowledged a report, or asks for it again.
    mutating func take(_ acknowledgement: KBeaconAcknowledgement, at now: Duration) -> [KBeaconReaction] {
        if acknowledgement.window != 1000 { statistics.note(.window) }
        let due = now + description.answers.delay
        guard var delivery = link.delivery, delivery.content == acknowledgement.content else {
            let isOfLog = link.hasSentLogs && acknowledgement.content == .binaryReport
            if !isOfLog { statistics.note(.unaskedAcknowledgement) }
            return []
        }
        if acknowledgement.cause == .wrongSequence, delivery.goBack(to: acknowledgement.offset) {
            link.delivery = delivery
            return continueAnswer(at: due)
        }
        guard acknowledgement.cause == .done, delivery.hasAll(acknowledgement.offset) else {
            statistics.note(.unaskedAcknowledgement)
            return []
        }
        return description.answers.waits ? continueAnswer(at: due) : []
    }

    /// Sends the next piece, or, where nothing is waited for, all that there are.
    mutating func continueAnswer(at due: Duration) -> [KBeaconReaction] {
        guard var delivery = link.delivery else { return [] }
        var reactions: [KBeaconReaction] = []
        let isFlood = !description.answers.waits && description.answers.length == .endless
        while let piece = delivery.next() {
            reactions += notify(piece, at: due)
            if description.answers.waits || isFlood { break }
        }
        link.floodDue = isFlood && !delivery.isDone ? due + .milliseconds(5) : nil
        if delivery.isDone, delivery.content == .binaryReport, !reactions.isEmpty {
            let end = KBeaconAcknowledgement(of: .binary, .complete, offset: delivery.sent)
            reactions += notify(end.value, at: due)
        }
        link.delivery = delivery
        return reactions
    }
}
