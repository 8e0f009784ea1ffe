import Bytes
import TestSupport
import Testing

/// A key, the digest of an image, and the signature that imgtool 2.5.0 made of it.
struct SignedDigest: CustomTestStringConvertible {
    let kind: SignatureKey.Kind
    let key, digest, signature: [UInt8]

    init(_ kind: SignatureKey.Kind, key: String, digest: String, signature: String) {
        self.kind = kind
        (self.key, self.digest) = ([UInt8](hex: key), [UInt8](hex: digest))
        self.signature = [UInt8](hex: signature)
    }

    var testDescription: String { "\(kind)" }

    static let all = [
        SignedDigest(
            .p256,
            key: "3059301306072a8648ce3d020106082a8648ce3d030107034200049e54d06df543cb411e20bce6c11fe8de3f"
                + "f344678f030bc69d07ab9885f02817bf1c4eb1ca0c23c3f93d1efb51f208f445402b695342a7cca1640d66ae"
                + "f1d1cc",
            digest: "841b7154f78e0f28652c97bc057f7d4a1019828910f11fc8100e7bc3b2a4d01f",
            signature:
                "3045022100e209807dfb700b95f26b8d12667fafd95208af70562a95a43fb86dd566228855022017ef1a3afb"
                + "4ccfb3bee79da78614be8c08981343f6d9b24ef4a1ec940820ecb8"),
        SignedDigest(
            .p384,
            key: "3076301006072a8648ce3d020106052b81040022036200044b8921f5787c78c52f70e1623ccda36d322b1443"
                + "fc47328a40000b69320fe4f3196de0769aea8ce201da6c757384dd1a4ae8f00a48fa6b012bed479edb5f7c41"
                + "866335cfc9e328653b6492120c50e0cfecaf0e1cf8bd4bc1dd1089684e8338e2",
            digest: "eb78d791b8ee75af74c90445d5d34cbbb76a3d1dcdf5a68699bb2b0869dc3a2f541c39f235397ceaf4bb05e8"
                + "5cdd8cba",
            signature:
                "3066023100d2d3fe7da13f8ccf32645ca58679397fa7e219eb9e6213c2d7955075fd7ea66ccca2b5662e1ef7"
                + "3c97bb72918353b45e023100c4b2e6177f4849bf0f5a33adf9615bf90d5b0713fd7a87bb9c3c1f2095d08cec"
                + "59f88c9d7c3321bd7985b27e5f092f55"),
        SignedDigest(
            .rsa(bits: 2048),
            key: "30820122300d06092a864886f70d01010105000382010f003082010a0282010100938b20b0982ff82aba2a38"
                + "c14a63c3e78da9a9527c136c27e34401d0e4aaf823f019d84258590b77074b91857779d360438c911276ce5b"
                + "d1c77bd5fb181f9b5eb65683c62ecfc97a57dd727f53e069dac9bf6bdd800d1c4f967970c079419dfb531478"
                + "60829c5c7f76f01f1f9f57f197bcc54b6d3ffd2f85f62b6441d3cb1f5e0d427b31f4d2b59de502c451d74955"
                + "204fab6055350cc9793ad543013efd13d6aa80f1a73d0463fd88f4d38c62abd7ee8da9c54445ac6d8ffdfe41"
                + "e7d8f2ea79f0714d97da56cb0c8e03a6394625ecc5033f83e961fecd368d80440e75b4dbccc8fd6f0aa389a4"
                + "d1411c8c6b2025f0d925f41fd5d8648783db3038b406aa068f0203010001",
            digest: "841b7154f78e0f28652c97bc057f7d4a1019828910f11fc8100e7bc3b2a4d01f",
            signature:
                "493fc31e9f7390fd5cdf3f0eb54c1518eac672909d1ece0452510d181b09d0397194c8e0f18063ba32c578b1"
                + "0ecbde60bf15cd8fed7fc063a508a4aca06bdb77305bea10f704f8c165856e3e09050124bac84ffdae248aae"
                + "6cc5234add15e54de05bd1eeabad4c61c66b43a5992a1a6a73bc452ec88411cbc43b919b30b0cb2cae6acedb"
                + "f1fa193e35a19d0b189bdb33706ff16268284113735b5bb2036088ae1400ab7302b2059c3f3205c8f0a1a1bd"
                + "924ed457fdb6a274707f095cbfe6f256d898f10bc0e2aea55c29f20eb55608e854cea58b9b090a071d26ac51"
                + "359bd6256918f55e06bfe5cf515a1ae0e2dabd0d08e9334c42cfe5c4c6bb59531b42e072"),
        SignedDigest(
            .rsa(bits: 3072),
            key: "308201a2300d06092a864886f70d01010105000382018f003082018a0282018100a42225f163290bc869560e"
                + "8485b83df7ae30ccea7881d6180e951d758811d92be082a8e3d007d6ca9f567bfc85d5c2fd1f1a19f96a744c"
                + "f0e0beb79ebb07c01d5b7cd4d50ded197ea9188a9ce658322be5e9dbd34cf6dba9c4b11ad0e2704783ada043"
                + "2da87a3719fb2af1f3ad8cc8d505b3b2680adf454a28ffb8ad0be88636725e845c6c659031a17ff8216b2734"
                + "7ce8dcb6acb0c74f7e83e4763a4e3e0a296d5ee35afcc71c22730faf8a797fa9a2a2aac057b33ec7b9b9ffce"
                + "99cd70e90fa39dbf95500a5193eee0021fec36965d670217c322879e673481bd719d66506d4e07235468eb27"
                + "890c37fc0edf4c88b0d85035ccc11638da8544644bd4457bf0612abed176fef90d5ed68b9297749fb195bb78"
                + "d228a4fd24e6541d9c32ac86f50f4c1f127accfe0fc45af8106d5252adb1d9a6feba78d42b67c7dacfa1c2b1"
                + "32b088067d1a64f6bebc47e481999e49012bdbaa9dd048b8836f35511ae48336ae71a5b65d285a54e73fb516"
                + "07bfe379b6fefe2c6ee4c12850bb99de72dd2961590203010001",
            digest: "841b7154f78e0f28652c97bc057f7d4a1019828910f11fc8100e7bc3b2a4d01f",
            signature:
                "3fe85aff461578d3453eede35327eac8f8cab97b6763c2d740cc39ec525526cc5143ea18661e3f37027b32d9"
                + "64c151abad773bfa5b84d86d39fe6e7649172a42a82f23f3443bdfbb592f9d709b17dcdccca87b46c661d27d"
                + "e3d5f779b58955da07e46e9664792fd69f6ffbdd1c643d5c29af924db16bb3b8a4fd7e15054248e5b115d279"
                + "d832db1c0c86e2bc99bec3c30a045667933c74c335015beedc59cd0c5cbe2f91f8ff7136f33d7b39380b8ab1"
                + "a1f24309354e63ba16877b983ccaefb4d2e4a3a9805c8f790507118882f4a6d2800f6a6004ad74f2125f2871"
                + "eb088854cbdb2ccf76b65cbf62d51d8bd3eebdcd6cff3b6dca612d2dbc9addb4c6bc84ce0adc1f4ffd0c2d54"
                + "5f34c56654fcc077853bcc10fcd41c59b8ddadc49fd67f8d02985328fafee8d265ab8486b6989ad3958dc9be"
                + "5852b8a62f1e66cb87c89308538eba8aadc608da9b6a3e80b8dd310e87666ad27b021968ab1458fe968101ee"
                + "835a4ffacf90575c54366926a6e07b2751a880b8959ac3ef9afb907e52aff5bd"),
        SignedDigest(
            .ed25519,
            key: "302a300506032b65700321009300109d2192ff7dbf2d319d46354f4514856f4c90fc5a341d0f5f2b9117b0de",
            digest: "841b7154f78e0f28652c97bc057f7d4a1019828910f11fc8100e7bc3b2a4d01f",
            signature:
                "eef2ddfa1feb35d813b79b0ac2e89a7a9edf0dc2894dd8a659cc4a1b81cd036c9de9cf758d39ed0f04665e23"
                + "a95c74da712fc5005738c326d68c8d87c051c207"),
    ]
}

extension SignatureKey {
    /// Whether the key takes the signature, by the method of its kind: Ed25519 signs the digest as a message.
    fileprivate func takes(_ signature: [UInt8], of digest: [UInt8]) -> Bool {
        kind == .ed25519 ? verifies(signature, of: digest) : verifies(signature, ofDigest: digest)
    }
}

@Suite struct `A key that checks signatures` {
    @Test(arguments: SignedDigest.all)
    func `takes the signature of imgtool and no other`(sample: SignedDigest) throws {
        let key = try #require(SignatureKey(der: sample.key))
        #expect(key.kind == sample.kind)
        #expect(key.der == sample.key)
        #expect(key.takes(sample.signature, of: sample.digest))
        for flip in Corruption.flips(of: sample.signature) {
            #expect(!key.takes(flip.bytes, of: sample.digest), "byte \(flip.index)")
        }
        for prefix in Corruption.prefixes(of: sample.signature) {
            #expect(!key.takes(prefix, of: sample.digest), "\(prefix.count) bytes")
        }
        #expect(!key.takes(sample.signature + [0], of: sample.digest))
        for flip in Corruption.flips(of: sample.digest) {
            #expect(!key.takes(sample.signature, of: flip.bytes))
        }
        #expect(!key.takes(sample.signature, of: []))
        #expect(!key.takes(sample.signature, of: sample.digest + [0]))
    }

    @Test func `of P-256 takes a signature over a SHA-512, and of no other kind`() throws {
        let p256 = try #require(SignedDigest.all.first { $0.kind == .p256 })
        let key = try #require(SignatureKey(der: p256.key))
        // The digest of 41 bytes, and Python's signature of them: ECDSA(SHA512()).
        let digest = [UInt8](
            hex:
                "77be6734033938cadb15da3069da6569667a966bc056c5cff74f5a56257ef185b607f900e872adb99537732c10718bcb"
                + "233627196d64a5e38552482b81baddef")
        let signature = [UInt8](
            hex:
                "3045022100f86d011b874dffad60a3dcd17e385b7b6c6cbedcce8bc3ff9c68d7244f3ab276022016d08325fd8929ca"
                + "0ef1daf4334c56f2e6b45b61710ad7935a66b58405a5acbf")
        #expect(key.verifies(signature, ofDigest: digest))
        #expect(!key.verifies(signature, ofDigest: [digest[0] ^ 1] + digest.dropFirst()))
        #expect(!key.verifies(signature, ofDigest: Array(digest.prefix(48))))
        #expect(!key.verifies(p256.signature, ofDigest: digest))
        for sample in SignedDigest.all where sample.kind != .p256 {
            let other = try #require(SignatureKey(der: sample.key))
            #expect(!other.verifies(sample.signature, ofDigest: digest), "\(sample.kind)")
        }
    }

    @Test(arguments: SignedDigest.all)
    func `refuses the signatures of other keys`(sample: SignedDigest) throws {
        for other in SignedDigest.all where other.kind != sample.kind {
            let key = try #require(SignatureKey(der: other.key))
            #expect(!key.verifies(sample.signature, ofDigest: sample.digest), "\(other.kind)")
            #expect(!key.verifies(sample.signature, of: sample.digest), "\(other.kind)")
        }
    }

    @Test(arguments: SignedDigest.all)
    func `is not made of damaged structures`(sample: SignedDigest) throws {
        for prefix in Corruption.prefixes(of: sample.key) { #expect(SignatureKey(der: prefix) == nil) }
        #expect(SignatureKey(der: sample.key + [0]) == nil)
        for flip in Corruption.flips(of: sample.key) {
            // A changed number can be another key, never this one.
            guard let key = SignatureKey(der: flip.bytes) else { continue }
            #expect(key.der == flip.bytes && key.der != sample.key, "byte \(flip.index)")
            #expect(!key.takes(sample.signature, of: sample.digest), "byte \(flip.index)")
        }
    }

    @Test func `has the signature of the method of its kind only`() throws {
        for sample in SignedDigest.all {
            let key = try #require(SignatureKey(der: sample.key))
            if sample.kind == .ed25519 {
                #expect(!key.verifies(sample.signature, ofDigest: sample.digest))
            } else {
                #expect(!key.verifies(sample.signature, of: sample.digest))
            }
        }
    }

    @Test(arguments: SignedDigest.all)
    func `is read from the PEM that OpenSSL writes, whole or as the public half`(sample: SignedDigest) throws
    {
        #expect(SignatureKey(pem: PEMBlock.text(label: "PUBLIC KEY", sample.key))?.der == sample.key)
        let arguments =
            switch sample.kind {
            case .p256: ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]
            case .p384: ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384"]
            case .rsa(let bits): ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:\(bits)"]
            case .ed25519: ["-algorithm", "ed25519"]
            }
        try Tool.inFolder { folder in
            let secret = try Tool.run(["openssl", "genpkey"] + arguments).text
            let path = try Tool.write(Array(secret.utf8), as: "secret.pem", in: folder)
            let open = try Tool.run(["openssl", "pkey", "-in", path, "-pubout"]).text
            let key = try #require(SignatureKey(pem: open))
            #expect(key.kind == sample.kind)
            #expect(PEMBlock.text(label: "PUBLIC KEY", key.der) == open)
            #expect(SignatureKey(pem: secret) == key)
            if sample.kind != .ed25519 {
                let old = try Tool.run(["openssl", "pkey", "-in", path, "-traditional"]).text
                #expect(old.contains(" PRIVATE KEY") && SignatureKey(pem: old) == key)
                #expect(SignatureKey(pem: old + secret + open) == key)
            }
            // Two keys are no answer to the question which one is meant.
            #expect(SignatureKey(pem: open + PEMBlock.text(label: "PUBLIC KEY", sample.key)) == nil)
        }
    }

    @Test func `has the bytes of PKCS 1 if it is RSA`() throws {
        for sample in SignedDigest.all {
            let key = try #require(SignatureKey(der: sample.key))
            guard case .rsa(let bits) = sample.kind else {
                #expect(key.rsaPublicKey == nil)
                continue
            }
            let bytes = try #require(key.rsaPublicKey)
            // A sequence of the modulus and the exponent 65537, which ends the SubjectPublicKeyInfo.
            #expect(sample.key.suffix(bytes.count) == bytes[...])
            #expect(bytes.count == bits / 8 + 14)
            #expect(bytes.starts(with: [0x30, 0x82]) && bytes.suffix(5) == [0x02, 0x03, 1, 0, 1])
        }
    }

    @Test(arguments: [
        ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024"],
        ["-algorithm", "RSA-PSS", "-pkeyopt", "rsa_keygen_bits:2048"],
        ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-521"],
        ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:secp256k1"],
        ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-pkeyopt", "ec_param_enc:explicit"],
        ["-algorithm", "x25519"], ["-algorithm", "ed448"],
    ])
    func `is not of another type or size`(arguments: [String]) throws {
        try Tool.inFolder { folder in
            let secret = try Tool.run(["openssl", "genpkey"] + arguments).text
            let path = try Tool.write(Array(secret.utf8), as: "secret.pem", in: folder)
            let open = try Tool.run(["openssl", "pkey", "-in", path, "-pubout"]).text
            #expect(open.contains("PUBLIC KEY"))
            #expect(SignatureKey(pem: open) == nil)
            #expect(SignatureKey(pem: secret) == nil)
        }
    }

    @Test func `completes a compressed point`() throws {
        let whole = try #require(SignatureKey(der: SignedDigest.all[0].key))
        let start = SignedDigest.all[0].key.prefix(26)
        let (x, y) = (whole.der[27..<59], whole.der[59..<91])
        var short = Array(start) + [(y.last ?? 0) & 1 == 0 ? 2 : 3] + x
        (short[1], short[24]) = (short[1] - 32, short[24] - 32)
        #expect(SignatureKey(der: short) == whole)
    }
}

@Suite struct `SHA-2` {
    /// FIPS 180-4, the examples of NIST with the message `abc`.
    @Test func `has the digests of NIST's examples`() {
        let abc = Array("abc".utf8)
        #expect(
            SHA2.sha256.digest(abc).hex == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            SHA2.sha384.digest(abc).hex == "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
                + "8086072ba1e7cc2358baeca134c825a7")
        #expect(
            SHA2.sha512.digest(abc).hex == "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f")
    }

    @Test(arguments: SHA2.allCases)
    func `has digests of its length, also of nothing`(method: SHA2) {
        #expect(method.digest([]).count == method.count)
    }
}
