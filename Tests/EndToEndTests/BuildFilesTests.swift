import Foundation
import TestSupport
import Testing

/// A folder for the builds of a test, with a program of 1024 bytes in it.
private final class BuildFolder {
    let folder: String
    static let ramp = (0..<1024).map { UInt8($0 & 0xFF) }

    init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/beacon-dfu-build-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try write(Self.ramp, as: "ramp.bin")
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func path(_ name: String) -> String { folder + "/" + name }

    func write(_ bytes: [UInt8], as name: String) throws {
        try Data(bytes).write(to: URL(filePath: path(name)))
    }

    func write(_ text: String, as name: String) throws { try write(Array(text.utf8), as: name) }

    func bytes(_ name: String) throws -> [UInt8] { try Samples.file(at: path(name)) }

    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }

    /// Builds `firmware` into `output`, both in the folder.
    func build(
        _ kind: String, _ options: [String], firmware: String = "ramp.bin", output: String = "out",
        environment: [String: String] = [:]
    ) throws -> Program.Run {
        try Program.run(
            ["build", kind, path(firmware), path(output)] + options, environment: environment)
    }
}

private let suota = ["--header", "58x", "--version", "1.2.3", "--timestamp", "1700000000"]
private let fbeacon = ["--model", "BP102", "--version-end", "2"]
private let key = "00112233445566778899aabbccddeeff"
private let vector = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"

@Suite(.serialized, .timeLimit(.minutes(10)), .programs) struct `The program building a SUOTA image` {
    /// Samples, where their program begins, and the options that reproduce them.
    static let samples: [(String, Int, [String])] = [
        ("58x", 64, ["--header", "58x", "--version", "1.2.3", "--timestamp", "2023-11-14T22:13:20Z"]),
        (
            "58x-27000", 64,
            [
                "--header", "58x", "--version", "6.0.14.1114", "--timestamp", "1700086400", "--image-id",
                "0xff",
            ]
        ),
        ("531", 64, ["--header", "531", "--version", "6.0.24", "--timestamp", "1735689600"]),
        ("68x", 36, ["--header", "68x", "--version", "1.2.3", "--timestamp", "1700000000"]),
        (
            "68x-filled", 64,
            [
                "--header", "68x", "--version", "1.2.3", "--timestamp", "1700000000", "--payload-offset",
                "64",
            ]
        ),
        ("69x", 1024, ["--header", "69x", "--version", "1.2.3", "--timestamp", "1700000000"]),
        (
            "69x", 1024,
            [
                "--header", "69x", "--version", "1.2.3", "--timestamp", "1700000000", "--payload-offset",
                "0x400",
            ]
        ),
    ]

    @Test(arguments: samples)
    func `reproduces each sample, byte for byte`(
        _ name: String, _ start: Int, _ options: [String]
    ) throws {
        let workshop = try BuildFolder()
        let sample = try Samples.bytes("dialog/\(name).img")
        try workshop.write(Array(sample[start...]), as: "program.bin")
        let run = try workshop.build("suota", options, firmware: "program.bin")
        #expect(run.status == 0, "\(run.talk)")
        #expect(try workshop.bytes("out") == sample)
        #expect(run.output.contains("Dialog SUOTA image"))
        let again = try workshop.build("suota", options, firmware: "program.bin", output: "again")
        #expect(again.status == 0)
        #expect(try workshop.bytes("again") == sample)
        #expect(workshop.names == ["again", "out", "program.bin", "ramp.bin"])
    }

    @Test func `reports to scripts what it built`() throws {
        let workshop = try BuildFolder()
        let run = try workshop.build("suota", suota + ["--json"])
        #expect(run.names == ["built"])
        #expect(run.last["kind"] as? String == "suota")
        #expect(run.last["file"] as? String == workshop.path("out"))
        #expect(run.last["crc32"] as? String == "b70b4c26")
        #expect(run.last["crc_matches"] as? Bool == true)
        #expect(run.talk.isEmpty)
    }

    @Test func `reads Intel HEX, and fills its gaps`() throws {
        let workshop = try BuildFolder()
        try workshop.write(
            ":0400000001020304F2\n:040008000506070" + "8DA\n:00000001FF\n", as: "gap.hex")
        let run = try workshop.build("suota", suota, firmware: "gap.hex")
        #expect(run.status == 0, "\(run.talk)")
        #expect(
            try Array(workshop.bytes("out")[64...]) == [1, 2, 3, 4, 0xFF, 0xFF, 0xFF, 0xFF, 5, 6, 7, 8])
    }

    @Test func `reads Intel HEX as objcopy writes it`() throws {
        let workshop = try BuildFolder()
        _ = try Tool.output(of: [
            "objcopy", "-I", "binary", "-O", "ihex", "--change-addresses", "0x7fc0000",
            workshop.path("ramp.bin"), workshop.path("ramp.hex"),
        ])
        #expect(try workshop.build("suota", suota, firmware: "ramp.hex").status == 0)
        #expect(try workshop.bytes("out") == (try Samples.bytes("dialog/58x.img")))
    }

    @Test func `takes the time from SOURCE_DATE_EPOCH, and never from the clock`() throws {
        let workshop = try BuildFolder()
        let options = ["--header", "58x", "--version", "1.2.3"]
        let without = try workshop.build("suota", options + ["--json"])
        #expect(without.last["timestamp_unix"] as? Int == 0)
        let findings = without.last["findings"] as? [[String: Any]] ?? []
        #expect(findings.map { $0["id"] as? String } == ["timestamp-missing", "unauthenticated"])
        let epoch = ["SOURCE_DATE_EPOCH": "1700000000"]
        #expect(try workshop.build("suota", options, environment: epoch).status == 0)
        #expect(try workshop.bytes("out") == (try Samples.bytes("dialog/58x.img")))
        let given = try workshop.build(
            "suota", options + ["--timestamp", "1600000000", "--json"], environment: epoch)
        #expect(given.last["timestamp_unix"] as? Int == 1_600_000_000)
        let wrong = try workshop.build("suota", options, environment: ["SOURCE_DATE_EPOCH": "now"])
        #expect(wrong.status == 64)
        #expect(wrong.talk.contains("SOURCE_DATE_EPOCH"))
    }

    @Test func `exits 64 on a wrong option, names it, and writes nothing`() throws {
        let workshop = try BuildFolder()
        for (kind, options, words) in [
            ("suota", ["--version", "1"], "--header"),
            ("suota", suota + ["--payload-offset", "64"], "always 64"),
            ("suota", ["--header", "68x", "--version", "1", "--payload-offset", "35"], "36 to 65536"),
            ("fbeacon", ["--version-end", "2"], "give the model"),
        ] {
            let run = try workshop.build(kind, options)
            #expect(run.status == 64, "\(run.talk)")
            #expect(run.talk.contains(words), "\(run.talk)")
            #expect(run.output.isEmpty)
        }
        #expect(workshop.names == ["ramp.bin"])
    }

    @Test func `refuses a file that is not a program`() throws {
        let workshop = try BuildFolder()
        try workshop.write([0x7F, 0x45, 0x4C, 0x46, 1, 1, 1, 0], as: "program.elf")
        try workshop.write([], as: "empty.bin")
        try workshop.write(":0400000001020304F3\n:00000001FF\n", as: "damaged.hex")
        try workshop.write(
            ":020000040000FA\n:0100000001FE\n:020000041000EA\n:0100000001FE\n:00000001FF\n", as: "far.hex")
        try workshop.write(try Samples.bytes("dialog/58x.img"), as: "image.img")
        let hex = ":0426000001020304CC\n:00000001FF\n"
        let wide: [UInt8] = hex.utf8.flatMap { [$0, 0] as [UInt8] }
        try workshop.write([0xFF, 0xFE] + wide, as: "wide.hex")
        try workshop.write(wide, as: "bare.hex")
        try workshop.write(String(repeating: "für ", count: 40), as: "page.txt")
        let cases = [
            ("wide.hex", "not-an-image", 65), ("bare.hex", "not-an-image", 65),
            ("page.txt", "not-an-image", 65),
            ("program.elf", "not-an-image", 65), ("empty.bin", "file-empty", 65),
            ("damaged.hex", "hex-invalid", 65), ("far.hex", "hex-invalid", 65),
            ("image.img", "not-an-image", 65), ("nowhere.bin", "file-not-found", 66),
        ]
        for (name, code, status) in cases {
            let run = try workshop.build("suota", suota + ["--json"], firmware: name)
            #expect(run.status == status, "\(name)")
            #expect(run.names == ["failed"], "\(name)")
            #expect(run.last["code"] as? String == code, "\(name)")
            #expect((run.last["message"] as? String)?.contains(name) == true)
        }
        #expect(!workshop.names.contains("out"))
    }

    @Test func `replaces an existing file completely or not at all`() throws {
        let workshop = try BuildFolder()
        // It begins as images of the 58x family do, so it may be replaced.
        try workshop.write("pQold", as: "out")
        #expect(try workshop.build("suota", suota, firmware: "nowhere.bin").status == 66)
        #expect(try workshop.bytes("out") == Array("pQold".utf8))
        #expect(try workshop.build("suota", suota).status == 0)
        #expect(try workshop.bytes("out").count == 1088)
        #expect(workshop.names == ["out", "ramp.bin"])
        try FileManager.default.createDirectory(
            atPath: workshop.path("folder"), withIntermediateDirectories: true)
        for place in ["nowhere/out", "folder"] {
            let run = try workshop.build("suota", suota + ["--json"], output: place)
            #expect(run.status == 66, "\(place)")
            #expect(run.last["code"] as? String == "file-not-writable")
        }
        #expect(workshop.names == ["folder", "out", "ramp.bin"])
    }

    @Test func `does not overwrite the firmware`() throws {
        let workshop = try BuildFolder()
        try FileManager.default.createSymbolicLink(
            atPath: workshop.path("link"), withDestinationPath: "ramp.bin")
        for (kind, options, output) in [("suota", suota, "link"), ("fbeacon", fbeacon, "ramp.bin")] {
            let run = try workshop.build(kind, options, output: output)
            #expect(run.status == 64, "\(output)")
            #expect(run.talk.contains("an input of the package"))
        }
        #expect(try workshop.bytes("ramp.bin") == BuildFolder.ramp)
    }

    @Test func `still prints the program's version`() throws {
        let run = try Program.run(["--version"])
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("beacon-dfu 0.1."))
    }
}

@Suite(.serialized, .timeLimit(.minutes(10)), .programs) struct `The program encrypting a SUOTA image` {
    @Test func `encrypts with a key that appears only in its file`() throws {
        let workshop = try BuildFolder()
        try workshop.write("  " + key.uppercased() + "\n", as: "key")
        #expect(chmod(workshop.path("key"), 0o600) == 0)
        let run = try workshop.build(
            "suota", suota + ["--key-file", workshop.path("key"), "--iv", vector, "--json"])
        #expect(run.status == 0, "\(run.talk)")
        #expect(run.names == ["built"])
        #expect(run.last["encrypted"] as? Bool == true)
        #expect(run.last["crc32"] as? String == "b70b4c26")
        #expect(run.last["crc_matches"] is NSNull)
        let image = try workshop.bytes("out")
        #expect(image.count == 64 + 1024)
        let plain = try Tool.output(
            of: ["openssl", "enc", "-d", "-aes-128-cbc", "-nopad", "-K", key, "-iv", vector],
            input: Array(image[64...]))
        #expect(plain == BuildFolder.ramp)
    }

    @Test func `warns of a key on the command line`() throws {
        let workshop = try BuildFolder()
        let options = suota + ["--key", key, "--iv", vector]
        let run = try workshop.build("suota", options)
        #expect(run.status == 0)
        #expect(run.talk.hasPrefix("warning "))
        #expect(run.talk.contains("--key"))
        let json = try workshop.build("suota", options + ["--json", "--log-level", "trace"])
        #expect(json.names == ["warning", "built"])
        #expect(json.first("warning")?["code"] as? String == "key-on-command-line")
        for text in [run.output, run.talk, json.output, json.talk] {
            #expect(!text.lowercased().contains(key))
        }
    }

    @Test(arguments: [(0o600, []), (0o640, ["warning"]), (0o604, ["warning"])])
    func `warns of a key file that others can read`(_ mode: Int, _ warnings: [String]) throws {
        let workshop = try BuildFolder()
        try workshop.write(key, as: "key")
        try FileManager.default.setAttributes(
            [.posixPermissions: mode], ofItemAtPath: workshop.path("key"))
        let run = try workshop.build(
            "suota", suota + ["--key-file", workshop.path("key"), "--iv", vector, "--json"])
        #expect(run.names == warnings + ["built"])
        #expect(run.first("warning").map { $0["code"] as? String == "key-file-exposed" } != false)
    }

    /// Unusable keys, and their number of digits.
    static let unusable = [
        "", "00", "00112233445566778899aabbccddee", key + "00", "0x" + key, "geheim", key + "0",
    ]

    @Test(arguments: unusable) func `refuses a wrong key and never prints it`(_ wrong: String) throws {
        let workshop = try BuildFolder()
        try workshop.write(wrong, as: "key")
        let file = ["--key-file", workshop.path("key"), "--iv", vector]
        for (options, status) in [
            (["--key", wrong, "--iv", vector], 64), (file, 65), (["--key", key, "--iv", wrong], 64),
        ] {
            let run = try workshop.build("suota", suota + options + ["--json"])
            #expect(run.status == status, "\(run.output)")
            #expect(run.last["code"] as? String == "encryption-key-invalid")
            #expect(wrong.count < 3 || !(run.output + run.talk).contains(wrong))
            #expect(!(run.output + run.talk).contains(key))
        }
        #expect(workshop.names == ["key", "ramp.bin"])
    }

    @Test func `reports a missing key file`() throws {
        let workshop = try BuildFolder()
        let run = try workshop.build(
            "suota", suota + ["--key-file", workshop.path("key"), "--iv", vector, "--json"])
        #expect(run.status == 66)
        #expect(run.last["code"] as? String == "file-not-found")
    }
}

@Suite(.serialized, .timeLimit(.minutes(10)), .programs) struct `The program building an open container` {
    /// Samples, where their program begins, and the options that reproduce them.
    static let samples: [(String, Int, [String])] = [
        (
            "bp102", 39,
            [
                "--model", "BP102", "--bootloader", "651", "--version-start", "800", "--version-end", "840",
                "--no-payload-sha256",
            ]
        ),
        (
            "bt909", 32,
            [
                "--model", "20", "--bootloader", "0xcc", "--version-start", "218", "--version-end", "226",
                "--no-payload-sha256",
            ]
        ),
    ]

    @Test(arguments: samples)
    func `reproduces each sample, byte for byte`(
        _ name: String, _ start: Int, _ options: [String]
    ) throws {
        let workshop = try BuildFolder()
        let sample = try Samples.bytes("feasycom/\(name).fbu")
        try workshop.write(Array(sample[start...]), as: "program.bin")
        for output in ["out", "again"] {
            let run = try workshop.build("fbeacon", options, firmware: "program.bin", output: output)
            #expect(run.status == 0, "\(run.talk)")
            #expect(try workshop.bytes(output) == sample)
        }
    }

    @Test func `writes every record`() throws {
        let workshop = try BuildFolder()
        let sample = try Samples.bytes("feasycom/all-records.fbu")
        // The sample ends with a record of an unknown type, which is never written: 06 02 BE EF.
        let records = Int(sample[24]) | Int(sample[25]) << 8
        try workshop.write(Array(sample[(32 + records)...]), as: "program.bin")
        let run = try workshop.build(
            "fbeacon",
            [
                "--model-type", "BP108", "--version-start", "1", "--version-end", "2", "--restore-defaults",
                "--version-text", "v1.2 – shelf", "--note", "for tests only", "--built-at",
                "2023-11-14T22:13:20Z", "--json",
            ], firmware: "program.bin")
        #expect(run.status == 0, "\(run.talk)")
        let made = try workshop.bytes("out")
        #expect(made[24] == UInt8(records - 4))
        #expect(made[32..<(32 + records - 4)] == sample[32..<(32 + records - 4)])
        #expect(Array(made[(32 + records - 4)...]) == Array(sample[(32 + records)...]))
        #expect(Array(made[10..<20]) == Array(sample[10..<20]))
        #expect(run.last["restore_defaults"] as? Bool == true)
        #expect(run.last["model_type_num"] as? Int == 0)
    }

    @Test(arguments: [("BP108", 39), ("BT926B", 39), ("BT836B", 36), ("BP108N", 40)])
    func `uses the name to distinguish two models of one number`(_ name: String, _ number: Int) throws {
        let workshop = try BuildFolder()
        let run = try workshop.build("fbeacon", ["--model", name, "--version-end", "2", "--json"])
        #expect(run.last["model_type_num"] as? Int == number)
        #expect(run.last["model_type"] as? String == name)
        let findings = run.last["findings"] as? [[String: Any]] ?? []
        #expect(findings.map { $0["id"] as? String } == ["unauthenticated"])
        let bare = try workshop.build("fbeacon", ["--model", "\(number)", "--version-end", "2", "--json"])
        let told = bare.last["findings"] as? [[String: Any]] ?? []
        #expect(told.map { $0["id"] as? String } == ["model-ambiguous", "unauthenticated"])
    }

    @Test func `writes the hash of the payload and no time by default`() throws {
        let workshop = try BuildFolder()
        let epoch = ["SOURCE_DATE_EPOCH": "1700000000"]
        let run = try workshop.build("fbeacon", fbeacon + ["--json"], environment: epoch)
        let names = { (run: Program.Run) in
            (run.last["extension"] as? [[String: Any]] ?? []).map { $0["name"] as? String }
        }
        #expect(names(run) == ["modelType", "payloadSha256"])
        let records = run.last["extension"] as? [[String: Any]]
        let hash = try Tool.output(of: ["sha256sum"], input: BuildFolder.ramp)
        #expect(records?.last?["value"] as? String == String(decoding: hash.prefix(64), as: UTF8.self))
        let without = try workshop.build("fbeacon", fbeacon + ["--no-payload-sha256", "--json"])
        #expect(names(without) == ["modelType"])
    }

    @Test func `accepts texts up to the maximum length of the format`() throws {
        let workshop = try BuildFolder()
        let run = try workshop.build(
            "fbeacon",
            [
                "--model", "21", "--model-type", String(repeating: "m", count: 32), "--version-end", "65535",
                "--version-text", String(repeating: "ü", count: 16), "--note",
                String(repeating: "n", count: 255), "--built-at", "4294967295",
            ])
        #expect(run.status == 0, "\(run.talk)")
    }
}

@Suite(.timeLimit(.minutes(10)), .programs) struct `The program given a whole Dialog flash` {
    private let path = Samples.root + "/firmware-samples/malformed/dialog-multi-part.img"

    @Test func `explains its content`() throws {
        let run = try Program.run(["inspect", path])
        #expect(run.status == 65)
        #expect(
            run.output.replacingOccurrences(of: path, with: "flash.img").hasPrefix(
                """
                flash.img: dialog-flash-image

                  boot header     SPI, bootloader of 1024 bytes
                  image at 0x2000 1.0.0, 2023-11-14T22:13:20Z, 58x, 64 bytes, id 01, the one that starts
                  image at 0x3000 1.1.0, 2023-11-14T22:13:20Z, 58x, 64 bytes, id 00
                  product header  at 0x4000, DA1458x, DA1453x, images at 0x2000 and 0x3000

                hint: the file holds
                """))
    }

    @Test func `reports its content to scripts`() throws {
        let run = try Program.run(["inspect", path, "--json"])
        let flash = try #require(run.last["flash"] as? [String: Any])
        #expect(flash["boot_header"] as? String == "spi")
        #expect(flash["bootloader_bytes"] as? Int == 1024)
        let images = try #require(flash["images"] as? [[String: Any]])
        #expect(images.map { $0["version"] as? String } == ["1.0.0", "1.1.0"])
        #expect(images.map { $0["offset"] as? Int } == [0x2000, 0x3000])
        #expect(images.map { $0["image_id"] as? String } == ["01", "00"])
        #expect(images.map { $0["starts"] as? Bool } == [true, false])
        let product = try #require(flash["product_header"] as? [String: Any])
        #expect(product["offset"] as? Int == 0x4000)
        #expect(product["images"] as? [Int] == [0x2000, 0x3000])
    }
}
