import Bluetooth
import Bytes
package import Firmware
import UpdateModel

/// Shows the time left of a search or scan, and the beacons that were heard: one line that is redrawn on a terminal,
/// otherwise for a search a line every few seconds.
package struct SearchStatus: Sendable {
    /// The interval of lines in a pipe, in seconds.
    private static let pipeInterval = 5

    package let console: Console
    /// What the search looks for; nil for a scan.
    package var goal: String?
    /// Whether a scan may end earlier.
    private let mayEndEarly: Bool
    /// The beacon that has to take connections; nil if that is not required.
    private let awaited: DeviceSelector?

    package init(
        console: Console, goal: String? = nil, awaited: DeviceSelector? = nil, mayEndEarly: Bool = false
    ) {
        (self.console, self.goal) = (console, goal)
        (self.awaited, self.mayEndEarly) = (awaited, mayEndEarly)
    }

    /// Shows the progress until the task is cancelled: redraws the line of a terminal every second, and prints a line to
    /// a pipe after the first second and then every ``pipeInterval`` seconds. `end` is the currently expected end.
    ///
    /// The request to press a button is printed once, with `--json` as an event.
    func showProgress(
        of heard: @Sendable () async -> BeaconSightings, until end: @Sendable () -> Duration, time: Timekeeper
    ) async {
        guard !console.style.isJSON || awaited != nil, goal != nil || console.style.isTerminal else { return }
        if console.style.isTerminal, !console.style.isJSON {
            // A search that continues an earlier one shows at once what was heard: the earlier line is gone.
            let earlier = await heard()
            if earlier.count > 0 { console.draw(bar: line(earlier, left: end() - time.now)) }
        }
        var seconds = 0
        var hasAsked = false
        while (try? await time.sleep(for: .seconds(1))) != nil {
            let heard = await heard()
            if !hasAsked, let beacon = heard.byStrength.first(where: refusesConnections) {
                askForButton(of: beacon, left: end() - time.now)
                hasAsked = true
            }
            guard !console.style.isJSON else { continue }
            let line = line(heard, left: end() - time.now)
            if console.style.isTerminal {
                console.draw(bar: line)
            } else if seconds % Self.pipeInterval == 0 {
                console.notice(line)
            }
            seconds += 1
        }
        console.draw(lines: [])
    }

    /// Whether `beacon` is the awaited one, and does not take connections yet.
    private func refusesConnections(_ beacon: BeaconSighting) -> Bool {
        beacon.isConnectable == false && (awaited?.matches(beacon) ?? false)
    }

    private func askForButton(of beacon: BeaconSighting, left: Duration) {
        let seconds = Self.seconds(left)
        console.event(
            JSONLine("button-awaited").adding([
                "device": .text(beacon.address.description), "seconds_left": .integer(seconds),
            ]))
        console.notice(
            "\(beacon.address) is in range but takes no connections: press its button within \(seconds) s")
    }

    func line(_ heard: BeaconSightings, left: Duration) -> TerminalText {
        let all = heard.byStrength
        let names = all.prefix(5).map { $0.data.name ?? "\($0.address)" }.joined(separator: ", ")
        let rest = all.count > 5 ? ", …" : ""
        let who = all.isEmpty ? "nothing heard yet" : "heard \(all.count): \(names)\(rest)"
        let task = goal.map { "looking for \($0)" } ?? "listening"
        return "\(task), \(mayEndEarly ? "at most " : "")\(Self.seconds(left)) s left; \(who)"
    }

    private static func seconds(_ left: Duration) -> Int { max(0, Int((left / .seconds(1)).rounded(.up))) }
}
