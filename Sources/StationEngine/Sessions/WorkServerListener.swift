public import PacketSockets
public import Postgres
public import Timing

/// Hints from the engine, over a connection of their own that comes back.
public struct WorkServerListener: Sendable {
    private let settings: PostgresSettings
    private let readiness: any DescriptorReadiness
    private let time: Timekeeper
    /// After so long without a hint the connection is tried: a half-open one says nothing for ever.
    private let timeout: Duration

    /// A listener that is not connected yet.
    public init(
        _ settings: PostgresSettings, on readiness: any DescriptorReadiness, time: Timekeeper,
        timeout: Duration = .seconds(30)
    ) {
        self.settings = settings
        self.readiness = readiness
        self.time = time
        self.timeout = timeout
    }

    /// Tells hints until the task is cancelled, beginning with `listening` after each connecting. Failures only make it wait, longer
    /// each time, up to 30 s: `failed` is told of each.
    public func listen(
        failed: @Sendable (PostgresError) async -> Void = { _ in },
        _ tell: @Sendable (WorkServerHint) async -> Void
    ) async {
        var pause = Duration.milliseconds(500)
        while !Task.isCancelled {
            do throws(PostgresError) {
                try await listenOnce {
                    pause = .milliseconds(500)
                    await tell($0)
                }
            } catch {
                guard !Task.isCancelled else { return }
                await failed(error)
            }
            do { try await time.sleep(for: pause) } catch { return }
            pause = min(pause * 2, .seconds(30))
        }
    }

    private func listenOnce(_ tell: (WorkServerHint) async -> Void) async throws(PostgresError) {
        let connection = try await PostgresConnection.open(settings, on: readiness, time: time)
        _ = try await connection.run("LISTEN beacon_dfu", during: "listening")
        await tell(.listening)
        while !Task.isCancelled {
            let news = try await connection.notifications(within: timeout)
            if news.isEmpty { _ = try await connection.run("SELECT 1", during: "listening") }
            for hint in news.compactMap({ WorkServerHint($0.payload) }) { await tell(hint) }
        }
        await connection.close()
    }
}
