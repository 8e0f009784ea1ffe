import Bytes
import TestSupport
import Testing
import UpdateModel

@testable import MCUboot

/// Keys, and the entries with which they sign.
private enum Signer {
    typealias Entry = (type: UInt16, value: [UInt8])

    static let a = ImageSigner.p256(valid(P256PrivateKey(scalar: SampleKeys.p256)))
    static let b = ImageSigner.p256(valid(P256PrivateKey(scalar: SampleKeys.ed25519)))
    static let edwards = ImageSigner.ed25519(
        valid(Ed25519PrivateKey(bytes: SampleKeys.ed25519)), isPure: false)
    static let pure = ImageSigner.ed25519(valid(Ed25519PrivateKey(bytes: SampleKeys.ed25519)), isPure: true)

    private static func valid<Key>(_ key: Key?) -> Key {
        guard let key else { preconditionFailure("a key of the samples is not a key") }
        return key
    }

    static let p384 = SignatureKey(
        der: [UInt8](
            hex: "3076301006072a8648ce3d020106052b81040022036200"
                + "04cc0f5b74c76a8061e1add6d889087452fbd607ba85d88ad8900291e43319102e7a075b3b5f229326eb70f5977bf2e345"
                + "c6259cf4d5cd59c26708fe6d85f42de0f8f4585417dc16e9626f490f51b491f6486eb2111f93088d524aacdbb0426f39"
        ))
    static let rsa = SignatureKey(
        pem: """
            -----BEGIN PUBLIC KEY-----
            MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAuHosr2qyhqkR1Dkh9VMR
            WzaRIGLdaX25LBNbFJjCH1W2mSV8/Uc73ugxn5JhGMeSxn+YfD2y3ntXumtz1Amq
            boNzBI6TmS0HdQaXSNBdSyGlTx/KhiPotonJ8LBGXS3fr1ItmHrf7IUAy5k+ZITv
            +Dr+GodxmcQTaHL/yZMl0C+I/40tLhKpq5tdgEqFKkbFYiPsvgG3ya2TU/KOkoZm
            ZmWFi3i8GatKH8S0xAnF/Msk+/cMw1ztgBFzZTAo9r6L6OCP0OcY0SZeTQZZJzPl
            hVORmvEYwkOTr1OkaVXSyd/xxWPcYUOsgB19jEbbcARkroWg0PV8SVUw+JfjSKyu
            zwIDAQAB
            -----END PUBLIC KEY-----
            """)

    static func key(_ signer: ImageSigner) throws -> SignatureKey {
        try #require(SignatureKey(der: signer.publicKey))
    }

    static func entry(_ type: UInt16, _ value: [UInt8]) -> Entry { (type, value) }

    /// The entry with the hash of the key.
    static func name(_ signer: ImageSigner, _ digest: SHA2 = .sha256) -> Entry {
        (0x01, digest.digest(signer.publicKey))
    }

    static func name(_ key: SignatureKey, _ digest: SHA2) -> Entry {
        (0x01, digest.digest(key.rsaPublicKey ?? key.der))
    }

    static func signature(_ signer: ImageSigner, of draft: ImageDraft) throws -> Entry {
        (signer.signatureType.rawValue, try signer.signature(of: draft.hashed, digest: draft.hash))
    }
}

@Suite struct `The signature of an MCUboot image` {
    private static func verdict(
        by key: SignatureKey, _ digest: SHA2 = .sha256, flags: UInt32 = 0,
        _ entries: (ImageDraft) throws -> [Signer.Entry]
    ) throws -> ImageSignature.Verdict? {
        try image(digest, flags: flags, entries).verdict(by: key)
    }

    private static func image(
        _ digest: SHA2 = .sha256, flags: UInt32 = 0, _ entries: (ImageDraft) throws -> [Signer.Entry]
    ) throws -> MCUbootImage {
        var draft = ImageDraft()
        (draft.digest, draft.flags) = (digest, flags)
        draft.unprotected = try entries(draft)
        return try MCUbootImage(parsing: draft.bytes)
    }

    /// The errors with a key; the gate and `flash` stop at them.
    private static func errors(_ image: MCUbootImage, _ key: SignatureKey) -> [FailureCode] {
        var options = UpdateOptions()
        options[MCUbootOptions.self].key = key
        let file = MCUbootFile(image)
        #expect(throws: PlanRefusal.self) { try file.plan(options) }
        return file.releaseFindings(options, for: nil).filter { $0.level == .error }.map(\.code)
    }

    @Test func `is valid by the key that the image names`() throws {
        let key = try Signer.key(Signer.a)
        #expect(
            try Self.verdict(by: key) { [Signer.name(Signer.a), try Signer.signature(Signer.a, of: $0)] }
                == .valid)
        #expect(
            try Self.verdict(by: key) {
                [Signer.entry(0x02, Signer.a.publicKey), try Signer.signature(Signer.a, of: $0)]
            }
                == .valid)
        #expect(
            try Self.verdict(by: key) { [Signer.name(Signer.a), try Signer.signature(Signer.b, of: $0)] }
                == .wrong)
    }

    @Test func `over a hash that does not go with the key is wrong, and an error`() throws {
        let (p384, rsa) = (try #require(Signer.p384), try #require(Signer.rsa))
        let (a, edwards) = (try Signer.key(Signer.a), try Signer.key(Signer.edwards))
        let short: [UInt8] = [0x30, 6, 2, 1, 1, 2, 1, 1]
        let images: [(SignatureKey, MCUbootImage)] = [
            (
                a,
                try Self.image(.sha512) {
                    [Signer.name(Signer.a, .sha512), try Signer.signature(Signer.b, of: $0)]
                }
            ),
            (
                a,
                try Self.image(.sha384) { _ in [Signer.name(Signer.a, .sha384), Signer.entry(0x22, short)] }
            ),
            (p384, try Self.image { _ in [Signer.name(p384, .sha256), Signer.entry(0x22, short)] }),
            (
                p384,
                try Self.image { _ in
                    [Signer.name(p384, .sha256), Signer.entry(0x22, [UInt8](repeating: 1, count: 104))]
                }
            ),
            (
                rsa,
                try Self.image(.sha512) { _ in
                    [Signer.name(rsa, .sha512), Signer.entry(0x20, [UInt8](repeating: 0, count: 256))]
                }
            ),
            (
                edwards,
                try Self.image(.sha384) {
                    [Signer.name(Signer.edwards, .sha384), try Signer.signature(Signer.edwards, of: $0)]
                }
            ),
            (
                edwards,
                try Self.image {
                    [
                        Signer.entry(0x25, [1]), Signer.name(Signer.pure),
                        try Signer.signature(Signer.pure, of: $0),
                    ]
                }
            ),
        ]
        for (index, (key, image)) in images.enumerated() {
            #expect(image.verdict(by: key) == .wrong, "\(index)")
            #expect(Self.errors(image, key).contains(.mcubootFile.signatureWrong), "\(index)")
        }
    }

    @Test func `of P-256 over a SHA-512 is valid by its key, and no error`() throws {
        let key = try Signer.key(Signer.a)
        // Made with Python's cryptography: ECDSA(SHA512()) of the bytes that the hash covers.
        var signature = [UInt8](
            hex:
                "3045022100f86d011b874dffad60a3dcd17e385b7b6c6cbedcce8bc3ff9c68d7244f3ab276022016d08325fd8929ca"
                + "0ef1daf4334c56f2e6b45b61710ad7935a66b58405a5acbf")
        let signed = try Self.image(.sha512) { _ in
            [Signer.name(Signer.a, .sha512), Signer.entry(0x22, signature)]
        }
        #expect(signed.verdict(by: key) == .valid)
        #expect(MCUbootFile(signed).findings(key: key).isEmpty)
        signature[40] ^= 1
        let damaged = try Self.image(.sha512) { _ in
            [Signer.name(Signer.a, .sha512), Signer.entry(0x22, signature)]
        }
        #expect(damaged.verdict(by: key) == .wrong)
        #expect(Self.errors(damaged, key) == [.mcubootFile.signatureWrong])
        let other = try Signer.key(Signer.b)
        #expect(signed.verdict(by: other) == .otherKey)
    }

    @Test func `of Ed25519 is over a SHA-256, a SHA-512, or the image itself`() throws {
        let key = try Signer.key(Signer.edwards)
        for digest in [SHA2.sha256, .sha512] {
            #expect(
                try Self.verdict(by: key, digest) {
                    [Signer.name(Signer.edwards, digest), try Signer.signature(Signer.edwards, of: $0)]
                } == .valid)
        }
        #expect(
            try Self.verdict(by: key, .sha512) {
                [
                    Signer.entry(0x25, [1]), Signer.name(Signer.pure, .sha512),
                    try Signer.signature(Signer.pure, of: $0),
                ]
            } == .valid)
    }

    @Test func `that cannot be checked is an error`() throws {
        let key = try Signer.key(Signer.edwards)
        let image = try Self.image(.sha512, flags: 4) { _ in
            [
                Signer.entry(0x25, [1]), Signer.name(Signer.pure, .sha512),
                Signer.entry(0x24, [UInt8](repeating: 0, count: 64)),
                Signer.entry(0x33, [UInt8](repeating: 0, count: 80)),
            ]
        }
        #expect(Self.errors(image, key) == [.mcubootFile.signatureUncheckable])
    }

    @Test(.timeLimit(.minutes(1))) func `is not checked if there are more than four`() throws {
        var draft = ImageDraft()
        draft.body = [UInt8](repeating: 0xAA, count: 4 << 20)
        draft.digest = .sha512
        draft.unprotected =
            [Signer.entry(0x25, [1]), Signer.name(Signer.pure, .sha512)]
            + [Signer.Entry](repeating: Signer.entry(0x24, [UInt8](repeating: 1, count: 64)), count: 900)
        let image = try MCUbootImage(parsing: draft.bytes)
        #expect(
            Self.errors(image, try Signer.key(Signer.pure))
                == [.mcubootFile.signatureUncheckable, .mcubootFile.tlvsContradict])
    }

    @Test func `is wrong if one of those that name the key is`() throws {
        let key = try Signer.key(Signer.a)
        for order in [[Signer.a, Signer.b], [Signer.b, Signer.a]] {
            #expect(
                try Self.verdict(by: key) { draft in
                    try order.flatMap { [Signer.name(Signer.a), try Signer.signature($0, of: draft)] }
                } == .wrong)
        }
        #expect(
            try Self.verdict(by: key) {
                [
                    Signer.name(Signer.b), try Signer.signature(Signer.b, of: $0), Signer.name(Signer.a),
                    try Signer.signature(Signer.a, of: $0),
                ]
            } == .valid)
    }

    @Test func `is named by a hash of the kind of the image's`() throws {
        let image = try Self.image {
            [Signer.name(Signer.a, .sha512), try Signer.signature(Signer.a, of: $0)]
        }
        #expect(
            Self.errors(image, try Signer.key(Signer.a))
                == [.mcubootFile.otherKey, .mcubootFile.tlvsContradict])
        // Bootloaders refuse the image for it, although the given key is there, too.
        let both = try Self.image {
            [
                Signer.name(Signer.b, .sha512), try Signer.signature(Signer.b, of: $0), Signer.name(Signer.a),
                try Signer.signature(Signer.a, of: $0),
            ]
        }
        #expect(Self.errors(both, try Signer.key(Signer.a)) == [.mcubootFile.tlvsContradict])
    }

    @Test func `has its key before it, and uses it up`() throws {
        let key = try Signer.key(Signer.a)
        #expect(
            try Self.verdict(by: key) { [try Signer.signature(Signer.a, of: $0), Signer.name(Signer.a)] }
                == .otherKey)
        #expect(
            try Self.verdict(by: key) {
                [
                    Signer.name(Signer.b), try Signer.signature(Signer.b, of: $0),
                    try Signer.signature(Signer.a, of: $0),
                ]
            } == .otherKey)
        // A bootloader does not check the second one.
        #expect(
            try Self.verdict(by: key) {
                [
                    Signer.name(Signer.a), try Signer.signature(Signer.a, of: $0),
                    try Signer.signature(Signer.b, of: $0),
                ]
            } == .valid)
    }

    @Test func `without a key in the image is for any`() throws {
        let key = try Signer.key(Signer.a)
        #expect(try Self.verdict(by: key) { [try Signer.signature(Signer.a, of: $0)] } == .valid)
        let wrong = try Self.image { [try Signer.signature(Signer.b, of: $0)] }
        #expect(Self.errors(wrong, key) == [.mcubootFile.signatureWrong])
        let text = wrong.findings(key: key).first { $0.code == .mcubootFile.signatureWrong }?.message
        #expect(text?.contains("does not name its key") == true)
    }

    @Test func `does not change which program it is`() throws {
        let images = try [Signer.a, Signer.b].map { signer in
            MCUbootFile(
                try Self.image { [Signer.name(signer), try Signer.signature(signer, of: $0)] })
        }
        #expect(images[0].identity == images[1].identity && images[0].identity != nil)
    }
}
