import BeaconIdentity
import BluetoothTypes
import Radio
import Timing

/// Says during a search how long it will go on, and which beacons were heard: one line that is redrawn on a terminal,
/// otherwise a line every few seconds.
struct SearchStatus: Sendable {
    /// How far lines in a pipe are apart, in seconds.
    private static let pause = 5

    let console: Console
    /// What is looked for.
    let goal: String

    /// Speaks once a second, from the first second on, until the task is cancelled; `end` is when the search ends as
    /// far as is known now.
    func speak(
        of heard: @Sendable () async -> BeaconSightings, until end: @Sendable () -> Duration, time: Timekeeper
    ) async {
        guard !console.style.isJSON else { return }
        var seconds = 0
        while (try? await time.sleep(for: .seconds(1))) != nil {
            let line = line(await heard(), left: end() - time.now)
            if console.style.isTerminal {
                console.draw(bar: line)
            } else if seconds % Self.pause == 0 {
                console.talk(line)
            }
            seconds += 1
        }
        console.draw(lines: [])
    }

    private func line(_ heard: BeaconSightings, left: Duration) -> TerminalText {
        let all = heard.byStrength
        let names = all.prefix(5).map { $0.data.name ?? "\($0.address)" }.joined(separator: ", ")
        let rest = all.count > 5 ? ", …" : ""
        let who = all.isEmpty ? "nothing heard yet" : "heard \(all.count): \(names)\(rest)"
        return "looking for \(goal), \(max(0, Int((left / .seconds(1)).rounded(.up)))) s left; \(who)"
    }
}
