package import Bluetooth

/// Receives hints from the work server, over a separate connection, which it opens again after a loss.
package struct WorkServerListener: Sendable {
    private let settings: PostgresSettings
    private let readiness: any DescriptorReadiness
    private let time: Timekeeper
    /// The time without a hint after which the connection is tested, because a half-open connection is silent forever.
    private let timeout: Duration

    package init(
        _ settings: PostgresSettings, on readiness: any DescriptorReadiness, time: Timekeeper,
        timeout: Duration = .seconds(30)
    ) {
        (self.settings, self.readiness, self.time, self.timeout) = (settings, readiness, time, timeout)
    }

    /// Reports hints until the task is cancelled, starting with `listening` on each new connection. After a failure, it
    /// calls `failed` and waits, each time longer, up to 30 s.
    package func listen(
        failed: @Sendable (PostgresError) async -> Void = { _ in },
        _ report: @Sendable (WorkServerHint) async -> Void
    ) async {
        let backoff = Backoff(first: .milliseconds(500), longest: .seconds(30))
        var failures = 0
        while !Task.isCancelled {
            do throws(PostgresError) {
                try await listenOnce {
                    failures = 0
                    await report($0)
                }
            } catch {
                guard !Task.isCancelled else { return }
                await failed(error)
            }
            failures += 1
            do { try await time.sleep(for: backoff.pause(after: failures)) } catch { return }
        }
    }

    private func listenOnce(_ report: (WorkServerHint) async -> Void) async throws(PostgresError) {
        let connection = try await PostgresConnection.open(settings, on: readiness, time: time)
        _ = try await connection.run("LISTEN beacon_dfu", during: "listening")
        await report(.listening)
        while !Task.isCancelled {
            let notifications = try await connection.notifications(within: timeout)
            if notifications.isEmpty { _ = try await connection.run("SELECT 1", during: "listening") }
            for hint in notifications.compactMap(WorkServerHint.init) { await report(hint) }
        }
        await connection.close()
    }
}

/// A hint that something has changed. Hints can be lost: readers have to poll as well.
package enum WorkServerHint: Hashable, Sendable {
    /// Hints arrive from now on; earlier changes have to be queried.
    case listening
    /// The order with this number has changed.
    case order(String)
    /// Results of the order with this number have arrived.
    case results(String)
    /// This version of the catalogue was published or withdrawn.
    case catalogue(Int64)
    /// The file with this SHA-256 was recalled.
    case recall(String)

    /// Whether a station that works on `order` has to react. `results` is for viewers only: if results change the
    /// order, there is also the hint `order`.
    package func concerns(workAt order: String) -> Bool {
        switch self {
        case .order(let number): number == order
        case .results: false
        case .listening, .catalogue, .recall: true
        }
    }

    /// The hint in a notification of the work server; nil for a kind that this program does not know.
    init?(_ payload: String) {
        let parts = payload.split(separator: " ", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return nil }
        switch parts[0] {
        case "order": self = .order(parts[1])
        case "results": self = .results(parts[1])
        case "catalogue":
            guard let version = Int64(parts[1]) else { return nil }
            self = .catalogue(version)
        case "recall": self = .recall(parts[1])
        default: return nil
        }
    }
}
