import Foundation
import TestSupport
import Testing

/// Ten KBeacons of both generations and two Feasycom beacons, with a file of their passwords and PINs.
private final class SessionTray {
    static let passwords = ["Bench-07", "Tisch-08", "factory-9", "407152", "260871"]
    /// Sessions of KBeacons, of the first and the second generation in turn.
    private static let kBeacons = [
        "password: Bench-07, answers: report, updated_version: V2",
        "password: Bench-07, updated_version: V2",
        "password: Tisch-08, foreign_read: refusal, updated_version: V2",
        "password: Tisch-08, answers: split, piece_size: 30, buttonless_needs_session: true, updated_version: V2",
        "busy_commands: 1, updated_version: V2", "folds_digests: true, tells_mtu: false, updated_version: V2",
        "buttonless_refuses_session: true, updated_version: V2",
        "password: not-what-we-have", "busy_commands: 1000", "capabilities: 0x3FFFF",
    ]
    static let slots = (1...10).map { "K\($0)" } + ["F1", "F2"]

    private static func address(_ index: Int) -> String {
        "DD:34:02:06:00:" + (index < 8 ? "0" : "") + String(2 * index, radix: 16, uppercase: true)
    }

    let air: Tray
    var journal: String { air.folder + "/journal.sqlite" }
    var page: String { air.folder + "/report.html" }
    var capture: String { air.folder + "/air.btsnoop" }

    init() throws {
        let kBeacons = Self.kBeacons.enumerated().map { index, session in
            "  - {kind: kbeacon, address: '\(Self.address(index))', generation: \(index % 2 + 1), key: test, "
                + "flash: instant, application_version: 1, session: {version: V1, \(session)}}"
        }
        let fBeacons = [("40", "407152"), ("21", "260871")].enumerated().map { index, unit in
            "  - {kind: fbeacon, address: '\(Self.address(10 + index))', model: \(unit.0), version: 830, "
                + "flash: instant, updated_version: 840, pin: '\(unit.1)'}"
        }
        air = try Tray((kBeacons + fBeacons).joined(separator: "\n"))
        let units = try Self.slots.enumerated().map { index, slot in
            let firmware =
                index < 10
                ? "firmware: \(BatchBench.package)"
                : "firmware: \(try container(index == 10 ? "BP108N" : "BP102"))"
            return "  - {slot: \(slot), device: '\(Self.address(index))', \(firmware)}"
        }
        _ = try air.write(
            Array("tray: 1\nslots:\n\(units.joined(separator: "\n"))\n".utf8), as: "units.yaml")
        let devices = [
            (0, "Bench-07"), (1, "Bench-07"), (2, "Tisch-08"), (3, "Tisch-08"), (7, "factory-9"),
            (10, "'407152'"), (11, "'260871'"),
        ].map { "  '\(Self.address($0.0))': \($0.1)" }
        let isWritten = FileManager.default.createFile(
            atPath: air.folder + "/secrets.yaml",
            contents: Data("secrets: 1\ndevices:\n\(devices.joined(separator: "\n"))\n".utf8),
            attributes: [.posixPermissions: 0o600])
        #expect(isWritten)
    }

    private func container(_ model: String) throws -> String {
        let path = air.folder + "/\(model).fbu"
        let run = try Program.run([
            "build", "fbeacon", Samples.root + "/firmware-samples/hex/application.hex", path, "--model",
            model,
            "--version-start", "800", "--version-end", "840",
        ])
        #expect(run.status == 0, "\(run.talk)")
        return path
    }

    var arguments: [String] {
        [
            "batch", air.folder + "/units.yaml", "--adapter", air.scenario, "--journal", journal, "--json",
            "--secrets", air.folder + "/secrets.yaml", "--no-golden", "--max-failures", "12", "--report",
            page,
            "--log-level", "trace", "--capture", capture,
        ]
    }
}

@Suite(.timeLimit(.minutes(10)), .programs) struct `A tray of beacons with sessions` {
    @Test func `ends as each can, with versions verified, settings compared, and no password shown`() throws {
        let tray = try SessionTray()
        let run = try Program.run(tray.arguments)
        let outcomes = BatchBench.outcomes(run)
        try #require(!outcomes.isEmpty, "\(run.talk.suffix(2000))")
        let good = ["K1", "K2", "K3", "K4", "K5", "K6", "K7", "F1", "F2"]
        #expect(
            outcomes
                == Dictionary(
                    uniqueKeysWithValues: SessionTray.slots.map { slot in
                        (slot, good.contains(slot) ? "passed" : "failed")
                    }), "\(run.events.filter { $0["event"] as? String == "failed" })")
        func code(_ slot: String) -> String? {
            run.events.last { $0["slot"] as? String == slot && $0["event"] as? String == "failed" }?["code"]
                as? String
        }
        #expect(code("K8") == "password-wrong")
        #expect(code("K9") == "beacon-busy")
        #expect(code("K10") == "no-dfu-on-this-hardware")
        for slot in good {
            let own = run.events.filter { $0["slot"] as? String == slot }
            #expect(own.contains { $0["verified"] as? String == "version" }, "\(slot)")
            let compared = own.last { $0["event"] as? String == "settings-compared" }
            #expect(
                compared?["changed"] as? Int == 0 && compared?["kept"] as? Int ?? 0 > 2, "\(slot): \(own)")
        }
        let files = [tray.page, tray.journal, tray.journal + "-wal"].compactMap {
            FileManager.default.contents(atPath: $0)
        }
        #expect(files.count >= 2)
        for secret in SessionTray.passwords + ["not-what-we-have"] {
            #expect(!run.output.contains(secret) && !run.talk.contains(secret), "\(secret)")
            #expect(files.allSatisfy { $0.range(of: Data(secret.utf8)) == nil }, "\(secret)")
        }
        // A recording has the PINs, and no password; warnings mention both.
        let capture = try #require(FileManager.default.contents(atPath: tray.capture))
        for (secret, isThere) in [
            ("Bench-07", false), ("Tisch-08", false), ("407152", true), ("260871", true),
        ] {
            #expect((capture.range(of: Data(secret.utf8)) != nil) == isThere, "\(secret)")
        }
        for warning in ["capture-has-proof", "capture-has-pin"] {
            #expect(run.events.contains { $0["code"] as? String == warning }, "\(warning)")
        }
    }
}
