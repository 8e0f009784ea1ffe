/// The injected faults of a beacon with MCUboot: counts events over the beacon's life, and reports which are due.
struct MCUbootFaultPlan: Sendable {
    /// Something that ends or disturbs the processing of a request.
    enum RequestFault: Hashable, Sendable { case lost, cut, powerLoss, busy, meaningless }

    enum AnswerFault: Hashable, Sendable {
        case lost, doubled, malformed, endless
        case delayed(by: Duration)
    }

    private enum Event { case request, answer, upload, uploadAnswer, chunk, erase, reset, page }

    private let faults: [MCUbootFault]
    private var counts: [Event: Int] = [:]

    init(_ faults: [Fault]) {
        self.faults = faults.distinct.compactMap { if case .mcuboot(let fault) = $0 { fault } else { nil } }
    }

    private mutating func count(_ event: Event) -> Int {
        let number = counts[event, default: 0] + 1
        counts[event] = number
        return number
    }

    var keepsOldApplication: Bool { faults.contains(.keepOldApplication) }
    var refusesConfirm: Bool { faults.contains(.refuseConfirm) }

    /// Whether the link ends when half of the next request has arrived.
    var cutsNextRequest: Bool { faults.contains(.cutInRequest(counts[.request, default: 0] + 1)) }
    mutating func countCutRequest() { _ = count(.request) }

    mutating func request() -> RequestFault? {
        let number = count(.request)
        return faults.lazy.compactMap { fault -> RequestFault? in
            switch fault {
            case .loseRequest(number): .lost
            case .cutAtRequest(number): .cut
            case .powerLossAtRequest(number): .powerLoss
            case .busy(number): .busy
            case .meaninglessError(number): .meaningless
            default: nil
            }
        }.first
    }

    mutating func answer() -> AnswerFault? {
        let number = count(.answer)
        return faults.lazy.compactMap { fault -> AnswerFault? in
            switch fault {
            case .loseAnswer(number): .lost
            case .doubleAnswer(number): .doubled
            case .delayAnswer(number, let time): .delayed(by: time)
            case .malformedAnswer(number): .malformed
            case .endlessAnswer(number): .endless
            default: nil
            }
        }.first
    }

    mutating func findsNoSlot() -> Bool { faults.contains(.noFreeSlot(count(.upload))) }
    mutating func answersWrongOffset() -> Bool { faults.contains(.wrongOffset(count(.uploadAnswer))) }
    mutating func failsWrite() -> Bool { faults.contains(.failFlashWrite(count(.chunk))) }
    mutating func eraseEndsLink() -> Bool { faults.contains(.eraseEndsLink(count(.erase))) }
    mutating func ignoresReset() -> Bool { faults.contains(.ignoreReset(count(.reset))) }
    mutating func losesPowerInSwap() -> Bool { faults.contains(.powerLossInSwap(count(.page))) }
}

/// An injected fault of a device with MCUboot. "This" event is the one with the given number, counted from 1 over the
/// device's life; requests and answers are those of SMP.
public enum MCUbootFault: Hashable, Sendable {
    /// This request never reaches the server, as if there was no buffer.
    case loseRequest(Int)
    /// This request is carried out, then the link ends; its answer is lost.
    case cutAtRequest(Int)
    /// The link ends when half of this request has arrived, or all of it if it comes in one piece.
    case cutInRequest(Int)
    /// A short power loss as soon as this request was processed.
    case powerLossAtRequest(Int)
    case busy(Int)
    /// This request is answered with an error that SMP does not define.
    case meaninglessError(Int)
    case loseAnswer(Int)
    case doubleAnswer(Int)
    case delayAnswer(Int, by: Duration)
    /// The map in this answer is cut short.
    case malformedAnswer(Int)
    /// This answer announces 65535 bytes, and notifications without end follow it.
    case endlessAnswer(Int)
    /// This start of an upload finds no free slot.
    case noFreeSlot(Int)
    /// This answer to a chunk has an offset that is 4 bytes too high.
    case wrongOffset(Int)
    /// This chunk cannot be written to flash.
    case failFlashWrite(Int)
    /// The link ends when this erase begins, and nothing is sent until it is done.
    case eraseEndsLink(Int)
    /// This reset request is answered with success, but the device does not reset.
    case ignoreReset(Int)
    /// No image can be confirmed.
    case refuseConfirm
    /// A short power loss before this page of an exchange of images.
    case powerLossInSwap(Int)
    /// The bootloader never starts a new image, and forgets that it should.
    case keepOldApplication
}
