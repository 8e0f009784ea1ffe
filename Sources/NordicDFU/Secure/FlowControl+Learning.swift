/// What losses and the times of answers teach.
extension FlowControl {
    /// What a flash that was found to be slow is allowed more, as the two times are not known apart.
    private static let margin = 1.05

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
        if isQuick, wished == nil, !hasLost { receiptInterval = ownInterval }
    }

    /// The flash was busy for `length` after all packets of an object were known to have arrived; what waits for
    /// it then is a queue of packets at most.
    mutating func note(busyFor length: Duration) {
        let expected = packetTime * Self.flashQueue + (roundTrip ?? Self.shortestRoundTrip) + Self.slack
        if length > expected { slow(by: length / expected) }
    }

    private mutating func slow(by factor: Double) {
        pace = FlashPace(erase: pace.erase * factor, piece: pace.piece * factor).bounded
    }

    /// Bytes were lost, or all of an object where `everything`: halve the window, and then go down to one packet
    /// a receipt. Where nothing arrives twice in a row, packets of the least MTU may.
    mutating func noteLoss(everything: Bool = false) {
        cleanObjects = 0
        hasLost = true
        places = max(2, places / 2)
        receiptInterval = receiptInterval == 0 ? Self.flashQueue / 2 : max(1, receiptInterval / 2)
        // What was believed of a quick flash is not true.
        let stock = isQuick || settingsWithin != nil ? FlashPace.stock : pace
        let slower = FlashPace(
            erase: max(pace.erase, stock.erase) + .milliseconds(50), piece: max(pace.piece, stock.piece))
        pace = slower.bounded
        settingsWithin = nil
        deafObjects = everything ? deafObjects + 1 : 0
        guard deafObjects > 1, payload > 20 else { return }
        longestPayload = 20
        payload = 20
    }

    /// An object went through; after ten the window may grow again.
    mutating func noteClean() {
        cleanObjects += 1
        deafObjects = 0
        guard hasLost, cleanObjects >= Self.cleanObjectsToGrow else { return }
        cleanObjects = 0
        let isWhole = places == Self.flashQueue && receiptInterval >= max(Self.lossyInterval, wished ?? 0)
        guard !isWhole else {
            hasLost = wished != nil
            receiptInterval = wished ?? ownInterval
            return
        }
        places = min(Self.flashQueue, places * 2)
        receiptInterval = min(max(Self.lossyInterval, wished ?? 0), receiptInterval * 2)
    }
}
