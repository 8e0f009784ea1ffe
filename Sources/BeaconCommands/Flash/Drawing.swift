import Synchronization
import UpdateCore

/// Runs `body` while a task on another thread prints what it reports, so that a slow terminal never slows the
/// radio. An event that shows nothing wakes nobody. Printing ends when `body` does.
func drawing<Value: Sendable>(
    _ renderer: any ProgressRenderer, on console: Console,
    _ body: (@escaping @Sendable (UpdateEvent) -> Void) async throws -> Value
) async throws -> Value {
    let (renderings, source) = AsyncStream.makeStream(of: [Rendering].self)
    let printed = Task(executorPreference: globalConcurrentExecutor) {
        for await batch in renderings {
            for rendering in batch {
                switch rendering {
                case .line(let text): console.talk(text)
                case .bar(let text): console.draw(bar: text)
                case .json(let line): console.event(line)
                }
            }
        }
    }
    let state = SharedRenderer(renderer)
    let result: Result<Value, any Error>
    do {
        result = .success(
            try await body { event in
                let shown = state.render(event)
                if !shown.isEmpty { source.yield(shown) }
            })
    } catch { result = .failure(error) }
    source.finish()
    await printed.value
    console.draw(bar: "")
    return try result.get()
}

/// A renderer that events reach from anywhere.
private final class SharedRenderer: Sendable {
    private let renderer: Mutex<any ProgressRenderer>

    init(_ renderer: any ProgressRenderer) { self.renderer = Mutex(renderer) }

    func render(_ event: UpdateEvent) -> [Rendering] { renderer.withLock { $0.render(event) } }
}
