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

    @Test func `are compared, written, and there afterwards`() throws {
        let bench = try KBeaconBench()
        let path = try file(wanted, in: bench)
        let before = try bench.config("diff", path)
        #expect(before.status == 1 && before.last["code"] as? String == "settings-differ")
        let write = try bench.config("write", path)
        #expect(write.status == 0, "\(write.last)")
        let changes = try #require(write.last["changes"] as? [[String: Any]])
        #expect(changes.map { $0["setting"] as? String } == ["name", "advObj[1].majorID"])
        let after = try bench.config("diff", path)
        #expect(after.status == 0 && (after.last["differences"] as? [Any])?.isEmpty == true)
    }

    @Test func `that lock a beacon away need to be insisted on`() throws {
        let bench = try KBeaconBench()
        let path = try file("settings: 1\nmaker: kkm\ngeneration: 2\natPwr: 0\n", in: bench)
        let line = ["config", "write", path, "--device", KBeaconBench.second, "--secrets", bench.secrets]
        let refused = try bench.run(line)
        #expect(refused.status == 1 && refused.last["code"] as? String == "locks-beacon-away")
        #expect(try bench.run(line + ["--force", "always-off"]).status == 0)
        #expect(try bench.run(line + ["--force", "anything"]).status == 64)
    }

    @Test func `are gone after a reset, for which the address is asked again`() throws {
        let bench = try KBeaconBench()
        let line = ["config", "reset", "--device", KBeaconBench.second, "--secrets", bench.secrets]
        for more in [[], ["--confirm", KBeaconBench.first]] {
            let refused = try bench.run(line + more)
            #expect(refused.status == 64 && refused.last["code"] as? String == "reset-unconfirmed")
            #expect(refused.names == ["failed"])
        }
        let reset = try bench.run(line + ["--confirm", KBeaconBench.second.lowercased()])
        #expect(reset.status == 0 && reset.last["name"] as? String == "KBPro_000000", "\(reset.last)")
        // Its password is the factory's now.
        #expect(try bench.run(line).last["code"] as? String == "reset-unconfirmed")
        let info = try bench.run("info")
        #expect((info.last["session"] as? [String: Any])?["code"] as? String == "password-wrong")
    }

    @Test func `in a file that is none are refused before anything is looked for`() throws {
        let bench = try KBeaconBench()
        let path = try file("settings: 2\nmaker: kkm\n", in: bench)
        let run = try bench.run(["config", "write", path, "--device", KBeaconBench.second])
        #expect(
            run.status == 65 && run.last["code"] as? String == "settings-invalid" && run.names == ["failed"])
    }
}

extension KBeaconBench {
    fileprivate func config(
        _ verb: String, _ path: String, of device: String = KBeaconBench.second
    ) throws -> Program.Run {
        try run(["config", verb, path, "--device", device, "--secrets", secrets])
    }
}
