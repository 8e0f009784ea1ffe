import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .programs) struct `Settings for every run` {
    @Test func `are shown with their source, and applied`() throws {
        try Tool.inFolder { folder in
            let path = try Tool.write(Array("adapter: sim\n".utf8), as: "config.yaml", in: folder)
            let environment = ["BEACON_DFU_CONFIG": path, "BEACON_DFU_COLOR": "never"]
            let shown = try Program.run(["config-file"], environment: environment)
            #expect(shown.output.contains("\nadapter    sim    \(path), line 1\n"))
            #expect(shown.output.contains("\ncolor      never  BEACON_DFU_COLOR\n"))
            let heard = try Program.run(["scan", "--for", "1"], environment: environment)
            #expect(heard.status == 0 && heard.output.contains("DfuTarg"))
            // The command line takes precedence.
            let other = try Program.run(
                ["scan", "--for", "1", "--adapter", "sim:/none"], environment: environment)
            #expect(other.status == 66)
        }
    }

    @Test func `end every command if they are wrong`() throws {
        try Tool.inFolder { folder in
            let path = try Tool.write(Array("adaptor: sim\n".utf8), as: "config.yaml", in: folder)
            let run = try Program.run(["scan", "--json"], environment: ["BEACON_DFU_CONFIG": path])
            #expect(run.status == 65)
            #expect(run.events.last?["code"] as? String == "config-invalid")
            #expect(run.events.last?["line"] as? Int == 1)
        }
        let run = try Program.run(["scan", "--json"], environment: ["BEACON_DFU_ADAPTER": "exclusive:"])
        #expect(run.status == 64 && run.events.last?["code"] as? String == "config-invalid")
        #expect(run.events.last?["next_step"] as? String == "correct BEACON_DFU_ADAPTER, or unset it")
    }
}

@Suite(.timeLimit(.minutes(10)), .programs) struct `A run` {
    @Test func `that is quiet prints results, but no progress`() throws {
        let run = try Program.run([
            "flash", Samples.root + "/firmware-samples/nordic/tiny.zip", "--adapter", "sim", "--device",
            "F0:0D:BE:AC:01:01", "--quiet",
        ])
        #expect(run.status == 0 && run.output.contains("verified: "))
        #expect(run.talk.isEmpty, "\(run.talk)")
    }

    @Test func `that is quiet reports why it failed`() throws {
        let run = try Program.run(["inspect", "/none", "-q"])
        #expect(run.status == 66 && run.talk.contains("file-not-found"))
    }

    @Test func `with a time limit ends as with Ctrl-C, and may be repeated`() throws {
        let run = try Program.run([
            "flash", Samples.root + "/firmware-samples/nordic/blinker-1.1.0.zip", "--adapter", "sim",
            "--device", "F0:0D:BE:AC:04:00",
            "--timeout", "1", "--json",
        ])
        #expect(run.status == 75)
        #expect(run.events.last?["event"] as? String == "failed")
        #expect(run.events.last?["code"] as? String == "timed-out")
    }

    @Test func `that crashes reports its version and how to report the bug`() throws {
        let run = try Program.run(
            [
                "flash", Samples.root + "/firmware-samples/nordic/blinker-1.1.0.zip", "--adapter", "sim",
                "--device", "F0:0D:BE:AC:04:00", "--json",
            ],
            signal: (SIGSEGV, "progress", 1))
        #expect(run.status != 0)
        #expect(run.talk.contains("beacon-dfu has crashed.\nbeacon-dfu 0.1.0\n"), "\(run.talk)")
        #expect(run.talk.contains("beacon-dfu(+0x"), "\(run.talk)")
    }
}
