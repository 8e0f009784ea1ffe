public import Bluetooth

/// Receives hints from the work server, over a connection of its own that is reopened after a loss.
public struct WorkServerListener: Sendable {
    private let settings: PostgresSettings
    private let readiness: any DescriptorReadiness
    private let time: Timekeeper
    /// The time without a hint after which the connection is tested: a half-open connection would be silent forever.
    private let timeout: Duration

    /// Creates a listener that is not connected yet.
    public init(
        _ settings: PostgresSettings, on readiness: any DescriptorReadiness, time: Timekeeper,
        timeout: Duration = .seconds(30)
    ) {
        self.settings = settings
        self.readiness = readiness
        self.time = time
        self.timeout = timeout
    }

    /// Reports hints until the task is cancelled, starting with `listening` after each connection. After a failure it
    /// calls `failed` and waits, longer each time, up to 30 s.
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
