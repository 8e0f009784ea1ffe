import Foundation
import TestSupport
import Testing

/// `marble-dfu` is beacon-dfu with an additional vendor; nothing in the program itself names Marble.
@Suite(.timeLimit(.minutes(10))) struct `The program with an additional vendor` {
    private static let address = "F0:00:00:00:00:00"

    private static func tray(
        _ more: String = "", link: String = "{interval_ms: 2, event_ms: 2}"
    ) throws -> Tray {
        try Tray("  - {address: '\(address)', kind: marble\(more)}", link: link)
    }

    @Test func `shows the content of a file`() throws {
        let tray = try Self.tray()
        let path = try tray.write(MarbleSample().bytes, as: "app.marble")
        let run = try tray.marble(["inspect", path, "--json"])
        #expect(run.status == 0, "\(run.talk)")
        #expect(run.last["kind"] as? String == "marble" && run.last["version"] as? String == "1.1.0")
        #expect(run.last["board"] as? Int == 3 && run.last["built"] as? String == "2026-01-01T00:00:00Z")
        let text = try tray.marble(["inspect", path]).output
        #expect(
            text.contains("Marble firmware, 9.0 kB") && text.contains("  version         1.1.0"), "\(text)")
        #expect(
            try tray.marble(["inspect", path, "--json"], of: "beacon-dfu").last["kind"] as? String
                == "unknown")
    }

    @Test(arguments: [
        (30, "file-truncated"), (9, "header-crc-mismatch"), (4, "unsupported-container-version"),
    ])
    func `reports the findings of a file`(_ place: Int, code: String) throws {
        var bytes = MarbleSample().bytes
        if code == "file-truncated" { bytes = Array(bytes[..<place]) } else { bytes[place] ^= 0x55 }
        let tray = try Self.tray()
        let run = try tray.marble(["inspect", try tray.write(bytes, as: "bad.marble"), "--json"])
        #expect(run.status == 65 && run.last["code"] as? String == code, "\(run.output)")
    }

    private static func findings(
        _ file: MarbleSample, _ name: String, _ more: [String] = []
    ) throws -> [String] {
        let tray = try tray()
        let run = try tray.marble(["validate", try tray.write(file.bytes, as: name), "--json"] + more)
        let findings = run.first("validated")?["findings"] as? [[String: Any]] ?? []
        return findings.compactMap { $0["id"] as? String }
    }

    @Test func `checks a file against rules, a target and its name`() throws {
        let file = MarbleSample()
        #expect(try Self.findings(file, "app-1.1.0.marble", ["--target", "board=3"]) == [])
        #expect(
            try Self.findings(file, "app-1.1.0.marble", ["--target", "board=4"])
                == ["hardware-version-mismatch"])
        #expect(
            try Self.findings(file, "app-1.2.0.bin").sorted() == ["file-name-extension", "file-name-version"])
        #expect(try Self.findings(MarbleSample(board: 0), "app.marble") == ["board-open"])
        let rules = try Program.run(["validate", "--list-rules"], of: "marble-dfu").output
        #expect(rules.contains("board-open"))
        let words = try Program.run(["explain", "board-open"], of: "marble-dfu").output
        #expect(words.contains("names no board"), "\(words)")
    }

    @Test func `recognises a release by its file extension`() throws {
        let tray = try Self.tray()
        _ = try tray.write(Array("not firmware, whatever it is called\n".utf8), as: "app.marble")
        let others = try tray.marble(["validate", tray.folder, "--json"], of: "beacon-dfu")
        #expect(others.first("validated") == nil, "\(others.output)")
        let run = try tray.marble(["validate", tray.folder, "--json"])
        #expect(run.status == 1 && run.first("validated")?["kind"] as? String == "unknown", "\(run.output)")
    }

    @Test func `hears and reads its beacons`() throws {
        let tray = try Self.tray(", name: Pebble")
        let scan = try tray.marble(["scan", "--adapter", tray.scenario, "--scan-for", "0.5", "--json"])
        let heard = try #require(scan.first("beacon"), "\(scan.output)\(scan.talk)")
        #expect(heard["name"] as? String == "Pebble" && heard["vendor"] as? String == "marble", "\(heard)")
        let info = try tray.marble([
            "info", "--adapter", tray.scenario, "--device", Self.address, "--scan-for", "0.5", "--json",
        ])
        let updates = try #require(info.last["update_services"] as? [[String: Any]])
        #expect(updates.map { $0["kind"] as? String } == ["marble"])
        let services = try #require(info.last["services"] as? [[String: Any]])
        let names = (services.last?["characteristics"] as? [[String: Any]])?.map { $0["name"] as? String }
        #expect(names == ["Marble Header", "Marble Data", "Marble Command", "Marble State"])
    }

    @Test func `updates one to a new version, once`() throws {
        let tray = try Self.tray()
        let first = try tray.flashed(with: MarbleSample(), Self.address)
        #expect(first.status == 0, "\(first.output)\(first.talk)")
        #expect(first.last["verified"] as? String == "version")
        #expect(first.last["version_from"] as? String == "1.0.0")
        #expect(first.last["firmware_revision"] as? String == "1.1.0")
        #expect(first.last["retries"] as? Int == 0)
        let again = try tray.flashed(with: MarbleSample(), Self.address)
        #expect(again.status == 2 && again.last["code"] as? String == "same-version", "\(again.output)")
        let forced = try tray.flashed(with: MarbleSample(), Self.address, ["--force", "same-version"])
        #expect(forced.status == 0, "\(forced.output)\(forced.talk)")
        let next = try tray.flashed(with: MarbleSample(version: "1.2.0"), Self.address)
        #expect(next.last["verified"] as? String == "version", "\(next.output)")
    }

    @Test(arguments: [
        "cut_after_packet: 60", "lose_packet: 30", "power_loss_after_packet: 60", "lose_notification: 3",
        "double_notification: 3",
    ])
    func `resumes where the device is`(fault: String) throws {
        let tray = try Self.tray(", faults: [{\(fault)}]")
        let run = try tray.flashed(with: MarbleSample(), Self.address)
        #expect(run.status == 0, "\(run.output)\(run.talk)")
        #expect(run.last["verified"] as? String == "version")
        let resumed = run.first("resumed")?["offset"] as? Int
        let isNewLink = fault.hasPrefix("cut") || fault.hasPrefix("power")
        #expect(!isNewLink || resumed ?? 0 > 0, "\(run.output)")
    }

    @Test func `resumes after it was killed`() throws {
        let tray = try Self.tray(link: "{interval_ms: 30}")
        let killed = try tray.flashed(with: MarbleSample(), Self.address, signal: (SIGKILL, "progress", 3))
        #expect(killed.status == 128 + SIGKILL)
        let run = try tray.flashed(with: MarbleSample(), Self.address)
        #expect(run.status == 0, "\(run.output)\(run.talk)")
        #expect(run.first("resumed")?["offset"] as? Int ?? 0 > 0, "\(run.output)")
    }

    @Test func `refuses another board's file, and changes nothing`() throws {
        let tray = try Self.tray(", board: 4")
        let run = try tray.flashed(with: MarbleSample(), Self.address)
        #expect(
            run.status == 1 && run.last["code"] as? String == "hardware-version-mismatch", "\(run.output)")
        #expect(run.last["device_state"] is NSNull || run.last["device_state"] == nil, "\(run.output)")
    }

    @Test func `refuses options of other vendors, and files for other beacons`() throws {
        let tray = try Self.tray()
        let options = try tray.flashed(with: MarbleSample(), Self.address, ["--prn", "8"])
        #expect(options.last["code"] as? String == "option-unused")
        let package = Samples.root + "/firmware-samples/nordic/blinker-1.1.0.zip"
        let run = try tray.marble([
            "flash", package, "--adapter", tray.scenario, "--device", Self.address, "--json",
        ])
        #expect(run.last["code"] as? String == "wrong-device", "\(run.output)")
    }

    @Test func `names the kinds that scenarios may have`() throws {
        let tray = try Tray("  - {address: '\(Self.address)', kind: marbel}")
        let run = try tray.flashed(with: MarbleSample(), Self.address)
        #expect(run.last["code"] as? String == "scenario-invalid")
        #expect((run.last["message"] as? String)?.contains("marble") == true, "\(run.output)")
    }
}

extension Tray {
    /// Runs a command with this tray.
    fileprivate func marble(
        _ words: [String], of name: String = "marble-dfu",
        signal: (number: Int32, event: String, count: Int)? = nil
    ) throws -> Program.Run {
        try Program.run(words, of: name, signal: signal)
    }

    /// Updates its beacon at `address`.
    fileprivate func flashed(
        with file: MarbleSample, _ address: String, _ more: [String] = [],
        signal: (number: Int32, event: String, count: Int)? = nil
    ) throws -> Program.Run {
        let path = try write(file.bytes, as: "app-\(file.version).marble")
        return try marble(
            ["flash", path, "--adapter", scenario, "--device", address, "--json"] + more, signal: signal)
    }
}
