import Bluetooth
package import CommandKit
package import Identity

/// Shows the time left of a search, and the beacons that were heard: one line that is redrawn on a terminal,
/// otherwise a line every few seconds.
package struct SearchStatus: Sendable {
    /// The interval of lines in a pipe, in seconds.
    private static let pause = 5

    package let console: Console
    /// What the search looks for.
    package let goal: String
    /// The beacon that has to take connections; nil if that is not required.
    var awaited: DeviceSelector?

    package init(console: Console, goal: String, awaited: DeviceSelector? = nil) {
        self.console = console
        self.goal = goal
        self.awaited = awaited
    }

    /// Prints once a second, from the first second on, until the task is cancelled; `end` is the search's currently
    /// expected end. The request to press a button is printed once, with `--json` as an event.
    func speak(
        of heard: @Sendable () async -> BeaconSightings, until end: @Sendable () -> Duration, time: Timekeeper
    ) async {
        guard !console.style.isJSON || awaited != nil else { return }
        var seconds = 0
        var hasAsked = false
        while (try? await time.sleep(for: .seconds(1))) != nil {
            let heard = await heard()
            if !hasAsked, let closed = heard.byStrength.first(where: isClosed) {
                askForButton(of: closed, left: end() - time.now)
                hasAsked = true
            }
            guard !console.style.isJSON else { continue }
            let line = line(heard, left: end() - time.now)
            if console.style.isTerminal {
                console.draw(bar: line)
            } else if seconds % Self.pause == 0 {
                console.talk(line)
            }
            seconds += 1
        }
        console.draw(lines: [])
    }

    /// Whether it is the awaited beacon, and takes no connections yet.
    private func isClosed(_ beacon: BeaconSighting) -> Bool {
        beacon.isConnectable == false && (awaited?.matches(beacon) ?? false)
    }

    private func askForButton(of beacon: BeaconSighting, left: Duration) {
        let seconds = max(0, Int((left / .seconds(1)).rounded(.up)))
        console.event(
            JSONLine(
                "button-awaited",
                ["device": .text(beacon.address.description), "seconds_left": .integer(seconds)]))
        console.talk(
            "\(beacon.address) is in range but takes no connections: press its button within \(seconds) s")
    }

    private func line(_ heard: BeaconSightings, left: Duration) -> TerminalText {
        let all = heard.byStrength
        let names = all.prefix(5).map { $0.data.name ?? "\($0.address)" }.joined(separator: ", ")
        let rest = all.count > 5 ? ", …" : ""
        let who = all.isEmpty ? "nothing heard yet" : "heard \(all.count): \(names)\(rest)"
        return "looking for \(goal), \(max(0, Int((left / .seconds(1)).rounded(.up)))) s left; \(who)"
    }
}
