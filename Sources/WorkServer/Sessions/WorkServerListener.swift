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
        _ tell: @Sendable (WorkServerHint) async -> Void
    ) async {
        let backoff = Backoff(first: .milliseconds(500), longest: .seconds(30))
        var failures = 0
        while !Task.isCancelled {
            do throws(PostgresError) {
                try await listenOnce {
                    failures = 0
                    await tell($0)
                }
            } catch {
                guard !Task.isCancelled else { return }
                await failed(error)
            }
            failures += 1
            do { try await time.sleep(for: backoff.pause(after: failures)) } catch { return }
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

/// The roles for each function and view of the work server, for error messages.
enum WorkServerRights {
    typealias Role = WorkServerSurvey.Role

    /// The roles that may run a function or read a view, from the schema's grants, whose keywords are in upper case.
    static let roles: [String: [Role]] = {
        var roles: [String: [Role]] = [:]
        for grant in WorkServerSchema.grants.split(separator: ";") {
            let words = grant.split { $0 == " " || $0 == "," || $0 == "\n" }
            guard let to = words.lastIndex(of: "TO"), !words.contains("USAGE") else { continue }
            let own = words[to...].compactMap { Role(rawValue: String($0.dropFirst("beacon_dfu_".count))) }
            for name in words[..<to] where name == name.lowercased() {
                roles[String(name), default: []] += own
            }
        }
        return roles.mapValues { own in Role.allCases.filter(own.contains) }
    }()

    /// Advice after a denied access. The server's `message`, in any language, contains the name of the function or
    /// view; the advice names the roles that may use it.
    static func nextStep(after message: String) -> String {
        let words = message.split { !($0.isLetter || $0 == "_") }.map(String.init)
        guard let needed = words.lazy.compactMap({ roles[$0] }).first else {
            return "ask the database administrator to grant the login one of the roles beacon_dfu_…"
        }
        let names = needed.map { "beacon_dfu_" + $0.rawValue }
        let all =
            names.count == 1
            ? names[0] : names.dropLast().joined(separator: ", ") + " or " + names[names.count - 1]
        return
            "this needs the role \(all): ask a user who has it, or have the database administrator grant it to you"
    }
}
