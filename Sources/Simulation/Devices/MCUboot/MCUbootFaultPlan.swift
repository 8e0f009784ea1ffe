/// The injected faults of a beacon with MCUboot: counts events over its life, and reports which faults are due.
struct MCUbootFaultPlan: Sendable {
    /// Something that ends or disturbs the processing of a request.
    enum Disturbance: Hashable, Sendable { case lost, cut, powerLoss, busy, meaningless }

    enum Fate: Hashable, Sendable {
        case lost, doubled, malformed, endless
        case delayed(by: Duration)
    }

    private let faults: [MCUbootFault]
    private var requests = 0
    private var answers = 0
    private var uploads = 0
    private var uploadAnswers = 0
    private var chunks = 0
    private var erases = 0
    private var resets = 0
    private var pages = 0

    init(_ faults: [Fault]) {
        self.faults = faults.distinct.compactMap { if case .mcuboot(let fault) = $0 { fault } else { nil } }
    }

    var keepsOldApplication: Bool { faults.contains(.keepOldApplication) }
    var refusesConfirm: Bool { faults.contains(.refuseConfirm) }

    /// Whether the link ends when half of the next request has arrived.
    var cutsNextRequest: Bool { faults.contains(.cutInRequest(requests + 1)) }

    mutating func countCutRequest() { requests += 1 }

    mutating func request() -> Disturbance? {
        requests += 1
        for fault in faults {
            switch fault {
            case .loseRequest(requests): return .lost
            case .cutAtRequest(requests): return .cut
            case .powerLossAtRequest(requests): return .powerLoss
            case .busy(requests): return .busy
            case .meaninglessError(requests): return .meaningless
            default: break
            }
        }
        return nil
    }

    mutating func answer() -> Fate? {
        answers += 1
        for fault in faults {
            switch fault {
            case .loseAnswer(answers): return .lost
            case .doubleAnswer(answers): return .doubled
            case .delayAnswer(answers, let time): return .delayed(by: time)
            case .malformedAnswer(answers): return .malformed
            case .endlessAnswer(answers): return .endless
            default: break
            }
        }
        return nil
    }

    mutating func findsNoSlot() -> Bool {
        uploads += 1
        return faults.contains(.noFreeSlot(uploads))
    }

    mutating func answersWrongOffset() -> Bool {
        uploadAnswers += 1
        return faults.contains(.wrongOffset(uploadAnswers))
    }

    mutating func failsWrite() -> Bool {
        chunks += 1
        return faults.contains(.failFlashWrite(chunks))
    }

    mutating func eraseEndsLink() -> Bool {
        erases += 1
        return faults.contains(.eraseEndsLink(erases))
    }

    mutating func ignoresReset() -> Bool {
        resets += 1
        return faults.contains(.ignoreReset(resets))
    }

    mutating func losesPowerInSwap() -> Bool {
        pages += 1
        return faults.contains(.powerLossInSwap(pages))
    }
}

/// An injected fault of a beacon with MCUboot. All numbers count from 1 over its life; requests and answers
/// are those of SMP.
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
    /// This answer to a chunk has an offset 4 too high.
    case wrongOffset(Int)
    /// This chunk cannot be written to flash.
    case failFlashWrite(Int)
    /// The link ends when this erase begins, and nothing is sent until it is done.
    case eraseEndsLink(Int)
    /// This reset is confirmed, and does not happen.
    case ignoreReset(Int)
    /// No image can be confirmed.
    case refuseConfirm
    /// A short power loss before this page of an exchange of images.
    case powerLossInSwap(Int)
    /// The bootloader never starts a new image, and forgets that it should.
    case keepOldApplication
}
