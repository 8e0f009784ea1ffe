/// What losses and the times of answers teach.
extension FlowControl {
    /// What a flash that was found to be slow is allowed more, as the two times are not known apart.
    private static let margin = 1.05
    /// What an erase is allowed more after a loss.
    private static let lossMargin = Duration.milliseconds(50)

    /// A request that left right after an answer was answered within `length`.
    mutating func note(roundTrip length: Duration) { roundTrip = min(roundTrip ?? length, length) }

    /// Whether an answer that came `wait` after its request was acknowledged did not wait for anything.
    func isAtOnce(_ wait: Duration) -> Bool { wait < (roundTrip ?? Self.shortestRoundTrip) / 4 }

    /// The settings that Execute of a new init packet wrote were in flash `length` later, or before; `atOnce` if
    /// they already were when that was asked.
    mutating func note(settingsWithin length: Duration, atOnce: Bool) {
        let write = SettingsWrite(commandMaximum: commandMaximum)
        // Where nobody had to wait, the length is that of the questions, and the flash may be far quicker: it is taken for
        // one of the usual proportion. What is too much for it is lost visibly.
        let slowest =
            atOnce ? write.proportional(within: length) : write.slowest(within: length + interval)
        if atOnce { settingsWithin = length }
        let expected = write.length(at: pace) + interval * 2
        if !atOnce, length > expected { slow(by: Self.margin * (length / write.length(at: pace))) }
        pace = FlashPace(erase: min(pace.erase, slowest.erase), piece: min(pace.piece, slowest.piece)).bounded
        if isQuick, requested == nil, !hasLost { receiptInterval = ownInterval }
    }

    /// The flash was busy for `length` after all packets of an object were known to have arrived; what waits for
    /// it then is a queue of packets at most.
    mutating func note(busyFor length: Duration) {
        let expected = packetTime * Self.flashQueue + (roundTrip ?? Self.shortestRoundTrip) + Self.slack
        if length > expected { slow(by: length / expected) }
    }

    /// An answer was lost while the settings were written: how quick the flash is has to be tried out, as nothing else writes
    /// settings again.
    mutating func noteSpoiledMeasurement() { if requested == nil, !hasLost, !isOldTarget { trial = .wanted } }

    /// An object was executed; `atOnce` if nobody had to wait for that. A flash that is idle by then may be quicker than the
    /// link, and one object is sent as if it were: what is too much for it is lost visibly, and only once.
    mutating func noteExecuted(atOnce: Bool) {
        defer { hasHeldBack = false }
        if trial == nil, hasHeldBack, let settingsWithin, requested == nil, !hasLost, !isOldTarget,
            settingsWithin < SettingsWrite(commandMaximum: commandMaximum).length(at: .stock)
        {
            // Of the settings only our own questions were measured, and those took less time than a stock flash does.
            trial = .wanted
            self.settingsWithin = nil
        }
        guard case .wanted = trial else { return trial = nil }
        guard atOnce else { return trial = nil }
        trial = .underWay(before: pace)
        pace = FlashPace(erase: .zero, piece: .zero).bounded
        receiptInterval = ownInterval
    }

    /// What was tried with a quick flash was too much for it.
    private mutating func endTrial(_ before: FlashPace) {
        trial = nil
        pace = before
        receiptInterval = ownInterval
    }

    private mutating func slow(by factor: Double) {
        // This was measured.
        paceBeforeLosses = nil
        pace = FlashPace(erase: pace.erase * factor, piece: pace.piece * factor).bounded
    }

    /// So many bytes of firmware were handed over.
    mutating func note(sent count: Int) { packetsSent += (count + payload - 1) / payload }

    /// Bytes were lost, or all of an object where `everything`: halve the window, and then go down to one packet
    /// a receipt, at once where the object was sent `again`. Where nothing arrives twice in a row, packets of the least MTU
    /// may.
    mutating func noteLoss(everything: Bool = false, again: Bool = false) {
        if case .underWay(let before) = trial, !everything { return endTrial(before) }
        if isExact, !everything { return exactLosses += 1 }
        let wasAlone = window == 1
        noteLostPacket()
        let halved = halve()
        // The first loss may be the flash's; what comes after it says how often packets are lost.
        if again {
            receiptInterval = 1
        } else if losses > 1 {
            receiptInterval = min(halved, cheapestInterval)
        }
        deafObjects = everything ? deafObjects + 1 : 0
        if wasAlone, !everything { trustFlash() } else { slowAfterLoss() }
        guard deafObjects > 1, payload > 20 else { return }
        longestPayload = 20
        payload = 20
    }

    /// The device took all bytes, but its flash does not hold them: everything is slower from now on, for good.
    mutating func noteFlashFailure() {
        (cleanObjects, hasLost, trial, exactLosses) = (0, true, nil, Self.mostExactLosses)
        _ = halve()
        slowAfterLoss()
        (paceBeforeLosses, lossMargins) = (nil, 0)
    }

    /// Halves what may be under way; the receipt interval that follows.
    private mutating func halve() -> Int {
        places = max(2, places / 2)
        receiptInterval = receiptInterval == 0 ? Self.flashQueue / 2 : max(1, receiptInterval / 2)
        return receiptInterval
    }

    /// A packet was lost that was alone on the way, and the device has what was sent before it: nothing was in vain but that.
    mutating func noteGap() {
        noteLostPacket()
        trustFlash()
    }

    private mutating func noteLostPacket() {
        (cleanObjects, hasLost, trial) = (0, true, nil)
        losses += 1
    }

    /// One packet alone finds room in any flash: the link loses them, and what losses before seemed to say of the flash is void.
    private mutating func trustFlash() {
        guard let paceBeforeLosses else { return }
        pace = paceBeforeLosses
        self.paceBeforeLosses = nil
        lossMargins = 0
    }

    /// What was believed of a quick flash is not true, or that of a stock one is not, as far as this loss shows.
    private mutating func slowAfterLoss() {
        paceBeforeLosses = paceBeforeLosses ?? pace
        let stock = isQuick || settingsWithin != nil ? FlashPace.stock : pace
        let slower = FlashPace(
            erase: max(pace.erase, stock.erase) + Self.lossMargin, piece: max(pace.piece, stock.piece))
        pace = slower.bounded
        lossMargins += 1
        settingsWithin = nil
    }

    /// An object went through; after ten the window may grow again.
    mutating func noteClean() {
        cleanObjects += 1
        deafObjects = 0
        guard hasLost, cleanObjects >= Self.cleanObjectsToGrow else { return }
        cleanObjects = 0
        if lossMargins > 0 {
            lossMargins -= 1
            pace.erase = max(FlashPace.stock.erase, pace.erase - Self.lossMargin)
        }
        // No wish for fewer packets a receipt is exceeded; 0 wishes for none.
        let longest = requested.flatMap { $0 > 0 ? $0 : nil } ?? Self.lossyInterval
        let isWhole = places == Self.flashQueue && receiptInterval >= longest
        guard !isWhole else {
            hasLost = requested != nil
            receiptInterval = requested ?? ownInterval
            (paceBeforeLosses, losses, packetsSent) = (nil, 0, 0)
            return
        }
        places = min(Self.flashQueue, places * 2)
        receiptInterval = min(longest, receiptInterval * 2)
    }
}
