package import Bluetooth
import FoundationEssentials
package import Tray

/// Sends a journal's outbox to one hook: the entries in their order, each until it is accepted or set aside.
package struct HookSender: Sendable {
    /// Makes a call and returns how it ended; cancelling the task ends the call.
    package typealias Sending = @Sendable (HookCall) async -> HookOutcome

    private let hook: Hook
    private let journal: Journal
    private let policy: HookPolicy
    private let time: Timekeeper
    private let now: @Sendable () -> RecordedTime
    private let send: Sending

    /// A sender that runs the hook's command, or calls `send` instead. `now` is the wall clock.
    package init(
        _ hook: Hook, _ journal: Journal, _ policy: HookPolicy = HookPolicy(), time: Timekeeper,
        now: @escaping @Sendable () -> RecordedTime = { .now }, send: Sending? = nil
    ) {
        (self.hook, self.journal, self.policy, self.time, self.now) = (hook, journal, policy, time, now)
        self.send = send ?? { await HookProcess.run(hook, $0, deadline: policy.deadline) }
    }

    /// Delivers all waiting entries, and does so again after each element of `wakeUps`. Returns when `wakeUps` has ended
    /// and nothing is left, or when the task is cancelled; the next run then delivers the rest.
    package func run(wokenBy wakeUps: AsyncStream<Void>) async throws(JournalError) {
        var wakeUps = wakeUps.makeAsyncIterator()
        // The current entry and its faults, which each process counts from 0.
        var (sequence, faults) = (0 as Int64, 0)
        var waited: (sequence: Int64, due: RecordedTime)?
        while !Task.isCancelled {
            guard let row = try await journal.next(inOutboxOf: hook.name) else {
                guard await wakeUps.next() != nil else { return }
                continue
            }
            // If the clock was set back, the due time may be far away: the wait is never longer than the pause.
            let wait = min(.seconds(row.due.seconds(since: now())), policy.pause(after: row.tries))
            guard wait <= .zero || waited.map({ $0 == (row.sequence, row.due) }) ?? false else {
                waited = (row.sequence, row.due)
                try? await time.sleep(for: wait)
                continue
            }
            waited = nil
            if row.sequence != sequence { (sequence, faults) = (row.sequence, 0) }
            try await journal.willSend(sequence)
            let call = HookCall(key: row.entry.key, body: row.entry.body, tries: row.tries + 1)
            let end = await send(call)
            guard let (answer, isFault) = policy.answer(to: end, tries: call.tries, faults: faults, at: now())
            else { return }
            if isFault { faults += 1 }
            try await journal.recordAnswer(sequence, answer, at: now())
        }
    }
}

/// The input of a hook: JSON on its standard input, and the call's key and number of tries in its environment.
package struct HookCall: Hashable, Sendable {
    /// The same for each try of the same content: a hook that has processed the key before does nothing.
    package let key: String
    /// One JSON object, without an end of line.
    package let body: String
    /// The number of this try, from 1.
    package let tries: Int
}

/// A command that is called for every finished unit, for example to print a label or to upload the result.
package struct Hook: Hashable, Sendable {
    /// The hook's name, the `kind` of its entries in the outbox. They stay its entries if the command changes.
    package let name: String
    /// The shell command (`/bin/sh -c`).
    package let command: String
    /// Names of variables of this program's environment that the hook gets in addition to those of every hook.
    package var variables: Set<String> = []

    package init(name: String, command: String) { (self.name, self.command) = (name, command) }

    /// Parses `NAME=COMMAND`, with a name of letters, digits, `-`, `_` and `.`; nil for any other text.
    package init?(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            .map(String.init)
        guard parts.count == 2, (1...Self.mostLetters).contains(parts[0].utf8.count),
            parts[0].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }),
            parts[1].contains(where: { !$0.isWhitespace })
        else { return nil }
        self.init(name: parts[0], command: parts[1])
    }

    private static let mostLetters = 32

    /// The variables of every hook, in addition to the categories of the locale (`LC_…`).
    private static let passed: Set<String> = [
        "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR",
    ]

    /// The hook's environment: variables that every program needs, those in `variables`, and the identity of the call.
    /// The rest of this program's environment may hold secrets (`PGPASSWORD`, tokens of a CI), which a label printer
    /// does not need. (docs/guide/trays.md, Hooks)
    func environment(
        of call: HookCall, from own: [String: String] = ProcessInfo.processInfo.environment
    ) -> [String: String] {
        own.filter { Self.passed.contains($0.key) || $0.key.hasPrefix("LC_") || variables.contains($0.key) }
            .merging(["BEACON_DFU_KEY": call.key, "BEACON_DFU_TRIES": "\(call.tries)"]) { $1 }
    }
}
