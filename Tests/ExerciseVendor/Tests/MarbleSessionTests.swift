import Foundation
import TestSupport
import Testing

/// A Marble beacon in a scenario, and a file of secrets.
private struct MarbleBench {
    static let address = "F0:00:00:00:00:00"
    let tray: Tray

    init(_ more: String = "") throws {
        tray = try Tray("  - {address: '\(Self.address)', kind: marble\(more)}")
    }

    func run(_ words: [String]) throws -> Program.Run {
        defer { withExtendedLifetime(tray) {} }
        return try Program.run(
            words + ["--adapter", tray.scenario, "--device", Self.address], of: "marble-dfu")
    }

    func config(_ verb: String, _ text: String, _ more: [String] = []) throws -> Program.Run {
        let path = try tray.write(Array("settings: 1\n\(text)\n".utf8), as: "settings.yaml")
        return try run(["config", verb, path, "--json"] + more)
    }

    func secrets(_ text: String) throws -> String {
        let path = tray.folder + "/secrets.yaml"
        let isWritten = FileManager.default.createFile(
            atPath: path, contents: Data("secrets: 1\n\(text)\n".utf8),
            attributes: [.posixPermissions: 0o600])
        #expect(isWritten)
        return path
    }
}

@Suite(.timeLimit(.minutes(10))) struct `The sessions of an additional vendor` {
    @Test func `show what a beacon reports`() throws {
        let run = try MarbleBench().run(["info", "--json"])
        let session = try #require(run.last["session"] as? [String: Any], "\(run.output)\(run.talk)")
        #expect(session["kind"] as? String == "marble" && session["model"] as? String == "Pebble-3")
        #expect((session["settings"] as? [String: Any])?["shine_s"] as? Int == 10)
        let text = try MarbleBench().run(["info"]).output
        #expect(text.contains("  session       Marble, PIN accepted\n"), "\(text)")
    }

    @Test func `read, compare and write a setting, which stays`() throws {
        let bench = try MarbleBench()
        let read = try bench.run(["config", "read"])
        #expect(read.output == "settings: 1\nmaker: marble\nshine_s: 10\n", "\(read.output)\(read.talk)")
        let wanted = "maker: marble\nshine_s: 25"
        let before = try bench.config("diff", wanted)
        #expect(before.status == 1 && before.last["code"] as? String == "settings-differ", "\(before.output)")
        let write = try bench.config("write", wanted)
        let changes = try #require(write.last["changes"] as? [[String: Any]], "\(write.output)\(write.talk)")
        #expect(changes.map { $0["found"] as? Int } == [10] && changes.map { $0["wanted"] as? Int } == [25])
        #expect(try bench.config("diff", wanted).status == 0)
        #expect(try bench.config("write", wanted).status == 2)
    }

    @Test(arguments: [
        ("maker: marble\nshine_s: 61", "setting-out-of-range"),
        ("maker: marble\nshine: 6", "settings-invalid"),
        ("maker: orange\nmajor: 7", "settings-for-others"),
    ])
    func `refuse wrong settings`(text: String, code: String) throws {
        let run = try MarbleBench().config("write", text, ["--wait", "5"])
        #expect(run.last["code"] as? String == code, "\(run.output)")
    }

    @Test func `report a refusal that only this vendor has`() throws {
        let bench = try MarbleBench(", sealed: true")
        let run = try bench.config("write", "maker: marble\nshine_s: 25")
        #expect(run.status == 1 && run.last["code"] as? String == "beacon-sealed", "\(run.output)")
        #expect(try bench.config("diff", "maker: marble\nshine_s: 10").status == 0)
        let words = try Program.run(["explain", "beacon-sealed"], of: "marble-dfu").output
        #expect(words.contains("sealed in the factory"), "\(words)")
    }

    @Test func `need the PIN of a beacon that has another one than the factory's`() throws {
        let bench = try MarbleBench(", pin: '1234'")
        let without = try bench.run(["config", "read", "--json"])
        #expect(
            without.status == 1 && without.last["code"] as? String == "password-wrong", "\(without.output)")
        let secrets = try bench.secrets("vendors: {marble: '1234'}")
        let read = try bench.run(["config", "read", "--secrets", secrets])
        #expect(read.status == 0 && read.output.contains("shine_s: 10\n"), "\(read.output)\(read.talk)")
        let capture = bench.tray.folder + "/pin.btsnoop"
        let recorded = try bench.run([
            "config", "read", "--secrets", secrets, "--capture", capture, "--json",
        ])
        #expect(recorded.output.contains("capture-has-pin"), "\(recorded.output)")
    }

    @Test func `have rules for the file of secrets`() throws {
        let bench = try MarbleBench()
        let path = try bench.secrets("vendors: {marble: '12345', kkm: '12345678'}")
        let run = try Program.run(["secrets", "check", path, "--json"], of: "marble-dfu")
        let flaws = run.events.filter { $0["event"] as? String == "secret" }.map { $0["flaw"] as? String }
        #expect(flaws == ["a Marble beacon's PIN has four digits", nil], "\(run.output)")
        let other = try Program.run(["secrets", "check", path, "--json"])
        #expect(other.last["code"] as? String == "secrets-invalid", "\(other.output)")
    }
}
