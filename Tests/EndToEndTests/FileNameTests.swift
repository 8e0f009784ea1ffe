import Foundation
import TestSupport
import Testing

/// A folder with a valid package.
private final class NamedFolder {
    let folder: String
    let sample: [UInt8]

    init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/beacon-dfu-names-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder + "/g", withIntermediateDirectories: true)
        sample = try Samples.bytes("nordic/tiny.zip")
        try Tool.write(sample, as: "g/good.zip", in: folder)
    }

    deinit { _ = try? Tool.run(["rm", "-rf", folder]) }

    /// Runs a line of shell in the folder; `$0` is the program.
    func shell(_ line: String) throws -> Program.Run {
        let run = try Tool.run(["env", "-C", folder, "bash", "-c", line, Program.path], input: sample)
        return Program.Run(status: run.status, output: run.text, talk: run.talk)
    }
}

@Suite(.timeLimit(.minutes(10)), .programs) struct `The program given names of every kind` {
    /// Names that are not UTF-8, and what they would hide from a gate that skips them.
    @Test func `checks files and folders whose names are not UTF-8`() throws {
        let shelf = try NamedFolder()
        let bad = Samples.root + "/firmware-samples/malformed/hash-mismatch.zip"
        let file = try shelf.shell("cp '\(bad)' $'g/bad\\xff.zip'; \"$0\" validate g --json")
        #expect(file.status == 1)
        #expect(file.last["files"] as? Int == 2)
        let report = try #require(file.events.first { $0["file_hex"] != nil })
        #expect(report["file"] as? String == "g/bad\\xff.zip")
        #expect(report["file_hex"] as? String == "672f626164ff2e7a6970")
        let moved = try shelf.shell(
            "rm g/bad*; mkdir $'g/d\\xfe'; cp '\(bad)' $'g/d\\xfe/'; \"$0\" validate g")
        #expect(moved.status == 1)
    }

    @Test func `opens them, and shows them escaped`() throws {
        let shelf = try NamedFolder()
        let line = "cp g/good.zip $'a\\xff\\x80.zip'; "
        let inspected = try shelf.shell(line + "\"$0\" inspect $'a\\xff\\x80.zip'")
        #expect(inspected.status == 0, "\(inspected.talk)")
        #expect(inspected.output.hasPrefix("a\\xff\\x80.zip: "))
        // A name from JSON can be opened again.
        let again = try shelf.shell(
            "python3 -c 'import os, sys; os.execv(sys.argv[1], [b\"x\", b\"inspect\", bytes.fromhex(sys.argv[2]), "
                + "b\"--json\"])' \"$0\" 61ff802e7a6970")
        #expect(again.last["file_hex"] as? String == "61ff802e7a6970")
        #expect(try shelf.shell("\"$0\" inspect $'no\\xff'").talk.contains("no\\xff: No such file"))
        // Another name that is repaired to the same text.
        #expect(try shelf.shell("\"$0\" inspect $'a\\xfe\\x80.zip'").status == 66)
        let built = try shelf.shell(
            "\"$0\" build fbeacon '\(Samples.root)/firmware-samples/hex/application.hex' $'o\\xff.fbu' --model BP102 "
                + "--version-end 2 --json; test -f $'o\\xff.fbu' && \"$0\" inspect $'o\\xff.fbu'")
        #expect(built.status == 0, "\(built.talk)")
    }

    @Test func `reads defaults from a folder of the environment whose name is not UTF-8`() throws {
        let shelf = try NamedFolder()
        let file =
            "mkdir -p $'h\\xff/beacon-dfu'; echo 'log-level: debug' > $'h\\xff/beacon-dfu/config.yaml'; "
        let run = try shelf.shell(file + "XDG_CONFIG_HOME=\"$PWD\"/$'h\\xff' \"$0\" config-file")
        #expect(run.status == 0, "\(run.talk)")
        #expect(run.output.contains("h\\xff/beacon-dfu/config.yaml, line 1"), "\(run.output)")
    }

    @Test func `never silently skips a file`() throws {
        let shelf = try NamedFolder()
        try Tool.write(try Samples.bytes("malformed/hash-mismatch.zip"), as: "bad.zip", in: shelf.folder)
        let linked = try shelf.shell("mkdir e; mv bad.zip e; ln -s ../e g/e; \"$0\" validate g --json")
        #expect(linked.status == 66)
        #expect(linked.output.contains("link-not-followed"))
        // The same for links to what is checked and for links to what is left out.
        #expect(try shelf.shell("rm g/e; mkdir g/f; ln -s f g/e; \"$0\" validate g").status == 0)
        #expect(try shelf.shell("rm g/e; mv e g/.e; ln -s .e g/e; \"$0\" validate g").status == 66)
        guard geteuid() == 0 else { return }
        let closed = try shelf.shell(
            "rm g/e; mkdir g/c; chmod 0 g/c; chmod 755 .; "
                + "setpriv --reuid=65534 --regid=65534 --clear-groups \"$0\" validate g --json")
        #expect(closed.status == 66)
        #expect(closed.output.contains("file-not-readable"), "\(closed.output) \(closed.talk)")
    }

    @Test func `distinguishes a folder, a missing permission and a missing file`() throws {
        let shelf = try NamedFolder()
        let folder = try shelf.shell("\"$0\" flash g --device F0:00:00:00:00:00 --adapter sim --json")
        #expect(folder.last["code"] as? String == "file-is-directory")
        #expect(try shelf.shell("\"$0\" inspect h --json").last["code"] as? String == "file-not-found")
        guard geteuid() == 0 else { return }
        let run = try shelf.shell(
            "chmod 600 g/good.zip; chmod 755 .; "
                + "setpriv --reuid=65534 --regid=65534 --clear-groups \"$0\" inspect g/good.zip --json")
        #expect(run.status == 66)
        #expect(run.last["code"] as? String == "file-not-readable")
    }

    @Test(arguments: ["-", "/dev/stdin", "<(cat g/good.zip)", "/proc/self/fd/0"])
    func `reads firmware from stdin and from pipes`(_ name: String) throws {
        let shelf = try NamedFolder()
        for command in ["inspect", "validate"] {
            let run = try shelf.shell("cat | \"$0\" \(command) \(name) --json")
            #expect(run.status == (command == "inspect" ? 0 : 0), "\(run.output) \(run.talk)")
            #expect(run.output.contains("nordic-secure"))
        }
    }

    @Test func `reads no more from a pipe than firmware can have`() throws {
        let shelf = try NamedFolder()
        let run = try shelf.shell("yes | \"$0\" inspect - --json")
        #expect(run.last["code"] as? String == "archive-too-large")
    }

    @Test func `accepts a name with a dash after two dashes, with a hint to do so`() throws {
        let shelf = try NamedFolder()
        #expect(try shelf.shell("cp g/good.zip ./-dash.zip; \"$0\" inspect -- -dash.zip").status == 0)
        let run = try shelf.shell("\"$0\" inspect -dash.zip")
        #expect(run.status == 64)
        #expect(run.talk.contains("./-dash.zip"))
    }
}
