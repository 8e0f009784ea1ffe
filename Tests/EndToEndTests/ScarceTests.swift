import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .programs) struct `The program with scarce resources` {
    private static let scan = ["scan", "--adapter", "sim", "--for", "0.2"]

    /// Below 7, libdispatch would trap before the first line of Swift.
    @Test(arguments: [4, 5, 6, 7, 8, 12, 23]) func `reports that it may open too few files`(_ most: Int)
        throws
    {
        let run = try Program.run(Self.scan + ["--json"], descriptors: most)
        #expect(run.status == 75, "\(run.output)\(run.talk)")
        #expect(run.output.split(separator: "\n").count == 1)
        #expect(run.last["event"] as? String == "failed" && run.last["exit"] as? Int == 75)
        #expect(run.last["code"] as? String == "descriptors-exhausted")
        #expect(
            run.last["message"] as? String
                == "the system allows this program \(most) open files and sockets; it needs 24")
        #expect(run.talk.contains("descriptors-exhausted") && !run.talk.contains("crashed"))
        let talk = try Program.run(Self.scan, descriptors: most)
        #expect(talk.status == 75 && talk.output.isEmpty && talk.talk.contains("\nnext:  raise the limit"))
    }

    /// Runs shell commands before the program, optionally under `tool` in a namespace of its own.
    private static func run(after command: String, _ arguments: [String], with tool: [String] = []) throws
        -> Shell.Run
    {
        try Shell.run(command + "; exec \"$0\" \"$@\"", arguments, with: tool)
    }

    /// With less, the loader of shared libraries fails first.
    @Test(arguments: [130_000, 150_000, 200_000, 262_143]) func `reports that it may have too little memory`(
        _ most: Int
    ) throws {
        let run = try Self.run(after: "ulimit -v \(most)", Self.scan + ["--json"])
        #expect(run.status == 75, "\(run.output)")
        #expect(run.output.contains("\"code\":\"memory-limited\""), "\(run.output)")
    }

    private static let canUnshare: Bool = {
        (try? Tool.output(of: ["unshare", "-m", "true"], input: [])) != nil
    }()

    /// libdispatch would trap occasionally. A /proc of another namespace has none of this process's threads.
    @Test(
        .enabled(if: canUnshare, "no right to a mount namespace"),
        arguments: [(["-m"], "mount -t tmpfs none /proc"), (["--pid", "--fork"], "true")])
    func `reports that it needs the system's /proc`(_ space: [String], _ command: String) throws {
        for arguments in [Self.scan + ["--json"], ["keys", "show", "--json", "none.pem"]] {
            let run = try Self.run(after: command, arguments, with: ["unshare"] + space)
            #expect(run.status == 75, "\(run.output)")
            #expect(run.output.contains("\"code\":\"proc-missing\""), "\(run.output)")
            #expect(run.output.contains("\nnext:  mount it"), "\(run.output)")
        }
    }
}

@Suite(.timeLimit(.minutes(10)), .programs)
struct `A run over a tray whose journal belongs to another program` {
    /// The file in the place of one of the journal, and the error that ends the run.
    @Test(arguments: [".lock", ".new", "-wal", "-shm", "-journal", ""], ["key", "text", "link"])
    func `keeps every file, and creates none`(_ end: String, _ what: String) throws {
        let bench = try BatchBench(1)
        let folder = bench.air.folder + "/own"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let journal = folder + "/j"
        let text = what == "key" ? "-----BEGIN PRIVATE KEY-----\nMIGH\n" : "# yarn lockfile v1\n"
        try Tool.write(Array(text.utf8), as: "victim", in: bench.air.folder)
        if what == "link" {
            #expect(symlink(bench.air.folder + "/victim", journal + end) == 0)
        } else {
            try Tool.write(Array(text.utf8), as: "j" + end, in: folder)
        }
        let run = try Program.run([
            "batch", bench.file, "--adapter", bench.air.scenario, "--journal", journal, "--json",
        ])
        #expect(run.status == 65 && run.last["code"] as? String == "journal-foreign", "\(run.output)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["j" + end])
        #expect(try Samples.file(at: journal + end) == Array(text.utf8))
        #expect(try Samples.file(at: bench.air.folder + "/victim") == Array(text.utf8))
    }
}
