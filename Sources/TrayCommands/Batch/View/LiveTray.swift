import Bluetooth
import CommandKit
import Glibc
import Synchronization
import Tray

/// The state of a run, and its live view at the bottom of a terminal: draws changes at most four times a second, and
/// passes on requests made by keys.
final class LiveTray: Sendable {
    private static let pause = Duration.milliseconds(250)

    private struct State {
        var board: TrayBoard
        /// Whether there is a change that was not drawn yet.
        var isChanged = true
        /// When the view was last drawn.
        var drawn = Duration.zero
    }

    private let state: Mutex<State>
    private let console: Console
    private let time: Timekeeper

    init(_ board: TrayBoard, on console: Console, time: Timekeeper) {
        state = Mutex(State(board: board))
        (self.console, self.time) = (console, time)
    }

    /// Changes what is shown; ``drawChanges()`` draws it.
    func change<Value: Sendable>(_ body: (inout TrayBoard) -> Value) -> Value {
        state.withLock { state in
            state.isChanged = true
            return body(&state.board)
        }
    }

    var run: RunState { state.withLock { $0.board.state } }

    /// Draws, and passes typed commands to `obey`, until the task is cancelled.
    func serve(on loop: EventLoop, obeying obey: @escaping @Sendable (TrayControl) -> Void) async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.drawChanges() }
            await KeyInput.read(from: STDIN_FILENO, on: loop) { keys in
                for command in self.press(keys) { obey(command) }
                self.draw()
                return false
            }
        }
    }

    private func press(_ keys: [TerminalKey]) -> [TrayControl] {
        state.withLock { state in keys.compactMap { state.board.press($0) } }
    }

    /// Draws after changes, and at least once a second, until the task is cancelled.
    private func drawChanges() async {
        repeat {
            let now = time.now
            let isDue = state.withLock { $0.isChanged || now - $0.drawn >= .seconds(1) }
            if isDue { draw() }
        } while (try? await time.sleep(for: Self.pause)) != nil
    }

    private func draw() {
        let (now, size) = (time.now, TerminalSize.current)
        let frame = state.withLock { state in
            (state.isChanged, state.drawn) = (false, now)
            return state.board.frame(in: size, at: now, hasColour: console.style.hasColour)
        }
        console.draw(lines: frame)
    }
}

extension BlinkEvent {
    /// One line for people about the unit at `slot`.
    package func words(_ slot: String) -> String {
        switch self {
        case .refused(.atWork): return "\(slot) is being updated"
        case .refused(.alreadyBlinking): return "\(slot) was already asked to blink"
        case .refused(.notHeard): return "no adapter hears \(slot)"
        case .refused(.stopped): return "the run is ending"
        case .began(let length): return "\(slot) blinks for \(Int(length / .seconds(1))) s"
        case .ended: return "\(slot) has blinked"
        case .failed(let verdict):
            let cause = [verdict.code, verdict.message].compactMap(\.self).joined(separator: ", ")
            return "\(slot): \(cause)"
        }
    }
}
