import Bluetooth
import CommandKit
import Synchronization
import UpdateModel

/// Runs `body`, shows the events that it reports, and counts the seconds while there are none.
func drawing<Value: Sendable>(
    _ renderer: any ProgressRenderer, on console: Console, time: Timekeeper,
    _ body: (@escaping @Sendable (UpdateEvent) -> Void) async throws -> Value
) async throws -> Value {
    let progress = DrawnProgress(renderer, console, time)
    defer { console.draw(lines: []) }
    async let _ = progress.keepUp()
    return try await body { progress.show($0) }
}

/// A renderer for events from any task, and its console.
private final class DrawnProgress: Sendable {
    private let renderer: Mutex<any ProgressRenderer>
    private let console: Console
    private let time: Timekeeper

    init(_ renderer: any ProgressRenderer, _ console: Console, _ time: Timekeeper) {
        self.renderer = Mutex(renderer)
        self.console = console
        self.time = time
    }

    func show(_ event: UpdateEvent) { draw(renderer.withLock { $0.render(event, at: time.now) }) }

    /// Draws once a second, until the task is cancelled.
    func keepUp() async {
        while (try? await time.sleep(for: .seconds(1))) != nil {
            draw(renderer.withLock { $0.tick(at: time.now) })
        }
    }

    private func draw(_ renderings: [Rendering]) {
        for rendering in renderings {
            switch rendering {
            case .line(let text): console.talk(TerminalText(text))
            case .bar(let text): console.draw(bar: TerminalText(text))
            case .json(let line): console.event(line)
            }
        }
    }
}
