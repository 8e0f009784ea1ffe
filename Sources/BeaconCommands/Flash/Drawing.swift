import UpdateCore

/// Runs `body` while a task on another thread draws what it reports, so that a slow terminal never slows the
/// radio. Drawing ends when `body` does.
func drawing<Value: Sendable>(
    _ renderer: any ProgressRenderer, on console: Console,
    _ body: (@escaping @Sendable (UpdateEvent) -> Void) async throws -> Value
) async throws -> Value {
    let (events, source) = AsyncStream.makeStream(of: UpdateEvent.self)
    let drawn = Task(executorPreference: globalConcurrentExecutor) {
        var renderer = renderer
        for await event in events {
            for rendering in renderer.render(event) {
                switch rendering {
                case .line(let text): console.talk(text)
                case .bar(let text): console.draw(bar: text)
                case .json(let line): console.event(line)
                }
            }
        }
    }
    let result: Result<Value, any Error>
    do { result = .success(try await body { source.yield($0) }) } catch { result = .failure(error) }
    source.finish()
    await drawn.value
    console.draw(bar: "")
    return try result.get()
}
