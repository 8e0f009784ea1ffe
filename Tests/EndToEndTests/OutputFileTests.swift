import Foundation
import Nordic
import TestSupport
import Testing

/// A folder with an application, a signing key and an AES key.
private final class Bench {
    let folder: String
    static let aes = "00112233445566778899aabbccddeeff"

    init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/beacon-dfu-output-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try write(try Samples.bytes("hex/application.hex"), as: "app.hex")
        try write(Array(NordicPrivateKey().pem.utf8), as: "key.pem", mode: 0o600)
        try write(Array(Self.aes.utf8), as: "aes.txt", mode: 0o600)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func path(_ name: String) -> String { folder + "/" + name }

    func write(_ bytes: [UInt8], as name: String, mode: mode_t = 0o644) throws {
        try Tool.write(bytes, as: name, in: folder)
        #expect(chmod(path(name), mode) == 0)
    }

    func bytes(_ name: String) throws -> [UInt8] { try Samples.file(at: path(name)) }

    func mode(_ name: String) -> mode_t? {
        var status = stat()
        return lstat(path(name), &status) == 0 ? status.st_mode : nil
    }

    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }

    /// Runs one of the four builds, with every kind of input that it accepts.
    func build(_ kind: String, to output: String, _ more: [String] = []) throws -> Program.Run {
        let options =
            switch kind {
            case "nordic":
                [
                    output, "--application", path("app.hex"), "--application-version", "1", "--hw-version",
                    "52", "--sd-req", "0x98", "--key-file", path("key.pem"),
                ]
            case "nordic-legacy":
                [output, "--application", path("app.hex"), "--key-file", path("key.pem")]
            case "suota":
                [
                    path("app.hex"), output, "--header", "58x", "--version", "1", "--key-file",
                    path("aes.txt"), "--iv", Self.aes,
                ]
            default: [path("app.hex"), output, "--model", "BP102", "--version-end", "2"]
            }
        return try Program.run(["build", kind] + options + more)
    }
}

@Suite(.timeLimit(.minutes(10)), .programs) struct `The program writing a build` {
    /// A build, and one of the files that it reads.
    static let inputs = [
        ("nordic", "key.pem"), ("nordic", "app.hex"), ("nordic-legacy", "key.pem"),
        ("nordic-legacy", "app.hex"), ("suota", "aes.txt"), ("suota", "app.hex"), ("fbeacon", "app.hex"),
    ]

    @Test(arguments: inputs) func `does not overwrite its input`(_ kind: String, _ input: String) throws {
        let bench = try Bench()
        let before = try bench.bytes(input)
        let mode = bench.mode(input)
        try FileManager.default.createSymbolicLink(
            atPath: bench.path("link"), withDestinationPath: input)
        #expect(link(bench.path(input), bench.path("twin")) == 0)
        let outputs = [
            bench.path(input), bench.path("./") + input, bench.path("link"), bench.path("twin"),
        ]
        for output in outputs {
            let run = try bench.build(kind, to: output, ["--json"])
            #expect(run.status == 64, "\(output): \(run.output)")
            #expect(run.last["code"] as? String == "output-is-input")
            #expect(try bench.bytes(input) == before)
            #expect(bench.mode(input) == mode)
        }
        #expect(bench.names == ["aes.txt", "app.hex", "key.pem", "link", "twin"])
    }

    @Test func `does not overwrite the bootloader and the SoftDevice either`() throws {
        let bench = try Bench()
        try bench.write(try Samples.bytes("hex/softdevice.hex"), as: "sd.hex")
        let images = ["--softdevice", bench.path("sd.hex"), "--bootloader", bench.path("app.hex")]
        let nordic = ["--bootloader-version", "2", "--hw-version", "52", "--sd-req", "0x98"]
        for name in ["sd.hex", "app.hex"] {
            let before = try bench.bytes(name)
            for options in [["nordic", bench.path(name)] + nordic, ["nordic-legacy", bench.path(name)]] {
                let run = try Program.run(["build"] + options + images + ["--json"])
                #expect(run.last["code"] as? String == "output-is-input")
                #expect(try bench.bytes(name) == before)
            }
        }
    }

    @Test func `writes through a link, and leaves the link`() throws {
        let bench = try Bench()
        try FileManager.default.createDirectory(
            atPath: bench.path("real"), withIntermediateDirectories: true)
        for (link, target) in [("a", "real/out"), ("b", bench.path("real/new")), ("c", "a")] {
            try FileManager.default.createSymbolicLink(
                atPath: bench.path(link), withDestinationPath: target)
        }
        try bench.write(try Samples.bytes("feasycom/bt909.fbu"), as: "real/out")
        // `b` leads to a file that does not exist yet, `c` through another link.
        for (link, target) in [("a", "real/out"), ("b", "real/new"), ("c", "real/out")] {
            let version = link == "c" ? ["--note", "c"] : []
            #expect(try bench.build("fbeacon", to: bench.path(link), version).status == 0)
            #expect(bench.mode(link).map { $0 & S_IFMT } == S_IFLNK)
            #expect(bench.mode(target).map { $0 & S_IFMT } == S_IFREG)
            #expect(try bench.bytes(target).count > 1000)
            #expect(try bench.bytes(link) == (try bench.bytes(target)))
        }
        #expect(try bench.bytes("real/out") != (try bench.bytes("real/new")))
        #expect(bench.names == ["a", "aes.txt", "app.hex", "b", "c", "key.pem", "real"])
        try FileManager.default.createSymbolicLink(
            atPath: bench.path("self"), withDestinationPath: "self")
        #expect(try bench.build("fbeacon", to: bench.path("self")).status == 66)
    }

    @Test func `replaces nothing but files`() throws {
        let bench = try Bench()
        #expect(mkfifo(bench.path("pipe"), 0o644) == 0)
        #expect(mkdir(bench.path("folder"), 0o755) == 0)
        for (link, target) in [("nowhere", "/dev/null"), ("piped", "pipe")] {
            try FileManager.default.createSymbolicLink(
                atPath: bench.path(link), withDestinationPath: target)
        }
        let before = bench.names
        let cases = [
            ("pipe", "is a pipe"), ("folder", "is a folder"), ("nowhere", "is a device"),
            ("piped", "is a pipe"),
        ]
        for (name, words) in cases {
            let mode = bench.mode(name)
            let run = try bench.build("fbeacon", to: bench.path(name), ["--json"])
            #expect(run.status == 66, "\(name)")
            #expect(run.last["code"] as? String == "file-not-writable")
            #expect((run.last["message"] as? String)?.hasSuffix(words) == true, "\(run.output)")
            #expect((run.last["next_step"] as? String)?.contains("name of a file") == true)
            #expect(bench.mode(name) == mode)
        }
        #expect(bench.names == before)
        let run = try bench.build("fbeacon", to: "/dev/stdout", ["--json"])
        #expect(run.status == 66)
        #expect((run.last["message"] as? String)?.contains("is a pipe") == true, "\(run.output)")
    }

    @Test func `is not blocked by the remains of a killed run`() throws {
        let bench = try Bench()
        // `exec` keeps the process id, from which a name may be derived.
        let line = #"touch "$1.$$.part"; exec "$0" build fbeacon "$2" "$1" --model BP102 --version-end 2"#
        let run = try Tool.run([
            "bash", "-c", line, Program.path, bench.path("out"), bench.path("app.hex"),
        ])
        #expect(run.status == 0)
        #expect(bench.names.count == 5)
    }

    @Test func `keeps the mode of an existing file`() throws {
        let bench = try Bench()
        for mode in [0o600, 0o664, 0o440] as [mode_t] {
            try bench.write(try Samples.bytes("feasycom/bt909.fbu"), as: "out", mode: mode)
            #expect(try bench.build("fbeacon", to: bench.path("out")).status == 0)
            #expect(bench.mode("out").map { $0 & 0o777 } == mode)
        }
        #expect(try bench.build("fbeacon", to: bench.path("new")).status == 0)
        let status = String(decoding: try Samples.file(at: "/proc/self/status"), as: UTF8.self)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("Umask:") })
        let mask = try #require(line.split(separator: "\t").last.flatMap { mode_t($0, radix: 8) })
        #expect(bench.mode("new").map { $0 & 0o777 } == 0o644 & ~mask)
    }
}
