import Bluetooth
import Bytes
package import CommandKit
import Synchronization
import Tray
import UpdateModel

protocol ProgressRenderer: Sendable {
    mutating func render(_ event: UpdateEvent, at moment: Duration) -> [Rendering]
    /// The output as time passes; called about once a second.
    mutating func tick(at moment: Duration) -> [Rendering]
}

extension JSONEvents: ProgressRenderer {
    mutating func tick(at moment: Duration) -> [Rendering] { [] }
}

/// Runs `body` and shows the events that it reports with `renderer`, which also counts the seconds without events.
func showingProgress<Value: Sendable>(
    _ renderer: any ProgressRenderer, on console: Console, time: Timekeeper,
    _ body: (@escaping @Sendable (UpdateEvent) -> Void) async throws -> Value
) async throws -> Value {
    let progress = DrawnProgress(renderer, console, time)
    defer { console.draw(lines: []) }
    async let _ = progress.tickEverySecond()
    return try await body { progress.show($0) }
}

private final class DrawnProgress: Sendable {
    private let renderer: Mutex<any ProgressRenderer>
    private let console: Console
    private let time: Timekeeper

    init(_ renderer: any ProgressRenderer, _ console: Console, _ time: Timekeeper) {
        self.renderer = Mutex(renderer)
        (self.console, self.time) = (console, time)
    }

    func show(_ event: UpdateEvent) {
        let isWarning = if case .warning = event { true } else { false }
        draw(renderer.withLock { $0.render(event, at: time.now) }, isWarning: isWarning)
    }

    /// Draws until the task is cancelled.
    func tickEverySecond() async {
        while (try? await time.sleep(for: .seconds(1))) != nil {
            draw(renderer.withLock { $0.tick(at: time.now) })
        }
    }

    private func draw(_ renderings: [Rendering], isWarning: Bool = false) {
        for rendering in renderings {
            switch rendering {
            case .line(let text) where isWarning: console.alert(TerminalText(text))
            case .line(let text): console.notice(TerminalText(text))
            case .bar(let text): console.draw(bar: TerminalText(text))
            case .json(let line): console.event(line)
            case .event(let event): console.event(event)
            }
        }
    }
}

/// Events as lines for a pipe or a log: progress every 10 %.
struct PlainLines: ProgressRenderer {
    /// How often a silence is reported.
    private static let reminder = Duration.seconds(10)
    private var lastTenth = 0
    private var reportedSilence = Duration.zero
    private var transfer: TransferState

    init(_ transfer: TransferState) { self.transfer = transfer }

    mutating func render(_ event: UpdateEvent, at moment: Duration) -> [Rendering] {
        transfer.note(event, at: moment)
        reportedSilence = .zero
        switch event {
        case .progress(let sent, let total, let rate):
            let tenth = total > 0 ? sent * 10 / total : 0
            defer { lastTenth = tenth }
            guard tenth != lastTenth else { return [] }
            return [
                .line(
                    "\(total > 0 ? sent * 100 / total : 100) %, \(Quantities.bytes(sent)) of \(Quantities.bytes(total)), "
                        + Quantities.speed(rate))
            ]
        case .speed, .steadySpeed, .currentSpeed: return []
        default: return EventText.lines(of: event, transfer).map { .line($0) }
        }
    }

    mutating func tick(at moment: Duration) -> [Rendering] {
        guard let phase = transfer.phase, let silence = transfer.silence(at: moment),
            silence - reportedSilence >= Self.reminder
        else { return [] }
        reportedSilence = silence
        return [
            .line(
                phase == .transferring
                    ? transfer.silenceText(silence)
                    : "\(EventText.name(of: phase, transfer)), \(Int(silence / .seconds(1))) s")
        ]
    }
}

/// The texts for events other than progress, on pipes and terminals.
enum EventText {
    static func lines(of event: UpdateEvent, _ transfer: TransferState) -> [String] {
        let first = line(of: event, transfer).map { [$0] } ?? []
        guard case .detail(.settingsCompared(let comparison)) = event else { return first }
        return first + comparison.lines
    }

    static func line(of event: UpdateEvent, _ transfer: TransferState) -> String? {
        switch event {
        case .phase(let phase): return name(of: phase, transfer)
        case .part(let part): return "\(part)"
        case .connected(let address, let link): return "connected to \(address), \(link)"
        case .resumed(0): return "the beacon has the init packet but no firmware: sending from the start"
        case .resumed(let offset): return "the beacon already has \(Quantities.bytes(offset)): resuming there"
        case .retry(_, let reason, let offset, let link):
            guard let link else { return "\(reason): retrying from \(Quantities.bytes(offset))" }
            return "\(reason): retrying, attempt \(link) of \(transfer.attempts)"
        case .warning(let code, let text): return "warning \(code): \(text)"
        case .detail(.deviceInformation(let name, let value)): return "\(name): \(value)"
        case .detail(.settingsCompared), .detail(.linkChanged): return "\(event)"
        case .detail: return nil
        case .progress, .speed, .steadySpeed, .currentSpeed, .disconnected: return nil
        }
    }

    static func name(of phase: UpdatePhase, _ transfer: TransferState) -> String {
        switch phase {
        case .activating: "the beacon is checking the image"
        case .rebooting: "waiting for \(transfer.awaited)"
        case .connecting, .enteringBootloader, .preparing, .transferring, .verifying: phase.words
        }
    }
}
