import Foundation
import TestSupport
import Testing

private let package = Samples.root + "/firmware-samples/nordic/blinker-1.1.0.zip"

@Suite(.timeLimit(.minutes(10)), .programs) struct `The program's sessions with KBeacons` {
    @Test func `identify them`() throws {
        let run = try KBeaconBench().run("info")
        #expect(run.status == 0, "\(run.talk)")
        let session = try #require(run.last["session"] as? [String: Any])
        #expect(session["kind"] as? String == "kbeacon" && session["generation"] as? Int == 2)
        #expect(session["model"] as? String == "KBPro" && session["version"] as? String == "6.20")
        #expect(session["takes_updates"] as? Bool == true)
    }

    @Test func `identify those of the first generation, by the factory password`() throws {
        let run = try KBeaconBench().run("info", KBeaconBench.first)
        let session = try #require(run.last["session"] as? [String: Any])
        #expect(session["generation"] as? Int == 1 && session["model"] as? String == "K11_NRF52XX")
    }

    @Test func `fail with a wrong password, which is not tried again`() throws {
        let bench = try KBeaconBench(entries: "vendors: {kkm: Tisch-08}")
        let run = try bench.run("info")
        #expect(run.status == 0)
        let session = try #require(run.last["session"] as? [String: Any])
        #expect(session["kind"] is NSNull && session["code"] as? String == "password-wrong")
        let flash = try bench.run([
            "flash", package, "--device", KBeaconBench.second, "--secrets", bench.secrets,
        ])
        #expect(flash.status == 1 && flash.last["code"] as? String == "password-wrong")
        #expect(flash.last["device_state"] is NSNull)
    }

    @Test func `report their frames and power levels, and a valid serial number`() throws {
        let bench = try KBeaconBench(", serial: 214815, capabilities: 0x81001")
        let run = try bench.run("info")
        let session = try #require(run.last["session"] as? [String: Any])
        #expect(session["serial"] as? String == "214815")
        #expect(session["capabilities"] as? [String] == ["button", "updates over the air"])
        #expect(session["adverts"] as? [String] == ["ibeacon"])
        #expect(session["tx_power_min"] as? Int == -40 && session["tx_power_max"] as? Int == 4)
        let first = try bench.run("info", KBeaconBench.first)
        #expect(
            (first.last["session"] as? [String: Any])?["adverts"] as? [String] == [
                "kkm-sensor", "eddystone-uid", "ibeacon", "eddystone-tlm", "eddystone-url",
            ])
        let text = try Program.run([
            "info", "--device", KBeaconBench.second, "--secrets", bench.secrets, "--adapter",
            bench.tray.scenario,
        ]).output
        for row in ["serial        214815", "sends         ibeacon", "power         -40 to 4 dBm"] {
            #expect(text.contains("  \(row)\n"), "\(text)")
        }
    }

    @Test func `make them light up`() throws {
        let run = try KBeaconBench().run("blink", KBeaconBench.second, ["--for", "0.2"])
        #expect(run.status == 0, "\(run.talk)")
        #expect(run.names == ["session-opened", "session-closed", "blinked"])
    }

    @Test(arguments: [KBeaconBench.first, KBeaconBench.second])
    func `make them flash as requested`(device: String) throws {
        let run = try KBeaconBench().run(
            "blink", device, ["--for", "0.2", "--led-on", "100", "--led-off", "900"])
        #expect(run.last["event"] as? String == "blinked", "\(run.talk)")
        #expect(run.last["led_on_ms"] as? Int == 100 && run.last["led_off_ms"] as? Int == 900)
    }

    @Test(arguments: [
        ["--led-on", "100"], ["--led-off", "100"], ["--led-on", "0", "--led-off", "100"],
        ["--led-on", "100", "--led-off", "60001"], ["--led-on", "100", "--led-off", "100", "--beep"],
    ]) func `accept one way to describe the flashing`(options: [String]) throws {
        #expect(try Program.run(["blink", "--device", KBeaconBench.second] + options).status == 64)
    }

    @Test func `refuse to beep if the beacon cannot`() throws {
        let run = try KBeaconBench(", capabilities: 0x80001").run("blink", KBeaconBench.second, ["--beep"])
        #expect(run.status == 1 && run.last["code"] as? String == "not-supported")
    }

    @Test(arguments: [
        (KBeaconBench.second, "6.31", "", 0), (KBeaconBench.first, "5.21", "", 0),
        (KBeaconBench.second, "6.31", ", answers: split, piece_size: 20, tells_mtu: false", 0),
        (KBeaconBench.second, "6.31", ", buttonless_needs_session: true, folds_digests: true", 0),
        // The question is repeated over a link without a session.
        (KBeaconBench.second, "6.31", ", buttonless_refuses_session: true", 0),
        (KBeaconBench.second, "V6.031", "", 0),
        // It has lost its password; its Device Information still has the version.
        (KBeaconBench.second, "6.31", ", keeps_settings: false", 0),
    ]) func `update them, and verify it`(
        device: String, version: String, session: String, status: Int32
    ) throws {
        let bench = try KBeaconBench(session)
        let run = try bench.run(
            [
                "flash", package, "--device", device, "--secrets", bench.secrets, "--expect-version", version,
            ])
        #expect(run.status == status, "\(run.talk)")
        #expect(run.last["verified"] as? String == "version", "\(run.last)")
    }

    @Test(arguments: [
        ("F0:0D:BE:AC:08:00", "nordic/blinker-1.1.0.zip", "2"),
        ("F0:0D:BE:AC:09:00", "feasycom/bp102.fbu", "840"),
    ]) func `update the built-in KBeacons and Feasycom beacons with the samples`(
        device: String, sample: String, version: String
    ) throws {
        let run = try Program.run([
            "flash", Samples.root + "/firmware-samples/" + sample, "--device", device, "--adapter", "sim",
            "--json",
        ])
        #expect(run.status == 0 && run.last["verified"] as? String == "version", "\(run.last)")
        #expect(run.last["firmware_revision"] as? String == version, "\(run.last)")
    }

    /// The bootloader of one with a public address may be anywhere, and accepts no name here.
    @Test func `recognise a bootloader as the only new one`() throws {
        let air = try Tray(
            """
              - kind: kbeacon
                address: BC:57:29:02:45:9F/public
                bootloader_address: F0:0D:BE:AC:31:00
                bootloader_takes_name: false
                key: test
                flash: instant
                application_version: 1
                session: {updated_version: V6.31}
            """)
        let run = try Program.run([
            "flash", package, "--device", KBeaconBench.second, "--adapter", air.scenario, "--json",
            "--expect-version", "6.31",
        ])
        #expect(run.status == 0 && run.last["verified"] as? String == "version", "\(run.last)")
        #expect(run.events.contains { $0["code"] as? String == "bootloader-assumed" })
    }

    @Test(arguments: [("", 0), (", keeps_settings: false", 3)])
    func `report whether settings outlive the update`(session: String, changes: Int) throws {
        let bench = try KBeaconBench(
            session + ", settings: {newKey: [1, {a: null}]}", password: KBeaconBench.factoryPassword)
        let name = try bench.tray.write(
            Array("settings: 1\nmaker: kkm\ngeneration: 2\nadvObj: [{slot: 1, majorID: 77}]\n".utf8),
            as: "s.yaml")
        let set = try bench.run(["config", "write", name, "--device", KBeaconBench.second])
        #expect(set.status == 0, "\(set.last)")
        let run = try bench.run(["flash", package, "--device", KBeaconBench.second, "--keep-settings-proof"])
        #expect(run.status == 0, "\(run.last)")
        let compared = try #require(run.events.last { $0["event"] as? String == "settings-compared" })
        #expect(compared["changed"] as? Int == changes, "\(compared)")
        #expect((compared["kept"] as? Int ?? 0) > 30)
        let rows = try #require(compared["settings"] as? [[String: Any]])
        #expect(rows.count == (compared["kept"] as? Int ?? 0) + changes)
        #expect(rows.filter { $0["kept"] as? Bool == false }.count == changes)
        let unknown = rows.filter { $0["known"] as? Bool == false }
        #expect(unknown.map { $0["setting"] as? String } == ["newKey"])
        #expect((compared["not_compared"] as? [Any])?.isEmpty == true, "\(compared)")
        let warnings = run.events.filter { $0["code"] as? String == "settings-changed" }
        #expect(
            warnings.compactMap { $0["message"] as? String }[...]
                == [
                    "advObj[1].majorID was 77 and is 1", "name was KBPro_142081 and is KBPro_000000",
                    #"newKey was [1,{"a":null}] and is gone"#,
                ].prefix(changes))
    }

    @Test func `compare each setting with its earlier value, and name those not compared`() throws {
        let bench = try KBeaconBench(", capabilities: 0x80001, settings: {newKey: x}")
        let run = try Program.run([
            "flash", package, "--device", KBeaconBench.second, "--secrets", bench.secrets, "--adapter",
            bench.tray.scenario, "--keep-settings-proof",
        ])
        withExtendedLifetime(bench) {}
        #expect(run.status == 0, "\(run.talk)")
        let lines = (run.talk + run.output).split(separator: "\n")
        #expect(lines.contains { $0.contains("settings are as before") }, "\(run.talk)")
        #expect(lines.contains { $0.contains("advObj[1].majorID: 1, as before") })
        #expect(lines.contains { $0.contains("newKey (unknown key): x, as before") })
    }

    @Test func `fail if the bootloader cannot be entered with or without a session`()
        throws
    {
        let bench = try KBeaconBench(", buttonless_needs_session: true, buttonless_refuses_session: true")
        let run = try bench.run([
            "flash", package, "--device", KBeaconBench.second, "--secrets", bench.secrets,
        ])
        #expect(run.status == 1, "\(run.last)")
        #expect(["entry-refused", "updates-not-allowed"].contains(run.last["code"] as? String))
    }

    @Test func `verify an update that was resumed in the bootloader`() throws {
        let bench = try KBeaconBench(link: "{interval_ms: 15, event_ms: 7.5}")
        let line = ["--secrets", bench.secrets, "--expect-version", "5.21"]
        let cut = try bench.tray.flash(package, KBeaconBench.first, line, signal: (SIGKILL, "progress", 1))
        #expect(cut.status != 0)
        let run = try bench.tray.flash(package, KBeaconBench.first, line)
        #expect(run.status == 0 && run.last["verified"] as? String == "version", "\(run.last)")
    }

    @Test func `leave beacons alone that take no updates`() throws {
        let bench = try KBeaconBench(", capabilities: 0x3FFFF")
        let run = try bench.run([
            "flash", package, "--device", KBeaconBench.second, "--secrets", bench.secrets,
        ])
        #expect(run.status == 1 && run.last["code"] as? String == "no-dfu-on-this-hardware", "\(run.last)")
        #expect(
            run.last["device_state"] is NSNull
                || (run.last["device_state"] as? [String: Any])?["program"] as? String == "application")
    }

    @Test func `need a file of passwords that no other user may read`() throws {
        let bench = try KBeaconBench(mode: 0o640)
        #expect(try bench.run("info").last["code"] as? String == "secrets-exposed")
        #expect(try bench.check().status == 65)
    }

    @Test func `use passwords that can be checked without a radio`() throws {
        let good = try KBeaconBench().check()
        #expect(good.status == 0 && good.names == ["secret"])
        let bad = try KBeaconBench(entries: "vendors: {kkm: short}").check()
        #expect(bad.status == 65 && bad.names == ["secret", "failed"])
        for run in [good, bad] { #expect(!run.output.contains("short") && !run.output.contains("Bench-07")) }
    }

    @Test func `never show passwords`() throws {
        let bench = try KBeaconBench()
        let capture = bench.tray.folder + "/air.btsnoop"
        let runs = [
            try bench.run("info", KBeaconBench.second, ["--log-level", "trace", "--capture", capture]),
            try bench.run(
                [
                    "flash", package, "--device", KBeaconBench.second, "--secrets", bench.secrets,
                    "--log-level", "trace",
                ]),
        ]
        for run in runs {
            #expect(run.status == 0, "\(run.talk)")
            #expect(!run.output.contains(KBeaconBench.password) && !run.talk.contains(KBeaconBench.password))
        }
        let air = try Data(contentsOf: URL(filePath: capture))
        #expect(air.range(of: Data(KBeaconBench.password.utf8)) == nil)
        #expect(runs[0].output.contains("capture-has-proof"))
    }
}
