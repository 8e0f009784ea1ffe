import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .programs) struct `The program building MCUboot images` {
    private static let version = ["--version", "1.2.3+4", "--pad-header"]

    private func code(in folder: String) throws -> String {
        try Tool.write((0..<3000).map { UInt8(truncatingIfNeeded: $0 &* 7) }, as: "code.bin", in: folder)
    }

    @Test(arguments: ["p256", "ed25519"]) func `signs what it accepts itself`(type: String) throws {
        try Tool.inFolder { folder in
            let (key, other) = ("\(folder)/key.pem", "\(folder)/other.pem")
            _ = try Program.run(["keys", "generate", key, "--type", type])
            _ = try Program.run(["keys", "generate", other, "--type", type])
            let build = ["build", "mcuboot", try code(in: folder)]
            let image = "\(folder)/app.bin"
            let run = try Program.run(build + [image] + Self.version + ["--key-file", key])
            #expect(run.status == 0, "\(run.talk)")
            #expect(try Program.run(["validate", image, "--public-key", key]).status == 0)
            #expect(try Program.run(["validate", image, "--public-key", other]).status == 1)
            let package = "\(folder)/app.zip"
            let second = try Program.run(
                build + [package] + Self.version + [
                    "--key-file", key, "--add-image", "1=\(image)", "--soc", "nRF5340",
                ])
            #expect(second.status == 0, "\(second.talk)")
            #expect(try Program.run(["validate", package, "--public-key", key]).status == 0)
            #expect(try Program.run(["validate", package, "--public-key", other]).status == 1)
        }
    }

    @Test func `writes nothing if it cannot make the image`() throws {
        try Tool.inFolder { folder in
            let image = "\(folder)/app.bin"
            let build = ["build", "mcuboot", try code(in: folder), image, "--version", "1.2.3"]
            for (options, words) in [
                ([], "--pad-header"), (["--pad-header", "--slot-size", "1000"], "slot"),
                (["--pad-header", "--key-file", "\(folder)/code.bin"], "key"),
            ] {
                let run = try Program.run(build + options)
                #expect(run.status == 65, "\(run.talk)")
                #expect(run.talk.contains(words), "\(run.talk)")
                #expect(!FileManager.default.fileExists(atPath: image))
            }
            // A key of P-256 cannot sign an image itself, and nobody signs with RSA here.
            let key = "\(folder)/key.pem"
            _ = try Program.run(["keys", "generate", key])
            #expect(try Program.run(build + ["--pad-header", "--pure", "--key-file", key]).status == 65)
            let half = try Tool.run(["openssl", "pkey", "-in", key, "-pubout"]).text
            let open = try Tool.write(Array(half.utf8), as: "product.pub", in: folder)
            let refused = try Program.run(build + ["--pad-header", "--key-file", open])
            #expect(refused.status == 65 && refused.talk.contains("this is a public key"), "\(refused.talk)")
            let rsa = try Tool.run(["openssl", "genpkey", "-algorithm", "RSA"]).text
            let path = try Tool.write(Array(rsa.utf8), as: "rsa.pem", in: folder)
            let run = try Program.run(build + ["--pad-header", "--key-file", path])
            #expect(run.status == 65 && run.talk.contains("P-256 or Ed25519"), "\(run.talk)")
        }
    }
}
