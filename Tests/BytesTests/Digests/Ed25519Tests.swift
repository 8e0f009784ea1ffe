import Bytes
import TestSupport
import Testing

@Suite struct `An Ed25519 key` {
    /// RFC 8032, 7.1, tests 1 to 3.
    @Test(arguments: [
        (
            "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
        ),
        (
            "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        ),
        (
            "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
        ),
    ])
    func `signs and verifies as in RFC 8032`(
        secret: String, publicBytes: String, message: String, signature: String
    ) throws {
        let key = try #require(Ed25519PrivateKey(bytes: [UInt8](hex: secret)))
        #expect(key.publicKey.bytes == [UInt8](hex: publicBytes))
        let (text, made) = ([UInt8](hex: message), [UInt8](hex: signature))
        #expect(try key.signature(of: text) == made)
        #expect(key.publicKey.verifies(made, of: text))
        #expect(!key.publicKey.verifies(made, of: text + [0]))
        #expect(!key.publicKey.verifies(made.dropLast() + [made[63] ^ 1], of: text))
        #expect(!key.publicKey.verifies(Array(made.dropLast()), of: text))
    }

    @Test func `has the PEM form and the signatures of OpenSSL`() throws {
        try Tool.inFolder { folder in
            let made = try Tool.run(["openssl", "genpkey", "-algorithm", "ed25519"]).text
            let theirs = try Tool.write(Array(made.utf8), as: "theirs.pem", in: folder)
            let key = try #require(Ed25519PrivateKey(pem: made))
            #expect(key.pem == made)
            #expect(try Tool.run(["openssl", "pkey", "-in", theirs, "-pubout"]).text == key.publicKey.pem)
            #expect(Ed25519PublicKey(pem: key.publicKey.pem)?.bytes == key.publicKey.bytes)
            #expect(Ed25519PublicKey(pem: made)?.bytes == key.publicKey.bytes)
            let message = try Tool.write(Array("a catalogue".utf8), as: "message", in: folder)
            let ours = try Tool.write(
                try key.signature(of: Array("a catalogue".utf8)), as: "signature", in: folder)
            let verify = ["openssl", "pkeyutl", "-verify", "-rawin", "-inkey", theirs, "-in", message]
            #expect(try Tool.run(verify + ["-sigfile", ours]).status == 0)
        }
    }

    @Test func `is not read from the PEM of other keys, or from part of one`() throws {
        let key = try Ed25519PrivateKey()
        #expect(Ed25519PrivateKey(pem: key.publicKey.pem) == nil)
        #expect(Ed25519PublicKey(pem: "") == nil)
        let x25519 = try Tool.run(["openssl", "genpkey", "-algorithm", "x25519"]).text
        #expect(Ed25519PrivateKey(pem: x25519) == nil)
        #expect(Ed25519PublicKey(pem: x25519) == nil)
        for (pem, label) in [(key.pem, "PRIVATE KEY"), (key.publicKey.pem, "PUBLIC KEY")] {
            let bytes = try #require(PEMBlock.blocks(in: pem).first?.bytes)
            for count in 0..<bytes.count {
                let part = PEMBlock.text(label: label, Array(bytes.prefix(count)))
                #expect(Ed25519PublicKey(pem: part) == nil)
            }
            #expect(Ed25519PublicKey(pem: PEMBlock.text(label: label, bytes + [0])) == nil)
        }
    }

    @Test func `does not print its secret`() throws {
        let key = try #require(Ed25519PrivateKey(bytes: [UInt8](repeating: 0x5A, count: 32)))
        var text = "\(key) \(String(reflecting: key)) \([key])"
        dump(key, to: &text)
        #expect(!text.contains("90, 90") && !text.lowercased().contains("5a5a"))
    }
}
