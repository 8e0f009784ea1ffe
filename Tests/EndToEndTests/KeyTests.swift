import Foundation
import NordicDFU
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct `The program that keeps keys` {
    @Test func `makes one that only its owner can read, and never writes over a file`() throws {
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

    @Test func `shows the public half in every form, and the private one only when asked`() throws {
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
                // What is shown is a key file itself.
                let copy = try Tool.write(Array(run.output.utf8), as: format, in: folder)
                #expect(try Program.run(["keys", "show", copy]).output == key.publicKey.hex + "\n")
                let secret = try Program.run(["keys", "show", copy, "--key", "sk"])
                #expect(secret.status == 65)
                #expect(secret.talk.contains("the private one is needed"))
            }
            let secret = try Program.run(["keys", "show", path, "--key", "sk"])
            #expect(secret.output == key.hex + "\n")
            #expect(secret.talk.contains("whoever sees it can sign"))
            let pem = try Program.run(["keys", "show", path, "--key", "sk", "--format", "pem", "--json"])
            #expect(pem.last["text"] as? String == key.pem)
            #expect(pem.names == ["warning", "key"])
            #expect(try Program.run(["keys", "show", path, "--key", "sk", "--format", "code"]).status == 64)
        }
    }

    @Test func `says that nrfutil's own key is everybody's`() throws {
        let known = try #require(NordicPublicKey.nrfutilDefault)
        try Tool.inFolder { folder in
            let path = try Tool.write(Array(known.hex.utf8), as: "default.txt", in: folder)
            let run = try Program.run(["keys", "show", path, "--json"])
            #expect(run.status == 0)
            #expect(run.events.first?["code"] as? String == "signed-with-default-key")
            #expect(run.last["publicly_known"] as? Bool == true)
        }
    }

    @Test func `says what is wrong with a file that is none`() throws {
        let run = try Program.run(["keys", "show", Samples.root + "/README.md"])
        #expect(run.status == 65)
        #expect(run.talk.contains("key-invalid"))
        #expect(try Program.run(["keys", "show", "/nowhere"]).status == 66)
    }
}
