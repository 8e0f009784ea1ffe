import Foundation
import TestSupport
import Testing

/// KBeacons of both generations, and a catalogue imported from lists in KKM's format.
private final class KBeaconShop {
    static let second = "BC:57:29:02:45:9F"
    static let first = "DD:34:02:06:5B:5C"
    static let password = "Bench-07"

    let tray: Tray
    var secrets: String { tray.folder + "/secrets.yaml" }
    var catalogue: String { tray.folder + "/firmware" }

    /// The second generation's beacon reports `model` and has `password`, which is not the one in the secrets file
    /// unless it is left out. `family` replaces what was imported for its model.
    init(
        model: String = "KBPro", password: String = password, hardware: String = "V3.0", family: String? = nil
    ) throws {
        tray = try Tray(
            """
              - kind: kbeacon
                address: \(Self.second)/public
                bootloader_address: F0:0D:BE:AC:31:00
                name: KBPro_142081
                key: test
                flash: instant
                application_version: 1
                session: {model: \(model), password: \(password), updated_version: V6.31}
              - kind: kbeacon
                address: \(Self.first)
                generation: 1
                name: KBeacon 2
                version: '5.2'
                key: test
                flash: instant
                application_version: 1
                session: {updated_version: V5.21}
            """)
        let isWritten = FileManager.default.createFile(
            atPath: secrets,
            contents: Data("secrets: 1\ndevices: {\"\(Self.second)\": \(Self.password)}\n".utf8),
            attributes: [.posixPermissions: 0o600])
        #expect(isWritten)
        try FileManager.default.createDirectory(atPath: catalogue, withIntermediateDirectories: false)
        for name in ["blinker-1.0.0.zip", "blinker-1.1.0.zip"] {
            _ = try tray.write(try Samples.bytes("nordic/" + name), as: "firmware/" + name)
        }
        try list("KBPro", hardware, ["V6.20", "V6.31"], family)
        try list("K11_NRF52XX", "V3.0", ["V5.20", "V5.21"])
    }

    /// Writes KKM's list of a model, and imports it.
    private func list(
        _ model: String, _ hardware: String, _ versions: [String], _ family: String? = nil
    ) throws {
        let list = """
            {"\(hardware)": [
              {"appVersion": "\(versions[0])", "appFileName": "blinker-1.0.0.zip", "note": "First."},
              {"appVersion": "\(versions[1])", "appFileName": "blinker-1.1.0.zip", "note": "Second."}]}
            """
        let path = try tray.write(Array(list.utf8), as: "firmware/\(model).json")
        let imported = try Program.run(["catalogue", "import", path, "--model", model])
        #expect(imported.status == 0, "\(imported.talk)")
        let text = family ?? imported.output
        _ = try tray.write(Array(text.utf8), as: "firmware/\(model).yaml")
    }

    func run(_ arguments: [String]) throws -> Program.Run {
        defer { withExtendedLifetime(self) {} }
        return try Program.run(arguments + ["--adapter", tray.scenario, "--json"])
    }

    func flash(_ device: String = second, _ more: [String] = []) throws -> Program.Run {
        try run(
            [
                "flash", "--from-catalogue", "--catalogue", catalogue, "--device", device, "--secrets",
                secrets, "--scan-for", "2",
            ] + more)
    }
}

@Suite(.timeLimit(.minutes(10)), .programs) struct `KBeacons and KKM's lists` {
    @Test func `make a catalogue without findings`() throws {
        let shop = try KBeaconShop()
        let check = try Program.run(["catalogue", "check", "--catalogue", shop.catalogue, "--json"])
        #expect(check.status == 0, "\(check.output)")
        #expect(check.last["models"] as? Int == 2 && check.last["flaws"] as? Int == 0)
    }

    @Test(arguments: [(KBeaconShop.second, "6.20", "6.31"), (KBeaconShop.first, "5.2", "5.21")])
    func `select a release by the session, and verify it there`(
        device: String, before: String, after: String
    ) throws {
        let shop = try KBeaconShop()
        let run = try shop.flash(device)
        #expect(run.status == 0, "\(run.output)\(run.talk)")
        #expect(run.first("match")?["outcome"] as? String == "update-available")
        #expect(run.first("match")?["version"] as? String == "V" + after)
        #expect(run.last["verified"] as? String == "version", "\(run.last)")
        #expect(run.last["firmware_revision"] as? String == after)
        let again = try shop.flash(device)
        #expect(again.status == 2 && again.last["code"] as? String == "up-to-date", "\(again.output)")
    }

    @Test func `show in a scan which beacons have an update, with their passwords`() throws {
        let shop = try KBeaconShop()
        let scan = ["scan", "--catalogue", shop.catalogue, "--connect"]
        let run = try shop.run(scan + ["--secrets", shop.secrets])
        let updates = Dictionary(
            run.events.filter { $0["event"] as? String == "beacon" }.map {
                ($0["address"] as? String ?? "", $0["update"] as? [String: Any])
            }
        ) { first, _ in first }
        #expect(updates[KBeaconShop.second]??["version"] as? String == "V6.31", "\(run.output)")
        #expect(updates[KBeaconShop.first]??["version"] as? String == "V5.21")
        let beacon = run.events.first { $0["address"] as? String == KBeaconShop.second }
        let session = (beacon?["read"] as? [String: Any])?["session"] as? [String: Any]
        #expect(session?["model"] as? String == "KBPro" && session?["hardware"] as? String == "3.0")
        // Without its password it stays unknown, and a warning says why.
        let without = try shop.run(scan)
        #expect(without.events.contains { $0["code"] as? String == "password-wrong" }, "\(without.output)")
    }

    @Test func `select nothing for other hardware, another model, or without the password`() throws {
        let other = try KBeaconShop(hardware: "V4.0").flash()
        #expect(other.status == 1 && other.last["code"] as? String == "no-firmware", "\(other.output)")
        let model = try KBeaconShop(model: "KBPro-2").flash()
        #expect(model.last["code"] as? String == "not-listed", "\(model.output)")
        let shop = try KBeaconShop(password: "another-one")
        let wrong = try shop.flash()
        #expect(wrong.status == 1 && wrong.last["code"] as? String == "password-wrong", "\(wrong.output)")
        #expect(!wrong.names.contains("started"))
    }

    /// The advertised version is read after the update, not that of the session.
    @Test func `verify a release by the advertised version if the family reports it so`() throws {
        let sum = "2af350cb9bda59eee6f4cc74bcbf1d5cd3fbf27143a3a9fc2b476fda2826ae5a"
        func family(_ version: String) -> String {
            """
            catalogue: 1
            models:
              - model: KBPro
                kind: nordic-secure
                recognised_by: {maker: kkm, model: KBPro}
                versions: dotted
                version_from: advertising
                firmware:
                  - {version: "\(version)", package_version: 2, file: blinker-1.1.0.zip, sha256: \(sum)}
            """
        }
        let run = try KBeaconShop(family: family("6.31")).flash()
        #expect(run.status == 0 && run.last["verified"] as? String == "version", "\(run.output)")
        let other = try KBeaconShop(family: family("6.40")).flash()
        #expect(other.status == 1 && other.last["code"] as? String == "version-mismatch", "\(other.output)")
    }

    @Test func `verify by the session's version without a catalogue and without options`() throws {
        let shop = try KBeaconShop()
        let package = Samples.root + "/firmware-samples/nordic/blinker-1.1.0.zip"
        let run = try shop.run(["flash", package, "--device", KBeaconShop.second, "--secrets", shop.secrets])
        #expect(run.status == 0 && run.last["verified"] as? String == "version", "\(run.last)")
        #expect(run.last["version_from"] as? String == "6.20")
        // The same firmware again verifies nothing new.
        let again = try shop.run([
            "flash", package, "--device", KBeaconShop.second, "--secrets", shop.secrets, "--force",
            "same-version",
        ])
        #expect(again.last["verified"] as? String != "version", "\(again.last)")
    }

    @Test func `form a tray that passes, a golden unit first`() throws {
        let shop = try KBeaconShop()
        let units = try shop.tray.write(
            Array(
                """
                tray: 1
                catalogue: {folder: firmware}
                slots:
                  - {slot: A1, device: '\(KBeaconShop.second)/public'}
                  - {slot: A2, device: '\(KBeaconShop.first)'}
                """.utf8), as: "units.yaml")
        let run = try shop.run([
            "batch", units, "--secrets", shop.secrets, "--journal", shop.tray.folder + "/journal.sqlite",
        ])
        #expect(run.status == 0, "\(run.output)")
        let finished = run.events.filter { $0["event"] as? String == "finished" }
        #expect(finished.compactMap { $0["outcome"] as? String } == ["passed", "passed"], "\(run.output)")
        #expect(finished.allSatisfy { $0["verified"] as? String == "version" }, "\(run.output)")
        #expect(
            Set(finished.compactMap { $0["version_from"] as? String }) == ["6.20", "5.2"], "\(run.output)")
    }
}
