extension FlowControl {
    /// The factor of extra time for a slow flash, whose erase and write times are not known separately.
    private static let margin = 1.05
    /// The extra time allowed for an erase after a loss.
    private static let lossMargin = Duration.milliseconds(50)

    /// Records that a request sent right after a response was answered within `length`.
    mutating func note(roundTrip length: Duration) { roundTrip = min(roundTrip ?? length, length) }

    /// Whether the device responded without a delay, if its response came `wait` after the request was acknowledged.
    func isAtOnce(_ wait: Duration) -> Bool { wait < (roundTrip ?? Self.shortestRoundTrip) / 4 }

    /// Records that the settings of Execute(init) were in flash within `length`. `atOnce`: they were there already when
    /// the device was asked.
    mutating func note(settingsWithin length: Duration, atOnce: Bool) {
        let write = SettingsWrite(commandMaximum: commandMaximum)
        // With `atOnce`, `length` is only the duration of our requests, and the flash may be far faster: assume the usual
        // ratio of erase to write time. If that is too fast, losses show it.
        let slowest = atOnce ? write.proportional(within: length) : write.slowest(within: length + interval)
        if atOnce { settingsWithin = length }
        let expected = write.length(at: pace) + interval * 2
        if !atOnce, length > expected { slow(by: Self.margin * (length / write.length(at: pace))) }
        pace = FlashPace(erase: min(pace.erase, slowest.erase), piece: min(pace.piece, slowest.piece)).bounded
        if isQuick, requested == nil, !hasLost { receiptInterval = ownInterval }
    }

    /// Records that the flash erased a page and wrote an object of `count` bytes within `length`; nil if not measured.
    mutating func note(objectOf count: Int, within length: Duration?) {
        lastObject = length.map { WrittenObject(within: $0 + Self.slack, of: count, by: payload) }
    }

    /// Records that the flash was busy for `length` after an object had arrived, with at most a full queue to write.
    mutating func note(busyFor length: Duration) {
        let expected = packetTime * Self.flashQueue + (roundTrip ?? Self.shortestRoundTrip) + Self.slack
        if length > expected { slow(by: length / expected) }
    }

    /// Records that a response was lost while settings were written. They are not written again, so the flash cannot be
    /// measured by them, and a trial is wanted.
    mutating func noteSpoiledMeasurement() { if requested == nil, !hasLost, !isOldTarget { trial = .wanted } }

    /// Records that an object was executed. `atOnce`: the device did not wait for its flash, which may be faster than the
    /// link. If a trial is wanted, the next object is then sent as if it were faster; a loss ends the trial.
    mutating func noteExecuted(atOnce: Bool) {
        defer { hasHeldBack = false }
        if trial == nil, hasHeldBack, let settingsWithin, requested == nil, !hasLost, !isOldTarget,
            settingsWithin < SettingsWrite(commandMaximum: commandMaximum).length(at: .stock)
        {
            // Only our own requests were measured: they took less time than a stock flash needs for the settings.
            trial = .wanted
            self.settingsWithin = nil
        }
        guard case .wanted = trial else { return trial = nil }
        guard atOnce else { return trial = nil }
        trial = .underWay(before: pace)
        pace = FlashPace(erase: .zero, piece: .zero).bounded
        receiptInterval = ownInterval
    }

    /// Restores the pace from before the trial, because the flash is slower than the trial assumed.
    private mutating func endTrial(_ before: FlashPace) {
        trial = nil
        pace = before
        receiptInterval = ownInterval
    }

    private mutating func slow(by factor: Double) {
        // The pace was measured, so it is not undone like a slowdown after a loss.
        paceBeforeLosses = nil
        pace = FlashPace(erase: pace.erase * factor, piece: pace.piece * factor).bounded
    }

    mutating func note(sent count: Int) { packetsSent += (count + payload - 1) / payload }

    /// Records lost bytes, or with `everything` the loss of a whole object. Halves the receipt interval at the first loss,
    /// later uses the cheapest one; if an object sent `again` is lost, waits for every packet's receipt. If nothing of two
    /// consecutive objects arrives, falls back to packets for the smallest MTU.
    mutating func noteLoss(everything: Bool = false, again: Bool = false) {
        if case .underWay(let before) = trial, !everything { return endTrial(before) }
        if isExact, !everything { return exactLosses += 1 }
        let wasAlone = window == 1
        noteLostPacket()
        let halved = halve()
        // The flash may have caused the first loss; later ones show how often packets are lost.
        if again {
            receiptInterval = 1
        } else if losses > 1 {
            receiptInterval = min(halved, cheapestInterval)
        }
        objectsWithoutReceipts = everything ? objectsWithoutReceipts + 1 : 0
        if wasAlone, !everything { undoSlowdown() } else { slowAfterLoss() }
        guard objectsWithoutReceipts > 1, payload > 20 else { return }
        longestPayload = 20
        payload = 20
    }

    /// Records that the device received all bytes, but its flash does not hold them: sending stays slower from now on.
    mutating func noteFlashFailure() {
        (cleanObjects, hasLost, trial, exactLosses) = (0, true, nil, Self.mostExactLosses)
        _ = halve()
        slowAfterLoss()
        (paceBeforeLosses, lossMargins) = (nil, 0)
    }

    /// Halves the packets in flight; returns the resulting receipt interval.
    private mutating func halve() -> Int {
        places = max(2, places / 2)
        receiptInterval = receiptInterval == 0 ? Self.flashQueue / 2 : max(1, receiptInterval / 2)
        return receiptInterval
    }

    /// Records the loss of a packet that was sent alone: the device has everything before it, so only this packet is sent
    /// again.
    mutating func noteGap() {
        noteLostPacket()
        undoSlowdown()
    }

    private mutating func noteLostPacket() {
        (cleanObjects, hasLost, trial) = (0, true, nil)
        losses += 1
    }

    /// Undoes the slowdowns after losses: a single packet fits any flash queue, so the link, not the flash, loses packets.
    private mutating func undoSlowdown() {
        guard let paceBeforeLosses else { return }
        pace = paceBeforeLosses
        self.paceBeforeLosses = nil
        lossMargins = 0
    }

    /// Assumes that a slow flash caused the loss: allows more time for an erase, and at least that of a stock flash.
    private mutating func slowAfterLoss() {
        paceBeforeLosses = paceBeforeLosses ?? pace
        let stock = isQuick || settingsWithin != nil ? FlashPace.stock : pace
        let slower = FlashPace(
            erase: max(pace.erase, stock.erase) + Self.lossMargin, piece: max(pace.piece, stock.piece))
        pace = slower.bounded
        lossMargins += 1
        settingsWithin = nil
    }

    /// Records an object without a loss; after ten the window may grow again.
    mutating func noteObjectWithoutLoss() {
        cleanObjects += 1
        objectsWithoutReceipts = 0
        guard hasLost, cleanObjects >= Self.cleanObjectsToGrow else { return }
        cleanObjects = 0
        if lossMargins > 0 {
            lossMargins -= 1
            pace.erase = max(FlashPace.stock.erase, pace.erase - Self.lossMargin)
        }
        // A receipt interval set by the user is never exceeded; 0 means no receipts.
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
