import Foundation
import TestSupport
import Testing

/// Simulated KBeacons, and a file of passwords.
final class KBeaconBench {
    static let second = "BC:57:29:02:45:9F"
    static let first = "DD:34:02:06:5B:5C"
    static let password = "Bench-07"
    static let factoryPassword = "\"0000000000000000\""

    let tray: Tray
    let secrets: String

    /// `session` adds to the session of the second generation's beacon, `first` to that of the first's.
    init(
        _ session: String = "", first: String = "", entries: String? = nil,
        password: String = KBeaconBench.password,
        mode: Int = 0o600, link: String = "{interval_ms: 2, event_ms: 2}"
    ) throws {
        tray = try Tray(
            """
              - kind: kbeacon
                address: BC:57:29:02:45:9F/public
                bootloader_address: F0:0D:BE:AC:31:00
                name: KBPro_142081
                key: test
                flash: instant
                application_version: 1
                session: {model: KBPro, password: \(password), updated_version: V6.31\(session)}
              - kind: kbeacon
                address: DD:34:02:06:5B:5C
                generation: 1
                name: KBeacon 2
                version: '5.2'
                key: test
                flash: instant
                application_version: 1
                session: {answers: report, piece_size: 40, updated_version: V5.21, buttonless_needs_session: true\(first)}
            """, link: link)
        secrets = tray.folder + "/secrets.yaml"
        let text = entries ?? "devices: {\"\(Self.second)\": \(Self.password)}"
        let isWritten = FileManager.default.createFile(
            atPath: secrets, contents: Data("secrets: 1\n\(text)\n".utf8),
            attributes: [.posixPermissions: mode])
        #expect(isWritten)
    }

    func check() throws -> Program.Run {
        defer { withExtendedLifetime(self) {} }
        return try Program.run(["secrets", "check", secrets, "--json"])
    }

    func run(
        _ arguments: [String], signal: (number: Int32, event: String, count: Int)? = nil
    ) throws -> Program.Run {
        defer { withExtendedLifetime(self) {} }
        return try Program.run(arguments + ["--adapter", tray.scenario, "--json"], signal: signal)
    }

    func run(
        _ command: String, _ device: String = second, _ more: [String] = [],
        signal: (number: Int32, event: String, count: Int)? = nil
    ) throws -> Program.Run {
        try run([command, "--device", device, "--secrets", secrets] + more, signal: signal)
    }
}
