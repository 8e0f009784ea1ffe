import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .programs) struct `A file in YAML` {
    static let package = Samples.root + "/firmware-samples/nordic/tiny.zip"

    /// 600 bytes that expand to 9^11 values, which a reader has to compare as a mapping's key.
    static let bomb: String = {
        var text = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n"
        for level in 1..<12 {
            let aliases = [String](repeating: "*a\(level - 1)", count: 9).joined(separator: ",")
            text += "a\(level): &a\(level) [\(aliases)]\n"
        }
        return text + "? *a11\n: 1\n"
    }()

    @Test func `that is wrong is reported with the place and a suggestion`() throws {
        let tray = try Tray("  - address: F0:0D:BE:AC:10:00\n    personalty: sdk-17.1")
        let arguments = ["scan", "--adapter", tray.scenario, "--for", "0.1"]
        let run = try Program.run(arguments)
        #expect(run.status == 65)
        #expect(
            run.talk.contains(
                "tray.yaml: line 5, column 5: unknown key 'personalty'; did you mean 'personality'?")
        )
        #expect(run.talk.contains("  5 |     personalty: sdk-17.1\n    |     ^^^^^^^^^^\n"))
        let failed = try Program.run(arguments + ["--json"]).last
        #expect(failed["code"] as? String == "scenario-invalid")
        #expect(failed["line"] as? Int == 5 && failed["column"] as? Int == 5)
    }

    @Test(arguments: ["--rules", "--catalogue", "--profiles", "--adapter"])
    func `that expands without end is refused at once`(option: String) throws {
        let tray = try Tray("  - address: F0:0D:BE:AC:10:00")
        let file = try tray.write(Array(Self.bomb.utf8), as: "bomb.yaml")
        let image = Samples.root + "/firmware-samples/dialog/58x.img"
        let arguments =
            switch option {
            case "--catalogue": ["validate", Self.package, option, tray.folder]
            case "--profiles":
                [
                    "flash", image, "--profile", "a", option, file, "--adapter", "sim", "--device",
                    "name:Tag 6",
                ]
            case "--adapter": ["scan", option, "sim:" + file, "--for", "0.1"]
            default: ["validate", Self.package, option, file]
            }
        let run = try Program.run(arguments)
        #expect(run.status == 65, "\(run.talk)")
        #expect(
            run.talk.contains("bomb.yaml: line 1, column 5: anchors (&) are not supported"), "\(run.talk)")
    }

    @Test func `that is too large is refused`() throws {
        let tray = try Tray("  - address: F0:0D:BE:AC:10:00")
        let file = try tray.write([UInt8](repeating: 0x23, count: 1 << 20 + 1), as: "large.yaml")
        let run = try Program.run(["scan", "--adapter", "sim:" + file, "--for", "0.1"])
        #expect(run.status == 65)
        #expect(run.talk.contains("at most 1048576 allowed"))
    }
}

@Suite(.timeLimit(.minutes(10)), .programs) struct `The saved state of simulated beacons` {
    private func scan(_ tray: Tray) throws -> [String: Any] {
        try Program.run(["scan", "--adapter", tray.scenario, "--for", "0.1", "--json"]).last
    }

    @Test func `is not reported as a bug if it is damaged`() throws {
        let tray = try Tray("  - address: F0:0D:BE:AC:10:00")
        _ = try scan(tray)
        _ = try tray.write(Array("{}".utf8), as: "memory/F00DBEAC1000.json")
        let failed = try scan(tray)
        #expect(failed["code"] as? String == "state-invalid")
        #expect(failed["exit"] as? Int == 65)
    }

    @Test(arguments: ["/nonexistent/a/b", "/dev/null", "/" + String(repeating: "x", count: 300)])
    func `is not reported as a bug if it cannot be created`(folder: String) throws {
        let tray = try Tray("  - address: F0:0D:BE:AC:10:00")
        let yaml = "state: \(folder)\nbeacons: [{address: 'F0:0D:BE:AC:10:00'}]"
        _ = try tray.write(Array(yaml.utf8), as: "tray.yaml")
        let failed = try scan(tray)
        #expect(failed["code"] as? String == "state-unusable")
        #expect(failed["exit"] as? Int == 66)
        let message = try #require(failed["message"] as? String)
        #expect(message.hasPrefix(folder) && message.contains(" cannot be "))
    }
}

@Suite(.timeLimit(.minutes(10)), .programs) struct `A program that may open only` {
    private func flash(descriptors limit: Int) throws -> Program.Run {
        try Program.run(
            [
                "flash", `A file in YAML`.package, "--adapter", "sim", "--device", "F0:0D:BE:AC:01:01",
                "--attempts", "1", "--json",
            ], descriptors: limit)
    }

    /// With 7, which the runtime has open before our first line, any temporary file is one too many: it may crash on a
    /// busy machine.
    @Test(arguments: 8..<24)
    func `that many files reports that before it opens any`(limit: Int) throws {
        let run = try flash(descriptors: limit)
        #expect(run.status == 75, "\(run.status) \(run.talk)")
        #expect(run.last["code"] as? String == "descriptors-exhausted", "\(run.output)")
        #expect((run.last["message"] as? String)?.contains(" \(limit) open files") == true)
        #expect(!run.talk.contains("plug an adapter in"))
    }

    @Test func `24 files flashes a beacon`() throws {
        #expect(try flash(descriptors: 24).status == 0)
    }
}
