import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .programs) struct `Settings that the program reads and writes` {
    let wanted = "settings: 1\nmaker: kkm\ngeneration: 2\nname: Bench 7\nadvObj: [{slot: 1, majorID: 77}]\n"

    func file(_ text: String, in bench: KBeaconBench) throws -> String {
        try bench.tray.write(Array(text.utf8), as: "settings.yaml")
    }

    @Test(arguments: [KBeaconBench.first, KBeaconBench.second])
    func `are read as a file that changes nothing`(_ device: String) throws {
        let bench = try KBeaconBench()
        let read = try Program.run([
            "config", "read", "--device", device, "--secrets", bench.secrets, "--adapter",
            bench.tray.scenario,
        ])
        #expect(read.status == 0 && read.output.contains("maker: kkm"), "\(read.talk)")
        let path = try file(read.output, in: bench)
        let write = try bench.config("write", path, of: device)
        #expect(write.status == 2 && write.last["event"] as? String == "settings-written", "\(write.last)")
        #expect((write.last["changes"] as? [Any])?.isEmpty == true)
    }

    /// Unknown keys, of every kind of JSON, and values outside the maker's ranges.
    @Test(arguments: [
        (KBeaconBench.first, "trObj: [{trType: 2, trATm: 5, odd: \"a\\\"b\"}]", "trObj[2].trATm"),
        (
            KBeaconBench.second,
            "advObj: [{slot: 1, advPrd: 5, odd: {\"a b\": [1, -2.5, null, true, \"12\"]}}], "
                + "trObj: [{trIdx: 0, trType: 8, trPara: -10}, {trIdx: 1, trType: 20, trPara: 43200000, odd: []}], "
                + "srObj: [{srType: 2, odd: \"null\"}]", "advObj[1].advPrd"
        ),
    ]) func `that are unknown are read, shown, compared and left unchanged`(
        _ device: String, settings: String, outside: String
    ) throws {
        let own = ", settings: {newKey: {nested: [null, 1.5, \"x\"]}, \(settings)}"
        let bench = try KBeaconBench(own, first: own)
        let read = try Program.run([
            "config", "read", "--device", device, "--secrets", bench.secrets, "--adapter",
            bench.tray.scenario,
        ])
        #expect(read.status == 0, "\(read.talk)")
        #expect(read.output.contains(#""newKey": {"nested": [null, 1.5, "x"]}"#), "\(read.output)")
        #expect(read.talk.contains("newKey is a key that this program does not know"), "\(read.talk)")
        #expect(read.talk.contains("setting-unchecked: \(outside) is "), "\(read.talk)")
        let path = try file(read.output, in: bench)
        let diff = try bench.config("diff", path, of: device)
        #expect(diff.status == 0 && (diff.last["differences"] as? [Any])?.isEmpty == true, "\(diff.last)")
        let write = try bench.config("write", path, of: device)
        #expect(write.status == 2, "\(write.last)")
        let json = try bench.run(["config", "read", "--device", device, "--secrets", bench.secrets])
        let told = try #require(json.events.last { $0["event"] as? String == "settings" })
        let unchecked = try #require(told["unchecked"] as? [String])
        #expect(unchecked.contains("newKey") && unchecked.contains(outside), "\(unchecked)")
        let value = (told["values"] as? [String: Any])?["newKey"] as? [String: Any]
        #expect((value?["nested"] as? [Any])?.count == 3, "\(told)")
        // For a value that the user has changed, the file has to name the place.
        let changed = try file(read.output.replacing("nested\": [null", with: "nested\": [0"), in: bench)
        #expect(try bench.config("write", changed, of: device).status == 0)
        _ = try file(read.output, in: bench)
        let again = try bench.config("diff", path, of: device)
        let difference = try #require(
            (again.events.last { $0["event"] as? String == "compared" })?["differences"] as? [[String: Any]])
        #expect(difference.map { $0["setting"] as? String } == ["newKey"])
        #expect(difference.first?["known"] as? Bool == false)
        #expect(try bench.config("write", path, of: device).status == 0)
        #expect(try bench.config("write", path, of: device).status == 2)
    }

    @Test func `outside the maker's ranges are refused with their place if the user changed them`()
        throws
    {
        let bench = try KBeaconBench(", settings: {trObj: [{trIdx: 0, trType: 8, trPara: 1500}]}")
        let read = try Program.run([
            "config", "read", "--device", KBeaconBench.second, "--secrets", bench.secrets, "--adapter",
            bench.tray.scenario,
        ])
        #expect(read.output.contains("\"trPara\": 1500"), "\(read.output)")
        let path = try file(read.output.replacing("\"trPara\": 1500", with: "\"trPara\": 1501"), in: bench)
        let write = try bench.config("write", path)
        #expect(write.status == 1 && write.last["code"] as? String == "setting-out-of-range", "\(write.last)")
        let message = write.last["message"] as? String ?? ""
        #expect(message.contains("line ") && message.contains("from -50 to 1000"), "\(message)")
        let plain = try file(
            "settings: 1\nmaker: kkm\ngeneration: 2\ntrObj: [{trIdx: 0, trType: 8, trPara: 1501}]\n",
            in: bench)
        let refused = try bench.config("write", plain)
        #expect(refused.status == 65 && refused.names == ["failed"], "\(refused.last)")
    }

    @Test func `are compared, written, and there afterwards`() throws {
        let bench = try KBeaconBench()
        let path = try file(wanted, in: bench)
        let before = try bench.config("diff", path)
        #expect(before.status == 1 && before.last["code"] as? String == "settings-differ")
        let step = before.last["next_step"] as? String ?? ""
        #expect(step.contains("`beacon-dfu config write \(path) --device "), "\(step)")
        let write = try bench.config("write", path)
        #expect(write.status == 0, "\(write.last)")
        let changes = try #require(write.last["changes"] as? [[String: Any]])
        #expect(changes.map { $0["setting"] as? String } == ["name", "advObj[1].majorID"])
        let after = try bench.config("diff", path)
        #expect(after.status == 0 && (after.last["differences"] as? [Any])?.isEmpty == true)
    }

    @Test(
        arguments: [
            ("cut_after_command: 5", 75, "link-lost", "settings may have been written: name"),
            ("lose_reply: 5", 75, "no-answer", "settings may have been written: name"),
            (
                "fail_command: 6", 1, "refused-by-device",
                "the beacon accepted new values, which were not verified: name"
            ),
        ] as [(String, Int32, String, String)])
    func `are named by a failure after they were sent`(
        fault: String, status: Int32, code: String, words: String
    ) throws {
        let tray = try Tray(
            """
              - {kind: kbeacon, address: BC:57:29:02:45:9F/public, key: test, faults: [{\(fault)}]}
            """)
        defer { withExtendedLifetime(tray) {} }
        let path = try tray.write(
            Array("settings: 1\nmaker: kkm\ngeneration: 2\nname: Bench 7\n".utf8), as: "settings.yaml")
        let run = try Program.run([
            "config", "write", path, "--device", KBeaconBench.second, "--adapter", tray.scenario, "--json",
        ])
        #expect(run.status == status && run.last["code"] as? String == code, "\(run.last)")
        let (message, step) = (run.last["message"] as? String, run.last["next_step"] as? String ?? "")
        #expect(message?.hasSuffix("; " + words) == true, "\(run.last)")
        #expect(step.contains("run the same command again") && !step.contains("DFU"), "\(step)")
    }

    @Test func `need a password, and the failure says that none was given`() throws {
        let bench = try KBeaconBench()
        let run = try bench.run(["config", "read", "--device", KBeaconBench.second])
        #expect(run.status == 1 && run.last["code"] as? String == "password-wrong", "\(run.last)")
        let (message, step) = (run.last["message"] as? String, run.last["next_step"] as? String)
        #expect(message?.hasSuffix("none is given for it, so its factory password was tried") == true)
        #expect(step == "put its password into a file of secrets, and give that with --secrets")
    }

    @Test func `that lock a beacon away need the risk to be accepted`() throws {
        let bench = try KBeaconBench()
        let path = try file("settings: 1\nmaker: kkm\ngeneration: 2\natPwr: 0\n", in: bench)
        let line = ["config", "write", path, "--device", KBeaconBench.second, "--secrets", bench.secrets]
        let refused = try bench.run(line)
        #expect(refused.status == 1 && refused.last["code"] as? String == "locks-beacon-away")
        #expect(try bench.run(line + ["--force", "always-off"]).status == 0)
        #expect(try bench.run(line + ["--force", "anything"]).status == 64)
    }

    @Test func `are gone after a reset, which needs a confirmed address`() throws {
        let bench = try KBeaconBench()
        let line = ["config", "reset", "--device", KBeaconBench.second, "--secrets", bench.secrets]
        for more in [[], ["--confirm", KBeaconBench.first]] {
            let refused = try bench.run(line + more)
            #expect(refused.status == 64 && refused.last["code"] as? String == "reset-unconfirmed")
            #expect(refused.names == ["failed"])
        }
        let reset = try bench.run(line + ["--confirm", KBeaconBench.second.lowercased()])
        #expect(reset.status == 0 && reset.last["name"] as? String == "KBPro_000000", "\(reset.last)")
        // It has the factory password now.
        #expect(try bench.run(line).last["code"] as? String == "reset-unconfirmed")
        let info = try bench.run("info")
        #expect((info.last["session"] as? [String: Any])?["code"] as? String == "password-wrong")
    }

    @Test func `in an invalid file are refused before the search`() throws {
        let bench = try KBeaconBench()
        let path = try file("settings: 2\nmaker: kkm\n", in: bench)
        let run = try bench.run(["config", "write", path, "--device", KBeaconBench.second])
        #expect(
            run.status == 65 && run.last["code"] as? String == "settings-invalid" && run.names == ["failed"])
    }
}

@Suite(.timeLimit(.minutes(10)), .programs) struct `The password of a beacon` {
    private static let new = "Neu-0815"

    /// A beacon whose password is changed in its second command, and files of the old and the new one.
    private struct Bench {
        static let device = "BC:57:29:02:45:9F"
        let tray: Tray
        let old: String
        let new: String
        var record: String { tray.folder + "/changed.yaml" }

        init(_ faults: String = "", generation: Int = 2, new: String = "Neu-0815") throws {
            tray = try Tray(
                """
                  - kind: kbeacon
                    address: BC:57:29:02:45:9F/public
                    generation: \(generation)
                    key: test
                    flash: instant
                    session: {password: Bench-07}
                    faults: [\(faults)]
                """)
            old = try Self.file("Bench-07", tray.folder + "/old.yaml")
            self.new = try Self.file(new, tray.folder + "/new.yaml")
        }

        static func file(_ password: String, _ path: String) throws -> String {
            let isWritten = FileManager.default.createFile(
                atPath: path, contents: Data("secrets: 1\nvendors: {kkm: '\(password)'}\n".utf8),
                attributes: [.posixPermissions: 0o600])
            #expect(isWritten)
            return path
        }

        func change(
            _ more: [String] = [], signal: (number: Int32, event: String, count: Int)? = nil
        ) throws -> Program.Run {
            try run(
                [
                    "config", "password", "--secrets", old, "--new-secrets", new, "--record", record,
                ] + more, signal: signal)
        }

        func run(
            _ arguments: [String], signal: (number: Int32, event: String, count: Int)? = nil
        ) throws -> Program.Run {
            defer { withExtendedLifetime(tray) {} }
            return try Program.run(
                arguments + ["--device", Self.device, "--adapter", tray.scenario, "--json"], signal: signal)
        }

        /// Why a session with this file does not open.
        func flaw(_ secrets: String) throws -> String? {
            (try run(["info", "--secrets", secrets]).last["session"] as? [String: Any])?["code"] as? String
        }
    }

    @Test(arguments: [1, 2]) func `is a new one after a change, and a file has both`(
        generation: Int
    ) throws {
        let bench = try Bench(generation: generation)
        let run = try bench.change()
        #expect(run.status == 0 && run.last["event"] as? String == "password-changed", "\(run.last)")
        #expect(!run.output.contains(Self.new) && !run.talk.contains(Self.new))
        #expect(try bench.flaw(bench.old) == "password-wrong")
        // The record is a file of secrets.
        #expect(try bench.flaw(bench.record) == nil)
        let text = try String(contentsOfFile: bench.record, encoding: .utf8)
        #expect(text.contains(#""Neu-0815""#) && text.contains(#"# the old one: "Bench-07""#), "\(text)")
        let mode = try FileManager.default.attributesOfItem(atPath: bench.record)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        // Nothing is replaced, and nothing is done to a beacon that has it.
        let again = try bench.run([
            "config", "password", "--secrets", bench.record, "--new-secrets", bench.old, "--record",
            bench.record,
        ])
        #expect(again.status != 0 && again.last["code"] as? String == "file-exists", "\(again.last)")
        #expect(try bench.flaw(bench.record) == nil)
        let same = try bench.run([
            "config", "password", "--secrets", bench.record, "--new-secrets", bench.new, "--record",
            bench.tray.folder + "/none.yaml",
        ])
        #expect(same.status == 2, "\(same.last)")
    }

    @Test(
        arguments: [
            ("cut_before_command: 2", 1, "password-not-changed", "old"),
            ("cut_after_command: 2", 0, nil, "new"),
            ("fail_command: 2", 1, "password-not-changed", "old"), ("lose_reply: 2", 0, nil, "new"),
            ("garble_password: 1", 1, "password-lost", "neither"),
        ] as [(String, Int32, String?, String)])
    func `is known whatever happens on the way`(
        fault: String, status: Int32, code: String?, holds: String
    ) throws {
        let bench = try Bench("{\(fault)}")
        let run = try bench.change()
        #expect(run.status == status && run.last["code"] as? String == code, "\(run.last)")
        #expect(FileManager.default.fileExists(atPath: bench.record))
        #expect((try bench.flaw(bench.old) == nil) == (holds == "old"))
        #expect((try bench.flaw(bench.record) == nil) == (holds == "new"))
    }

    @Test(
        arguments: [
            ("{cut_after_command: 2}", 0, nil, false), ("{lose_reply: 2}", 0, nil, false),
            ("{cut_before_command: 2}", 75, "link-lost", true),
            ("{fail_command: 2}", 1, "refused-by-device", true),
            (
                "{cut_after_command: 2}, {cut_before_command: 3}, {cut_before_command: 4}, "
                    + "{cut_before_command: 5}", 75, "reset-unproven", false
            ),
        ] as [(String, Int32, String?, Bool)])
    func `shows whether an interrupted reset took place`(
        faults: String, status: Int32, code: String?, isKept: Bool
    ) throws {
        let bench = try Bench(faults)
        let run = try bench.run(["config", "reset", "--secrets", bench.old, "--confirm", Bench.device])
        #expect(run.status == status && run.last["code"] as? String == code, "\(run.last)")
        #expect((try bench.flaw(bench.old) == nil) == isKept)
        guard code == "reset-unproven" else { return }
        #expect((run.last["message"] as? String)?.contains("may have been reset") == true, "\(run.last)")
        let step = run.last["next_step"] as? String ?? ""
        #expect(step.contains("`beacon-dfu info ") && step.contains("--secrets \(bench.old)"), "\(step)")
    }

    @Test func `can be found out with the next step if the change is not proven`() throws {
        let bench = try Bench(
            "{cut_after_command: 2}, {cut_before_command: 3}, {cut_before_command: 4}, "
                + "{cut_before_command: 5}")
        let run = try bench.change()
        #expect(run.status == 75 && run.last["code"] as? String == "password-unproven", "\(run.last)")
        let step = run.last["next_step"] as? String ?? ""
        #expect(step.contains("--secrets \(bench.record)`") && !step.contains(bench.old), "\(step)")
    }

    @Test func `may be another one after Ctrl-C, which says so`() throws {
        let bench = try Bench("{lose_reply: 2}")
        let run = try bench.change(signal: (SIGINT, "session-opened", 1))
        #expect(run.status == 130 && run.last["code"] as? String == "interrupted", "\(run.last)")
        #expect((run.last["message"] as? String)?.contains("it is not known whether") == true, "\(run.last)")
        #expect((run.last["next_step"] as? String)?.contains("--secrets \(bench.record)`") == true)
        #expect(try (bench.flaw(bench.old) == nil) != (bench.flaw(bench.record) == nil))
    }

    @Test func `may be the factory password after Ctrl-C during a reset, which says so`() throws {
        let bench = try Bench("{lose_reply: 2}")
        let run = try bench.run(
            ["config", "reset", "--secrets", bench.old, "--confirm", Bench.device],
            signal: (SIGINT, "session-opened", 1))
        #expect(run.status == 130 && run.last["code"] as? String == "interrupted", "\(run.last)")
        #expect((run.last["message"] as? String)?.contains("may have been reset") == true, "\(run.last)")
        #expect((run.last["next_step"] as? String)?.contains("`beacon-dfu info ") == true, "\(run.last)")
    }

    @Test func `is not changed without the old one, or to an invalid one`() throws {
        let bench = try Bench()
        let wrong = try bench.run([
            "config", "password", "--secrets", bench.new, "--new-secrets", bench.old, "--record",
            bench.record,
        ])
        #expect(wrong.status == 1 && wrong.last["code"] as? String == "password-wrong", "\(wrong.last)")
        for unusable in ["1234567", "12345678901234567", "Neu 0815", "Neu\"0815", "Größe-08"] {
            let run = try Bench(new: unusable).change()
            #expect(run.status == 64 && run.last["code"] as? String == "new-password-unusable", "\(run.last)")
        }
        let none = try bench.run(["config", "password", "--secrets", bench.old, "--record", bench.record])
        #expect(none.status == 64 && none.last["code"] as? String == "new-password-missing", "\(none.last)")
        let recorded = try bench.change(["--capture", bench.tray.folder + "/air.btsnoop"])
        #expect(recorded.status == 64)
        #expect(!FileManager.default.fileExists(atPath: bench.record))
        #expect(try bench.flaw(bench.old) == nil)
    }

    @Test func `may come over a descriptor`() throws {
        let bench = try Bench()
        let path = try bench.tray.write(Array("Neu-0815\n".utf8), as: "line")
        defer { withExtendedLifetime(bench) {} }
        let run = try Tool.run([
            "sh", "-c", "exec 3<\(path); exec \"$@\"", "sh", Program.path, "config", "password", "--secrets",
            bench.old, "--new-descriptor", "3", "--record", bench.record, "--device", Bench.device,
            "--adapter",
            bench.tray.scenario, "--json",
        ])
        #expect(run.status == 0, "\(run.output) \(run.talk)")
        #expect(try bench.flaw(bench.new) == nil)
    }
}

extension KBeaconBench {
    fileprivate func config(
        _ verb: String, _ path: String, of device: String = KBeaconBench.second
    ) throws -> Program.Run {
        try run(["config", verb, path, "--device", device, "--secrets", secrets])
    }
}
