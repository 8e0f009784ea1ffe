import Bytes

/// The SMP server of an application, with the slots that it manages (mcuboot-smp.md, Commands).
///
/// It processes one request at a time. The times that it is given must not decrease.
struct SMPServer: Sendable {
    /// The state of an upload, kept in RAM only: it survives the end of a link, but not a reset.
    struct Session: Hashable, Sendable {
        let slot: ImageSlot
        let size: Int
        let checksum: [UInt8]
        var sent: [UInt8] = []
        /// The end of the erased part of the slot, with progressive erasure.
        var erasedEnd = 0

        var offset: Int { sent.count }
    }

    /// What processing a request leads to, besides its answer.
    enum Effect: Hashable, Sendable { case reset, endLink }

    let description: MCUbootDescription
    var slots: ImageSlots
    var faults: MCUbootFaultPlan
    /// The running image of each number; nil if there is none.
    var running: [RunningImage?] = []
    var session: Session?
    /// The last upload that was received completely, and where it is.
    var finished: Session?
    /// The end offset of the last upload, with which Mynewt answers a repeat of the last chunk.
    var lastOffset = 0
    var hasReadState = false
    var record = SMPRecord()
    var effects: [Effect] = []

    var rules: SMPServerRules { description.server }
    var mode: MCUbootRules.Mode { description.bootloader.mode }

    init(_ description: MCUbootDescription, _ faults: [Fault]) {
        self.description = description
        self.faults = MCUbootFaultPlan(faults)
        slots = ImageSlots(description)
    }

    mutating func reset(_ running: [RunningImage?]) {
        self.running = running
        (session, finished, lastOffset, hasReadState, effects) = (nil, nil, 0, false, [])
    }

    /// The slot that runs the image of a number; without one, slot 0 as in Zephyr.
    func active(_ number: Int) -> ImageSlot {
        (running.indices.contains(number) ? running[number]?.slot : nil) ?? ImageSlot(image: number, slot: 0)
    }

    mutating func note(_ rule: SMPRule) { record.brokenRules.append(rule) }

    /// The answers to the requests in `frame`, in order; ends at an error, except a group's in Zephyr's version 2.
    mutating func answers(to frame: [UInt8], at now: Duration) -> [[UInt8]] {
        var rest = frame[...]
        var answers: [[UInt8]] = []
        while let header = SMPHeader(rest) {
            let body = rest.dropFirst(SMPHeader.size).prefix(header.length)
            let outcome: SMPOutcome =
                body.count < header.length ? .refused(.corrupt) : outcome(of: header, body, at: now)
            answers.append(answer(to: header, outcome))
            rest = rest.dropFirst(header.frameSize)
            if case .done = outcome { continue }
            if case .failed = outcome, rules.implementation == .zephyr, header.version > 0 { continue }
            break
        }
        return answers
    }

    func answer(to header: SMPHeader, _ outcome: SMPOutcome) -> [UInt8] {
        let version = rules.implementation == .mynewt ? 0 : min(header.version, 1)
        let body = outcome.body(rules.implementation, version: header.version, addsCode: rules.addsCode)
        return header.answer(
            body.encoded(rules.hasDefiniteLengths ? .definite : .indefinite), version: version)
    }

    private mutating func outcome(
        of header: SMPHeader, _ body: ArraySlice<UInt8>, at now: Duration
    ) -> SMPOutcome {
        record.requests += 1
        guard header.isRead || header.isWrite else { return .refused(.notSupported) }
        if rules.implementation == .zephyr, header.version > 1 { return .refused(.tooNew) }
        let map = SMPValue(decoding: body)?.map
        // An unsupported command is refused before the server looks at the map.
        func given(_ answer: (SMPMap) -> SMPOutcome) -> SMPOutcome { map.map(answer) ?? .refused(.badValue) }
        let isZephyr = rules.implementation == .zephyr
        switch (header.group, header.command, header.isRead) {
        case (0, 0, _): return given { echo($0) }
        case (0, 5, false): return given { _ in restart() }
        case (0, 6, true) where rules.reportsBuffers && isZephyr: return given { _ in buffers() }
        case (0, 7, true) where isZephyr: return given { information($0) }
        case (0, 8, true) where isZephyr && rules.modeAnswer != .none: return given { bootloader($0) }
        case (1, 0, true):
            return given { _ in
                hasReadState = true
                return .done(state())
            }
        case (1, 0, false) where mode.moves || mode == .directXIPRevert:
            return given { writeState($0, at: now) }
        case (1, 1, false): return given { upload($0, at: now) }
        case (1, 5, false): return given { erase($0, at: now) }
        case (1, 6, true) where rules.reportsSlots && isZephyr: return given { _ in slotInformation() }
        case (63, 0, false) where rules.erasesStorage && isZephyr: return given { _ in eraseStorage(at: now) }
        default: return .refused(.notSupported)
        }
    }
}

/// The commands of the groups 0 (operating system) and 63 (Zephyr).
extension SMPServer {
    private func echo(_ map: SMPMap) -> SMPOutcome {
        guard let text = map["d"]?.text else { return .refused(.badValue) }
        return .done(["r": .text(text)])
    }

    private mutating func restart() -> SMPOutcome {
        record.resets += 1
        if !faults.ignoresReset() { effects.append(.reset) }
        return .done([:])
    }

    private func buffers() -> SMPOutcome {
        .done(["buf_size": .number(rules.bufferSize), "buf_count": .number(rules.buffers)])
    }

    private func information(_ map: SMPMap) -> SMPOutcome {
        guard map["format"]?.text.map({ $0 == "s" || $0.isEmpty }) ?? true else { return .failed(.noAnswer) }
        return .done(["output": .text("Zephyr")])
    }

    private func bootloader(_ map: SMPMap) -> SMPOutcome {
        guard let query = map["query"]?.text else { return .done(["bootloader": .text("MCUboot")]) }
        guard query == "mode" else { return .failed(.noAnswer) }
        var answer: SMPMap = ["mode": .number(rules.modeAnswer == .mode ? mode.rawValue : -1)]
        if description.bootloader.preventsDowngrade || description.bootloader.countsSecurity {
            answer.append("no-downgrade", .truth(true))
        }
        return .done(answer)
    }

    private mutating func eraseStorage(at now: Duration) -> SMPOutcome {
        _ = slots.flash.append(.erase(0), at: now)
        slots.flash.advance(to: slots.flash.idle(at: now))
        return .done([:])
    }
}
