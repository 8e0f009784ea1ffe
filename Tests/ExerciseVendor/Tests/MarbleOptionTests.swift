import Foundation
import TestSupport
import Testing

/// The option that Marble declares, as the program offers it.
@Suite(.timeLimit(.minutes(10))) struct `An option of an additional vendor` {
    private static let address = "F0:00:00:00:00:00"

    @Test func `has a section in the help of the program that has the vendor`() throws {
        let help = try Program.run(["flash", "--help"], of: "marble-dfu").output
        #expect(help.contains("\nMARBLE:\n  --keep-windows <windows>"), "\(help)")
        #expect(help.contains("Keep at most this many windows"), "\(help)")
        let other = try Program.run(["flash", "--help"]).output
        #expect(!other.contains("keep-windows"), "\(other)")
    }

    @Test(arguments: [(0, nil), (1, 1024)] as [(Int, Int?)])
    func `changes what the vendor's procedure does`(count: Int, offset: Int?) throws {
        let tray = try Tray("  - {address: '\(Self.address)', kind: marble}", link: "{interval_ms: 30}")
        let path = try tray.write(MarbleSample().bytes, as: "app-1.1.0.marble")
        let words = ["flash", path, "--adapter", tray.scenario, "--device", Self.address, "--json"]
        let killed = try Program.run(words, of: "marble-dfu", signal: (SIGKILL, "progress", 3))
        #expect(killed.status == 128 + SIGKILL)
        let run = try Program.run(words + ["--keep-windows", "\(count)"], of: "marble-dfu")
        #expect(run.status == 0 && run.last["verified"] as? String == "version", "\(run.output)\(run.talk)")
        #expect(run.first("resumed")?["offset"] as? Int == offset, "\(run.output)")
    }

    @Test(arguments: [
        ("300", "The value '300' is invalid for '--keep-windows <windows>'"),
        ("65", "--keep-windows is a number of windows from 0 to 64"),
    ])
    func `is refused with a wrong value`(value: String, words: String) throws {
        let run = try Program.run(
            ["flash", "app.marble", "--device", Self.address, "--keep-windows", value], of: "marble-dfu")
        #expect(run.status == 64 && run.talk.contains(words), "\(run.talk)")
    }

    @Test func `is refused for a file of another vendor`() throws {
        let package = Samples.root + "/firmware-samples/nordic/blinker-1.1.0.zip"
        let run = try Program.run(
            [
                "flash", package, "--device", Self.address, "--adapter", "sim", "--keep-windows", "1",
                "--json",
            ],
            of: "marble-dfu")
        #expect(run.last["code"] as? String == "option-unused", "\(run.output)\(run.talk)")
    }

    @Test(
        arguments: [
            ("marble-dfu", "1", nil), ("marble-dfu", "65", "catalogue-setting-invalid"),
            ("beacon-dfu", "1", "catalogue-invalid"),
        ] as [(String, String, String?)])
    func `can be set in a catalogue`(program: String, value: String, code: String?) throws {
        let text =
            "catalogue: 1\nmodels:\n  - {model: Pebble, kind: marble, flash: {keep_windows: \(value)}}\n"
        let run = try Tool.inFolder { folder in
            try Tool.write(Array(text.utf8), as: "pebble.yaml", in: folder)
            return try Program.run(["catalogue", "check", "--catalogue", folder, "--json"], of: program)
        }
        #expect(run.first("flaw")?["code"] as? String == code, "\(run.output)\(run.talk)")
        #expect(run.status == (code == nil ? 0 : 1), "\(run.output)\(run.talk)")
    }
}
