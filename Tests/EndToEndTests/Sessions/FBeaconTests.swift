import Foundation
import TestSupport
import Testing

/// Simulated Feasycom beacons, a container for each, and a file of PINs.
private final class FBeaconBench {
    static let staying = "DD:34:02:06:5B:5C"
    static let reconnecting = "DD:34:02:06:5B:5D"
    static let pin = "407152"

    let tray: Tray
    let secrets: String

    /// `more` are further keys of both beacons.
    init(_ more: String = "", entries: String? = nil, link: String = "{interval_ms: 2, event_ms: 2}") throws {
        tray = try Tray(
            """
              - {kind: fbeacon, address: "\(Self.staying)", model: 40, version: 830,
                 flash: instant, updated_version: 840, pin: '\(Self.pin)'\(more)}
              - {kind: fbeacon, address: "\(Self.reconnecting)", model: 21, version: 830, flash: instant,
                 updated_version: 840\(more)}
            """, link: link)
        secrets = tray.folder + "/secrets.yaml"
        let text = entries ?? "devices: {\"\(Self.staying)\": '\(Self.pin)'}"
        let isWritten = FileManager.default.createFile(
            atPath: secrets, contents: Data("secrets: 1\n\(text)\n".utf8),
            attributes: [.posixPermissions: 0o600])
        #expect(isWritten)
    }

    func container(_ model: String, _ more: [String] = []) throws -> String {
        let path = tray.folder + "/\(model).fbu"
        let run = try Program.run(
            [
                "build", "fbeacon", Samples.root + "/firmware-samples/hex/application.hex", path, "--model",
                model,
                "--version-start", "800", "--version-end", "840",
            ] + more)
        #expect(run.status == 0, "\(run.talk)")
        return path
    }

    func run(
        _ arguments: [String], signal: (number: Int32, event: String, count: Int)? = nil
    ) throws -> Program.Run {
        defer { withExtendedLifetime(self) {} }
        return try Program.run(
            arguments + ["--adapter", tray.scenario, "--json", "--secrets", secrets], signal: signal)
    }

    func flash(_ device: String, _ more: [String] = [], building: [String] = []) throws -> Program.Run {
        let path = try container(device == Self.staying ? "BP108N" : "BP102", building)
        return try run(["flash", path, "--device", device] + more)
    }
}

@Suite(.timeLimit(.minutes(10)), .programs) struct `The program's sessions with Feasycom beacons` {
    @Test(arguments: [FBeaconBench.staying, FBeaconBench.reconnecting]) func `update them, and verify it`(
        device: String
    ) throws {
        let run = try FBeaconBench().flash(device)
        #expect(run.status == 0, "\(run.talk)")
        #expect(
            run.last["verified"] as? String == "version" && run.last["firmware_revision"] as? String == "840")
    }

    @Test func `report a repeated transfer as an event, not in the log`() throws {
        let run = try FBeaconBench(", faults: [{cancel_at_packet: 1}]").flash(FBeaconBench.staying)
        #expect(run.status == 0, "\(run.talk)")
        #expect(run.first("retry")?["reason"] as? String == "transfer-cancelled")
        #expect(!run.talk.contains("trying a new link"), "\(run.talk)")
    }

    @Test func `leave beacons alone that only the vendor can update`() throws {
        for more in [[], ["--restore-digit", "1"], ["--force", "same-version"]] {
            let run = try FBeaconBench(", open: false").flash(FBeaconBench.reconnecting, more)
            #expect(run.status == 1 && run.last["code"] as? String == "not-an-open-fbeacon", "\(run.last)")
            #expect(run.last["device_state"] is NSNull)
        }
    }

    @Test(
        arguments: [
            (", restoring_digit: 1", [], 0), (", restoring_digit: 0", [], 0),
            ("", ["--restore-digit", "1"], 0), ("", [], 1),
        ] as [(String, [String], Int32)]) func `restore settings on request if the digit is known`(
            more: String, options: [String], status: Int32
        ) throws
    {
        let run = try FBeaconBench(more).flash(
            FBeaconBench.reconnecting, options, building: ["--restore-defaults"])
        #expect(run.status == status, "\(run.talk)")
        if status == 1 { #expect(run.last["code"] as? String == "restore-digit-unknown") }
    }

    @Test func `never send a wrong PIN a second time`() throws {
        let bench = try FBeaconBench(entries: "vendors: {feasycom: '111111'}")
        let run = try bench.flash(FBeaconBench.staying)
        #expect(run.status == 1 && run.last["code"] as? String == "password-wrong", "\(run.last)")
        #expect(run.last["device_state"] is NSNull)
        let word = try FBeaconBench(entries: "vendors: {feasycom: secret}").flash(FBeaconBench.staying)
        #expect(word.last["code"] as? String == "password-wrong")
        let none = try FBeaconBench(entries: "vendors: {kkm: 12345678}").flash(FBeaconBench.staying)
        #expect(none.last["code"] as? String == "password-missing", "\(none.last)")
        #expect(none.last["device_state"] is NSNull)
    }

    @Test func `report a busy beacon and one of another model`() throws {
        let busy = try FBeaconBench(", busy: true").flash(FBeaconBench.staying)
        #expect(busy.last["code"] as? String == "beacon-busy", "\(busy.last)")
        let bench = try FBeaconBench()
        let path = try bench.container("BP103")
        let other = try bench.run(["flash", path, "--device", FBeaconBench.reconnecting])
        #expect(other.status == 1 && other.last["code"] as? String == "wrong-device", "\(other.last)")
    }

    @Test func `skip beacons that already have the version`() throws {
        let bench = try FBeaconBench()
        let path = try bench.container("BP102", ["--version-end", "830"])
        let run = try bench.run(["flash", path, "--device", FBeaconBench.reconnecting])
        #expect(run.status == 2 && run.last["code"] as? String == "same-version", "\(run.last)")
    }

    @Test func `write settings, which stay`() throws {
        let bench = try FBeaconBench()
        func config(_ verb: String, _ text: String, _ more: [String] = []) throws -> Program.Run {
            let path = try bench.tray.write(Array(text.utf8), as: "settings.yaml")
            return try bench.run(["config", verb, path, "--device", FBeaconBench.staying] + more)
        }
        let wanted = "settings: 1\nmaker: feasycom\nNAME: Shelf 7\nADVIN: 500\n"
        #expect(try config("diff", wanted).last["code"] as? String == "settings-differ")
        let write = try config("write", wanted)
        #expect(write.status == 0, "\(write.last)")
        let changes = try #require(write.last["changes"] as? [[String: Any]])
        #expect(changes.map { $0["setting"] as? String } == ["NAME", "ADVIN"])
        #expect(try config("write", wanted).status == 2)
        let read = try bench.run(["config", "read", "--device", FBeaconBench.staying])
        let values = try #require(read.last["values"] as? [String: Any])
        #expect(values["NAME"] as? String == "Shelf 7" && values["ADVIN"] as? Int == 500)
        let other = try config("write", "settings: 1\nmaker: kkm\ngeneration: 2\nname: B\n")
        #expect(other.status == 1 && other.last["code"] as? String == "settings-for-others", "\(other.last)")
    }

    /// One program writes the broadcasts, another one receives them, and the saved file restores them.
    @Test func `make beacons advertise the given broadcasts`() throws {
        let bench = try FBeaconBench()
        let device = ["--device", FBeaconBench.staying]
        let read = try Program.run(
            ["config", "read", "--adapter", bench.tray.scenario, "--secrets", bench.secrets] + device)
        #expect(read.status == 0, "\(read.talk)")
        let backup = try bench.tray.write(Array(read.output.utf8), as: "backup.yaml")
        func heard() throws -> [String] {
            let run = try Program.run([
                "scan", "--adapter", bench.tray.scenario, "--for", "4", "--json", "--filter",
                "address=\(FBeaconBench.staying)",
            ])
            return try #require(run.first("beacon")?["identities"] as? [String])
        }
        let before = try heard()
        #expect(before.count == 1 && before.first?.hasPrefix("ibeacon:E2C56DB5") == true, "\(before)")
        let wanted = try bench.tray.write(
            Array(
                """
                settings: 1
                maker: feasycom
                BADVDATA[0]: 0201061AFF4C000215FDA50693A4E24FB1AFCFC6EB0764782500070009FD,1
                BADVDATA[4]: 0201060303AAFE1716AAFE00EB001122334455667788990000000000070000,1
                """.utf8), as: "wanted.yaml")
        let write = try bench.run(["config", "write", wanted] + device)
        #expect(write.status == 0 && (write.last["changes"] as? [Any])?.count == 2, "\(write.last)")
        #expect(
            try heard().sorted() == [
                "eddystone:00112233445566778899/000000000007",
                "ibeacon:FDA50693-A4E2-4FB1-AFCF-C6EB07647825/7/9",
            ])
        let back = try bench.run(["config", "write", backup] + device)
        #expect(back.status == 0 && (back.last["changes"] as? [Any])?.count == 2, "\(back.last)")
        #expect(try heard() == before)
        let none = try FBeaconBench(", broadcasts: 0").run(["config", "write", wanted] + device)
        #expect(none.status == 1 && none.last["code"] as? String == "refused-by-device", "\(none.last)")
    }

    @Test(
        arguments: [
            (", features: [led]", [], 0), (", features: [led]", ["--beep"], 1),
            (", features: [led]", ["--led-on", "100", "--led-off", "900"], 1),
            (", features: [buzzer]", [], 0),
            (", features: [buzzer]", ["--beep"], 0), (", features: [button]", [], 1),
        ] as [(String, [String], Int32)])
    func `make beacons blink or beep with what they have`(more: String, options: [String], status: Int32)
        throws
    {
        let bench = try FBeaconBench(more)
        let run = try bench.run(["blink", "--device", FBeaconBench.staying, "--for", "0.2"] + options)
        #expect(run.status == status, "\(run.talk)")
        #expect(status == 0 || run.last["code"] as? String == "not-supported", "\(run.last)")
    }

    @Test(
        arguments: [
            ("", 0), (", restore_answer: silent", 0), (", restore_answer: refused", 1),
        ] as [(String, Int32)])
    func `restore settings, with a warning that this is untested`(more: String, status: Int32) throws {
        let bench = try FBeaconBench(more)
        let path = try bench.tray.write(
            Array("settings: 1\nmaker: feasycom\nNAME: Shelf 7\nADVIN: 500\n".utf8), as: "settings.yaml")
        let write = try bench.run(["config", "write", path, "--device", FBeaconBench.staying])
        #expect(write.status == 0, "\(write.last)")
        let line = ["config", "reset", "--device", FBeaconBench.staying]
        let asked = try bench.run(line)
        #expect(asked.status == 64 && asked.last["code"] as? String == "reset-unconfirmed", "\(asked.last)")
        let run = try bench.run(line + ["--confirm", FBeaconBench.staying])
        #expect(run.status == status, "\(run.last)")
        #expect(run.events.contains { $0["code"] as? String == "restore-untried" })
        guard status == 0 else {
            #expect(run.last["code"] as? String == "refused-by-device", "\(run.last)")
            return
        }
        #expect(
            run.last["event"] as? String == "reset" && run.last["proven"] as? Bool == false, "\(run.last)")
        let changes = try #require(run.last["changes"] as? [[String: Any]])
        #expect(changes.map { $0["setting"] as? String } == ["NAME", "ADVIN"])
        #expect(changes.first?["found"] as? String == "Shelf 7")
    }

    @Test func `may have restored settings when Ctrl-C ends the verification`() throws {
        let bench = try FBeaconBench(link: "{interval_ms: 50, event_ms: 2}")
        let run = try bench.run(
            ["config", "reset", "--device", FBeaconBench.staying, "--confirm", FBeaconBench.staying],
            signal: (SIGINT, "session-opened", 2))
        #expect(run.status == 130 && run.last["code"] as? String == "interrupted", "\(run.last)")
        #expect((run.last["message"] as? String)?.contains("may have been reset") == true, "\(run.last)")
        #expect((run.last["next_step"] as? String)?.contains("config read") == true, "\(run.last)")
    }

    @Test func `never show PINs`() throws {
        let bench = try FBeaconBench()
        let journal = bench.tray.folder + "/journal.sqlite"
        let page = bench.tray.folder + "/report.html"
        let capture = bench.tray.folder + "/air.btsnoop"
        let path = try bench.container("BP108N")
        let units = try bench.tray.write(
            Array(
                "tray: 1\nfirmware: \(path)\nslots:\n  - {slot: F1, device: '\(FBeaconBench.staying)'}\n".utf8
            ),
            as: "units.yaml")
        let trace = ["--log-level", "trace"]
        let runs = [
            try bench.run(["info", "--device", FBeaconBench.staying, "--capture", capture] + trace),
            try bench.run(
                ["batch", units, "--journal", journal, "--report", page, "--no-golden"] + trace),
        ]
        #expect(runs[0].status == 0 && runs[0].output.contains("capture-has-pin"), "\(runs[0].talk)")
        let session = try #require(runs[0].last["session"] as? [String: Any])
        #expect(session["kind"] as? String == "fbeacon" && session["version"] as? String == "BP108N,8.30")
        for run in runs {
            #expect(!run.output.contains(FBeaconBench.pin) && !run.talk.contains(FBeaconBench.pin))
        }
        for file in [journal, page] where FileManager.default.fileExists(atPath: file) {
            let content = try Data(contentsOf: URL(filePath: file))
            #expect(content.range(of: Data(FBeaconBench.pin.utf8)) == nil)
        }
        #expect(FileManager.default.fileExists(atPath: journal), "\(runs[1].talk)")
    }

    /// Dialog's update, with a PIN before it.
    @Test(
        arguments: [("'1593'", 0, nil), ("'1594'", 1, "password-wrong"), (nil, 1, "password-missing")]
            as [(String?, Int32, String?)])
    func `with Dialog chips update only after the PIN`(
        pin: String?, status: Int32, code: String?
    ) throws {
        let air = try Tray(
            "  - {kind: suota, address: 'DC:0D:30:00:00:10/public', flash: instant, pin: '1593', pins: '03000104', "
                + "advertises: {kind: feasycom, model: 26, pin: true}}")
        let secrets = air.folder + "/secrets.yaml"
        let isWritten = FileManager.default.createFile(
            atPath: secrets,
            contents: Data(
                "secrets: 1\nvendors: {\(pin.map { "feasycom: \($0)" } ?? "kkm: 12345678")}\n".utf8),
            attributes: [.posixPermissions: 0o600])
        #expect(isWritten)
        let run = try Program.run([
            "flash", Samples.root + "/firmware-samples/dialog/58x.img", "--device", "DC:0D:30:00:00:10",
            "--adapter", air.scenario, "--json", "--secrets", secrets, "--profile", "feasycom",
            "--profiles", Samples.root + "/manifests/profiles/suota.yaml", "--bank", "0",
        ])
        #expect(run.status == status && run.last["code"] as? String == code, "\(run.last)")
        #expect(status != 0 || run.last["verified"] as? String == "version", "\(run.last)")
        // Nothing was written to its service.
        #expect(status == 0 || run.last["device_state"] is NSNull, "\(run.last)")
    }
}
