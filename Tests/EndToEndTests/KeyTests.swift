import Bytes
import Foundation
import Nordic
import TestSupport
import Testing
import UpdateModel

@Suite(.timeLimit(.minutes(10)), .programs) struct `The program that manages keys` {
    @Test func `makes one that only its owner can read, and never overwrites a file`() throws {
        try Tool.inFolder { folder in
            let path = "\(folder)/key.pem"
            let run = try Program.run(["keys", "generate", path, "--json"])
            #expect(run.status == 0)
            #expect(run.names == ["generated"])
            let text = String(decoding: try Samples.file(at: path), as: UTF8.self)
            let key = try NordicPrivateKey(text: text)
            #expect(run.last["public_key"] as? String == key.publicKey.hex)
            #expect(!run.output.contains(key.hex))
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let again = try Program.run(["keys", "generate", path])
            #expect(again.status == 66)
            #expect(again.talk.contains("file-exists"))
            #expect(String(decoding: try Samples.file(at: path), as: UTF8.self) == text)
            #expect(try Program.run(["keys", "generate", folder + "/no/key.pem"]).status == 66)
        }
    }

    @Test func `shows the public half in every form, and the private one only on request`() throws {
        try Tool.inFolder { folder in
            let path = "\(folder)/key.pem"
            _ = try Program.run(["keys", "generate", path])
            let key = try NordicPrivateKey(text: String(decoding: try Samples.file(at: path), as: UTF8.self))
            let forms = [
                ("hex", key.publicKey.hex + "\n"), ("pem", key.publicKey.pem), ("code", key.publicKey.code),
            ]
            for (format, text) in forms {
                let run = try Program.run(["keys", "show", path, "--format", format])
                #expect(run.status == 0)
                #expect(run.output == text)
                #expect(run.talk.isEmpty)
                // The output is itself a key file.
                let copy = try Tool.write(Array(run.output.utf8), as: format, in: folder)
                #expect(try Program.run(["keys", "show", copy]).output == key.publicKey.hex + "\n")
                let secret = try Program.run(["keys", "show", copy, "--key", "sk"])
                #expect(secret.status == 65)
                #expect(secret.talk.contains("the private key is needed"))
            }
            let secret = try Program.run(["keys", "show", path, "--key", "sk"])
            #expect(secret.output == key.hex + "\n")
            #expect(secret.talk.contains("anyone who sees it can sign"))
            let pem = try Program.run(["keys", "show", path, "--key", "sk", "--format", "pem", "--json"])
            #expect(pem.last["text"] as? String == key.pem)
            #expect(pem.names == ["warning", "key"])
            #expect(try Program.run(["keys", "show", path, "--key", "sk", "--format", "code"]).status == 64)
        }
    }

    @Test func `makes and shows Ed25519 keys for catalogues`() throws {
        try Tool.inFolder { folder in
            let path = "\(folder)/key.pem"
            let run = try Program.run(["keys", "generate", path, "--type", "ed25519", "--json"])
            #expect(run.last["type"] as? String == "ed25519")
            let shown = try Program.run(["keys", "show", path, "--json"])
            #expect(shown.last["text"] as? String == run.last["public_key"] as? String)
            #expect(shown.last["is_private"] as? Bool == true)
            let pem = try Program.run(["keys", "show", path, "--format", "pem"]).output
            #expect(try Tool.run(["openssl", "pkey", "-in", path, "-pubout"]).text == pem)
            let copy = try Tool.write(Array(pem.utf8), as: "public.pem", in: folder)
            #expect(try Program.run(["keys", "show", copy, "--format", "pem"]).output == pem)
            #expect(try Program.run(["keys", "show", copy, "--key", "sk"]).status == 65)
            #expect(try Program.run(["keys", "show", path, "--format", "code"]).status == 65)
            let package = ["validate", Samples.root + "/firmware-samples/nordic/tiny.zip", "--public-key"]
            let gate = try Program.run(package + [copy])
            #expect(gate.status == 1)
            #expect(
                gate.output.contains("signature-invalid") && gate.output.contains("Ed25519"), "\(gate.output)"
            )
        }
    }

    @Test(arguments: ["ed25519", "p256"])
    func `shows the public key of a file whose private one is encrypted`(_ type: String) throws {
        try Tool.inFolder { folder in
            let path = "\(folder)/key.pem"
            _ = try Program.run(["keys", "generate", path, "--type", type])
            let half = try Tool.run(["openssl", "pkey", "-in", path, "-pubout"]).text
            let encrypted = try Tool.run(
                ["openssl", "pkcs8", "-topk8", "-in", path, "-passout", "pass:secret"]
            ).text
            let both = try Tool.write(Array((half + encrypted).utf8), as: "both.pem", in: folder)
            #expect(try Program.run(["keys", "show", both, "--format", "pem"]).output == half)
            let secret = try Program.run(["keys", "show", both, "--key", "sk"])
            #expect(secret.status == 65 && secret.talk.contains("the key is encrypted"), "\(secret.talk)")
        }
    }

    @Test func `reports that nrfutil's own key is public knowledge`() throws {
        let known = try #require(NordicPublicKey.defaultKey)
        try Tool.inFolder { folder in
            let path = try Tool.write(Array(known.hex.utf8), as: "default.txt", in: folder)
            let run = try Program.run(["keys", "show", path, "--json"])
            #expect(run.status == 0)
            #expect(run.events.first?["code"] as? String == "signed-with-default-key")
            #expect(run.last["publicly_known"] as? Bool == true)
        }
    }

    @Test func `reports why a file is not a key`() throws {
        let run = try Program.run(["keys", "show", Samples.root + "/README.md"])
        #expect(run.status == 65)
        #expect(run.talk.contains("key-invalid"))
        #expect(try Program.run(["keys", "show", "/nowhere"]).status == 66)
    }

    /// Runs a line of bash with the program as `$0`; returns its exit status and its output.
    private func shell(_ line: String, _ arguments: String...) throws -> (status: Int32, output: String) {
        let run = try Tool.run(["bash", "-c", line, Program.path] + arguments)
        return (run.status, run.text)
    }

    @Test func `reads keys from pipes, to sign with and to show`() throws {
        try Tool.inFolder { folder in
            let key = try NordicPrivateKey()
            let path = try Tool.write(Array(key.pem.utf8), as: "key.pem", in: folder)
            let shown = try shell(#""$0" keys show <(cat "$1")"#, path)
            #expect(shown.status == 0)
            #expect(shown.output == key.publicKey.hex + "\n")
            let typed = try shell(#"cat "$1" | "$0" keys show /dev/stdin"#, path)
            #expect(typed.output == key.publicKey.hex + "\n")
            // In two pieces, the second one written before or after the first was read: the text is the same.
            let slow = try shell(
                #""$0" keys show <(head -c 100 "$1"; "$0" --version > "$1.out"; tail -c +101 "$1")"#, path)
            #expect(slow.output == key.publicKey.hex + "\n")
            let application = Samples.root + "/firmware-samples/hex/application.hex"
            let built = try shell(
                #""$0" build nordic-legacy "$1" --application "$2" --key-file <(cat "$3") --json"#,
                folder + "/out.zip", application, path)
            #expect(built.status == 0)
            #expect(!built.output.contains("key-file-exposed"))
            let package = try LegacyPackage(parsing: try Samples.file(at: folder + "/out.zip"))
            #expect(package.findings(key: key.publicKey).allSatisfy { $0.level != .error })
            let digits = "00112233445566778899aabbccddeeff"
            let encrypted = try shell(
                #""$0" build suota "$2" "$1" --header 58x --version 1 --key-file <(echo "$3") --iv "$3" --json"#,
                folder + "/out.img", application, digits)
            #expect(encrypted.status == 0)
            #expect(!encrypted.output.contains("key-file-exposed"))
        }
    }

    @Test func `reads a key after a byte order mark`() throws {
        try Tool.inFolder { folder in
            let key = try NordicPrivateKey()
            let path = try Tool.write([0xEF, 0xBB, 0xBF] + key.pem.utf8, as: "key.pem", in: folder)
            let run = try Program.run(["keys", "show", path, "--format", "hex"])
            #expect(run.status == 0)
            #expect(run.output.filter { !$0.isWhitespace } == key.publicKey.hex)
        }
    }

    @Test func `reads no folder and no endless input as a key`() throws {
        for (path, code, status) in [
            ("/tmp", "file-is-directory", Int32(66)), ("/dev/zero", "key-invalid", 65),
            ("/dev/null", "key-invalid", 65),
        ] {
            let run = try Program.run(["keys", "show", path, "--json"])
            #expect(run.status == status, "\(path)")
            #expect(run.last["code"] as? String == code)
        }
        try Tool.inFolder { folder in
            let text = try NordicPrivateKey().publicKey.hex
            for (more, status) in [(65536 - 128, Int32(0)), (65536 - 127, 65)] {
                let filled = text + String(repeating: "\n", count: more)
                let path = try Tool.write(Array(filled.utf8), as: "key", in: folder)
                #expect(try Program.run(["keys", "show", path]).status == status)
            }
        }
    }

    @Test func `ends at Ctrl-C while it waits for a pipe`() throws {
        try Tool.inFolder { folder in
            let path = folder + "/pipe"
            #expect(mkfifo(path, 0o600) == 0)
            // The shell's open returns when the program has opened the other end; it then waits for input that never
            // comes.
            let run = try shell(
                #""$0" keys show "$1" --json > "$1.out" & exec 3> "$1"; kill -INT $!; wait $!; "#
                    + #"s=$?; cat "$1.out"; exit $s"#, path)
            #expect(run.status == 130)
            #expect(run.output.contains("\"interrupted\""))
        }
    }

    @Test func `never prints the content of the file`() throws {
        let secret = "5ec2e7c0de5ec2e7"
        let texts = [
            "uint8_t k[2] = { 0x01, 0x\(secret) };", "{ \(secret) }", secret + secret + "x",
            "-----BEGIN \(secret)-----\nAAAA\n-----END \(secret)-----",
            "-----BEGIN \(secret) PRIVATE KEY-----\nAAAA\n-----END \(secret) PRIVATE KEY-----",
        ]
        try Tool.inFolder { folder in
            for text in texts {
                let path = try Tool.write(Array(text.utf8), as: "key", in: folder)
                let run = try Program.run(["keys", "show", path])
                #expect(run.status == 65)
                #expect(!(run.output + run.talk).contains("5ec"), "\(run.talk)")
            }
        }
    }
}
