import Foundation
import Nordic
import TestSupport
import Testing

/// A folder with a package, a key and a file that may be overwritten.
private final class OverwriteFolder {
    let tray: Tray
    let key: [UInt8]
    var folder: String { tray.folder }

    init() throws {
        tray = try Tray("  - {address: 'F0:00:00:00:00:00'}")
        key = try Array(NordicPrivateKey().pem.utf8)
        try Tool.write(key, as: "key.pem", in: folder)
        try Tool.write(try Samples.bytes("nordic/tiny.zip"), as: "package.zip", in: folder)
        try Tool.write(Array("notes of mine\n".utf8), as: "notes.txt", in: folder)
    }

    func path(_ name: String) -> String { folder + "/" + name }
    func bytes(_ name: String) throws -> [UInt8] { try Samples.file(at: path(name)) }

    /// A build that reads no key.
    func build(_ output: String, _ more: [String] = []) throws -> Program.Run {
        try Program.run(
            [
                "build", "nordic", path(output), "--application",
                Samples.root + "/firmware-samples/hex/application.hex", "--application-version", "1",
                "--hw-version", "52", "--sd-req", "0xB6", "--json",
            ] + more)
    }

    func scan(_ more: [String], adapter: String = "sim") throws -> Program.Run {
        try Program.run(["scan", "--adapter", adapter, "--for", "0.2", "--json"] + more)
    }
}

@Suite(.timeLimit(.minutes(10)), .programs) struct `The program that would overwrite a file` {
    @Test func `keeps a key, whatever the options`() throws {
        let desk = try OverwriteFolder()
        let forms = try [
            desk.key, Array(NordicPrivateKey().publicKey.hex.utf8),
            Array("00112233445566778899aabbccddeeff\n".utf8),
            Array("\u{FEFF}00112233445566778899aabbccddeeff\r\n".utf8),
            Array("-----BEGIN ENCRYPTED PRIVATE KEY-----\nx\n".utf8), [0x30, 0x03, 0x02, 0x01, 0x05],
        ]
        for form in forms {
            try Tool.write(form, as: "key.pem", in: desk.folder)
            for more in [[], ["--overwrite"]] {
                let runs = [
                    try desk.build("key.pem", more),
                    try desk.scan(["--capture", desk.path("key.pem")] + more),
                    try desk.scan(["--log-file", desk.path("key.pem"), "--log-level", "debug"] + more),
                ]
                for run in runs {
                    #expect(run.status == 64)
                    #expect(run.last["code"] as? String == "would-destroy-key", "\(run.output)")
                }
                #expect(try desk.bytes("key.pem") == form)
            }
        }
    }

    @Test func `keeps its input`() throws {
        let desk = try OverwriteFolder()
        for option in ["--capture", "--log-file"] {
            for file in ["package.zip", "tray.yaml"] {
                let before = try desk.bytes(file)
                let run = try desk.tray.flash(
                    desk.path("package.zip"), "F0:00:00:00:00:00", [option, desk.path(file), "--overwrite"])
                #expect(run.status == 64)
                #expect(run.last["code"] as? String == "output-is-input", "\(run.output)")
                #expect(try desk.bytes(file) == before)
            }
        }
    }

    @Test func `keeps a file of another kind, unless told otherwise`() throws {
        let desk = try OverwriteFolder()
        let before = try desk.bytes("notes.txt")
        let refused = [
            try desk.build("notes.txt"), try desk.scan(["--capture", desk.path("notes.txt")]),
            try desk.scan(["--log-file", desk.path("notes.txt")]),
            try desk.scan(["--capture", desk.path("package.zip")]),
            try desk.scan(["--log-file", desk.path("package.zip")]),
        ]
        for run in refused {
            #expect(run.status == 66)
            #expect(run.last["code"] as? String == "file-exists", "\(run.output)")
        }
        #expect(try desk.bytes("notes.txt") == before)
        #expect(try desk.scan(["--log-file", desk.path("notes.txt"), "--overwrite"]).status == 0)
        #expect(try desk.bytes("notes.txt").starts(with: before))
        #expect(try desk.build("notes.txt", ["--overwrite"]).status == 0)
        #expect(try desk.bytes("notes.txt").starts(with: [0x50, 0x4B]))
    }

    @Test func `overwrites files of the kind that it writes, and empty ones`() throws {
        let desk = try OverwriteFolder()
        try Tool.write([], as: "empty", in: desk.folder)
        for output in ["package.zip", "empty", "new.zip", "package.zip"] {
            #expect(try desk.build(output).status == 0)
        }
        #expect(try desk.scan(["--capture", desk.path("a.btsnoop")]).status == 0)
        #expect(try desk.bytes("a.btsnoop").count == 16)
        #expect(try desk.scan(["--capture", desk.path("a.btsnoop")]).status == 0)
        try Tool.write(Array("2026-11-22T14:42:18Z info beacon-dfu: x\n".utf8), as: "log", in: desk.folder)
        #expect(try desk.scan(["--log-file", desk.path("log")]).status == 0)
        #expect(try desk.bytes("log").starts(with: Array("2026-11-22T14".utf8)))
    }

    @Test func `leaves a recording alone if there is no adapter`() throws {
        let desk = try OverwriteFolder()
        let old = Array("btsnoop\0".utf8) + [UInt8](repeating: 1, count: 500)
        try Tool.write(old, as: "old.btsnoop", in: desk.folder)
        for name in ["old.btsnoop", "new.btsnoop"] {
            let run = try desk.scan(["--capture", desk.path(name)], adapter: "hci77")
            #expect([69, 77].contains(run.status))
        }
        #expect(try desk.bytes("old.btsnoop") == old)
        #expect(access(desk.path("new.btsnoop"), F_OK) != 0)
    }

    @Test func `does not wait for a pipe's reader`() throws {
        let desk = try OverwriteFolder()
        #expect(mkfifo(desk.path("pipe"), 0o600) == 0)
        for option in ["--capture", "--log-file"] {
            let run = try desk.scan([option, desk.path("pipe")])
            #expect(run.status == 66)
            #expect((run.last["message"] as? String)?.contains("a pipe without a reader") == true)
        }
    }

    @Test func `makes no file called - and accepts long names`() throws {
        let desk = try OverwriteFolder()
        let run = try Program.run([
            "build", "fbeacon", Samples.root + "/firmware-samples/hex/application.hex", "-", "--model",
            "BP102",
            "--version-end", "2", "--json",
        ])
        #expect(run.status == 66)
        #expect((run.last["next_step"] as? String)?.contains("./-") == true)
        let long = String(repeating: "n", count: 255)
        #expect(try desk.build(long).status == 0)
        #expect(try desk.build(long).status == 0)
        #expect(
            try Program.run(["keys", "generate", desk.path(String(repeating: "k", count: 255))]).status == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: desk.folder)
        #expect(!names.contains { $0.hasSuffix(".part") })
    }

    /// As the kernel with fs.protected_symlinks: links of other users in a folder where every user may create files.
    @Test func `follows no link of others in a shared folder`() throws {
        guard geteuid() == 0 else { return }
        let desk = try OverwriteFolder()
        #expect(mkdir(desk.path("shared"), 0o777) == 0 && chmod(desk.path("shared"), 0o1777) == 0)
        let link = desk.path("shared/link.zip")
        #expect(symlink(desk.path("package.zip"), link) == 0 && lchown(link, 65534, 65534) == 0)
        let before = try desk.bytes("package.zip")
        for run in [try desk.build("shared/link.zip"), try desk.build("shared/link.zip", ["--overwrite"])] {
            #expect(run.status == 66)
            #expect((run.last["message"] as? String)?.contains("another user's link") == true)
        }
        #expect(try desk.bytes("package.zip") == before)
        #expect(lchown(link, geteuid(), getegid()) == 0)
        #expect(try desk.build("shared/link.zip").status == 0)
    }
}
