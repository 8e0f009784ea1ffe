import UpdateModel

/// A device that sends the packets of a script, whatever the requests, and then nothing.
struct NotifyingPeer {
    private var rest: ArraySlice<[UInt8]>
    /// The packets sent so far.
    private(set) var heard: [[UInt8]] = []

    init(_ packets: [[UInt8]]) { rest = packets[...] }

    /// Plays `dialogue` to its end; returns nil if it fails. `check` runs after each step.
    mutating func hold<D: Dialogue>(
        _ dialogue: D, _ check: (D) throws(Violation) -> Void
    ) throws(Violation) -> D.Ending? where D.Notice == Never, D.Failure == SessionFailure {
        var dialogue = dialogue
        let most = 4 * rest.count + 32
        var command: DialogueCommand<D.Ending>
        do throws(SessionFailure) {
            command = try dialogue.begin(on: LinkFacts(maximumWriteLength: 244)).command
        } catch { return nil }
        for step in 0..<most {
            try check(dialogue)
            if case .end(let ending) = command { return ending }
            dialogue.note(CommandTimes(started: .milliseconds(step), ended: .milliseconds(step + 1)))
            let outcome = outcome(of: command)
            do throws(SessionFailure) { command = try dialogue.advance(after: outcome).command } catch {
                return nil
            }
        }
        throw Violation(description: "no end after \(most) steps")
    }

    private mutating func outcome<Ending>(of command: DialogueCommand<Ending>) -> DialogueOutcome {
        switch command {
        case .request, .expect:
            guard let packet = rest.popFirst() else { return .timedOut }
            heard.append(packet)
            return .value(packet)
        default: return .done
        }
    }
}
