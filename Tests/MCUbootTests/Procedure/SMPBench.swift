import UpdateModel

@testable import MCUboot

/// An update over a server in memory, with faults at chosen requests.
struct SMPBench {
    enum Fault: CaseIterable {
        case none, requestLost, requestCut, answerLost, answerLate, answerDoubled, linkLost, answerGarbled,
            strangerFirst
        case powerLost
    }

    var update: SMPUpdate
    var server: SMPServer
    var writeLength = 244
    /// What happens to the request with this number, from 0 on.
    var fault: (Int) -> Fault = { _ in .none }
    /// The bytes of a cut request that are missing; nil for half of it.
    var cutBytes: Int?
    var notices: [UpdateNotice] = []
    var meanings: [DisconnectMeaning] = []
    var requests = 0
    var links = 0
    var steps = 0
    var timeouts = 0
    var rests = 0
    var mostUnderWay = 0
    /// The bytes of firmware that were sent.
    var payload = 0
    /// The time that an answer takes.
    var answerTime = Duration.zero
    /// What else happens to the server when it has restarted.
    var afterRestart: (inout SMPServer) -> Void = { _ in }
    var clock = Duration.zero
    /// The phases before each frame with the last byte of all.
    var phasesBeforeEnd: [[UpdatePhase]] = []

    init(_ uploads: [ImageUpload], _ preferences: SMPPreferences, _ server: SMPServer) {
        update = SMPUpdate(uploads, preferences)
        self.server = server
    }

    init(_ uploads: [ImageUpload], _ server: SMPServer) { self.init(uploads, SMPPreferences(), server) }

    /// Runs the update as the engine does: five links without progress end it.
    mutating func run() throws -> Completion {
        var fruitless = 0
        while true {
            links += 1
            let (before, sent) = (server.session?.bytes.count, payload)
            do throws(UpdateFailure) {
                if let end = try link() {
                    switch end {
                    case .complete(let completion): return completion
                    case .restart:
                        meanings.append(update.disconnectMeaning)
                        if server.isReset { restart() }
                        fruitless = 0
                        continue
                    }
                }
                meanings.append(update.disconnectMeaning)
                if server.isReset { restart() }
            } catch {
                guard error.mayReconnect, fruitless < 5 else { throw error }
            }
            fruitless = server.session?.bytes.count ?? -1 > before ?? 0 ? 1 : fruitless + 1
            guard fruitless < 6 else {
                throw UpdateFailure(.device.linkLost, during: "", message: "\(sent)")
            }
            server.linkEnded()
        }
    }

    private mutating func restart() {
        server.restart()
        afterRestart(&server)
    }

    /// One link; nil if it is lost.
    private mutating func link() throws(UpdateFailure) -> ConversationResult? {
        var step = try update.begin(on: LinkFacts(maximumWriteLength: writeLength))
        var queue: [[UInt8]] = []
        var late: [[UInt8]] = []
        var underWay = 0
        while true {
            steps += 1
            guard steps < 200_000 else {
                throw UpdateFailure(.system.internalError, during: "", message: "too many steps")
            }
            notices += step.notices
            var outcome = DialogueOutcome.done
            switch step.command {
            case .end(let ending): return ending
            case .subscribe: break
            case .rest: rests += 1
            case .stream(let run):
                defer { requests += 1 }
                if let span = run.payload {
                    let count = span.payload(in: run.bytes.count, of: run.bytes.count)
                    if span.position + count == span.total { phasesBeforeEnd.append(phases) }
                    payload += count
                }
                let kind = fault(requests)
                if kind == .linkLost { return nil }
                if kind == .requestLost { break }
                var answer: [UInt8]?
                var bytes = Array(run.bytes)
                if kind == .requestCut {
                    bytes = Array(bytes.prefix(max(bytes.count - (cutBytes ?? bytes.count / 2), 8)))
                }
                for start in stride(from: 0, to: bytes.count, by: run.packetLength) {
                    let piece = bytes[start..<min(start + run.packetLength, bytes.count)]
                    answer = server.receive(Array(piece)) ?? answer
                }
                // The link ends in the middle of a request.
                if kind == .requestCut { return nil }
                if kind == .powerLost {
                    server.restart()
                    return nil
                }
                guard let answer else { break }
                underWay += 1
                mostUnderWay = max(mostUnderWay, underWay)
                let pieces = stride(from: 0, to: answer.count, by: writeLength).map {
                    Array(answer[$0..<min($0 + writeLength, answer.count)])
                }
                switch kind {
                case .answerLost: break
                case .answerLate: late += pieces
                case .answerDoubled: queue += pieces + pieces
                case .answerGarbled: queue += pieces.map { $0.map { $0 ^ 0x55 } }
                case .strangerFirst:
                    // An error, in answer to a request of another number.
                    let stranger =
                        Array(answer[..<2]) + [0, 5] + answer[4..<6] + [answer[6] ^ 0x80, answer[7]]
                    queue += [stranger + [0xA1, 0x62, 0x72, 0x63, 1]] + pieces
                default: queue += pieces
                }
            case .expect:
                underWay = 0
                defer { clock += answerTime }
                update.note(CommandTimes(started: clock, ended: clock + answerTime))
                if queue.isEmpty {
                    (outcome, queue, late) = (.timedOut, late, [])
                    timeouts += 1
                } else {
                    outcome = .value(queue.removeFirst())
                }
            default: throw UpdateFailure(.system.internalError, during: "", message: "\(step.command)")
            }
            step = try update.advance(after: outcome)
        }
    }

    /// Whether the server runs this image, byte for byte.
    func runs(_ upload: ImageUpload) -> Bool {
        server.slots[upload.image]?[upload.image == 0 ? server.activeSlot : 0]?.bytes == upload.bytes
    }

    var warnings: [FailureCode] {
        notices.compactMap { if case .warning(let code, _) = $0 { code } else { nil } }
    }
    var phases: [UpdatePhase] {
        notices.compactMap { if case .phase(let phase) = $0 { phase } else { nil } }
    }
    var failure: FailureCode? {
        mutating get {
            do { _ = try run() } catch { return (error as? UpdateFailure)?.code }
            return nil
        }
    }
}
