import Bytes
import MCUboot
import TestSupport
import Testing

/// An image that imgtool 2.5.0 made of the program of ``MCUbootRecipe/sample``: its length and its SHA-256.
struct MadeImage: CustomTestStringConvertible, Sendable {
    enum Signature: Sendable { case none, ed25519, pure }

    let testDescription: String
    let signature: Signature
    let bytes: Int
    let digest: [UInt8]
    let change: @Sendable (inout MCUbootRecipe) -> Void

    init(
        _ name: String, _ signature: Signature, bytes: Int, _ digest: String,
        _ change: @escaping @Sendable (inout MCUbootRecipe) -> Void = { _ in }
    ) {
        (testDescription, self.signature, self.bytes) = (name, signature, bytes)
        (self.digest, self.change) = ([UInt8](hex: digest), change)
    }

    func signer() throws -> ImageSigner? {
        let key = try #require(Ed25519PrivateKey(bytes: SampleKeys.ed25519))
        return switch signature {
        case .none: nil
        case .ed25519: .ed25519(key, isPure: false)
        case .pure: .ed25519(key, isPure: true)
        }
    }

    static let all = [
        MadeImage(
            "unsigned", .none, bytes: 372,
            "640cd172dcd356deeb2f4da7a36d6033b861f89cb9144c936b2994bfa5e029b5"),
        MadeImage(
            "unsigned with SHA-384", .none, bytes: 388,
            "3f92b7cad244dab651dd4ed8b7aa0cf3f8fb720573937ed09fd596c542d99759"
        ) {
            $0.digest = .sha384
        },
        MadeImage(
            "unsigned with SHA-512", .none, bytes: 404,
            "0f3b43243f9ec20dc94dd85b91dcf87428384465f4313a88d65ffa60439f9c44"
        ) {
            $0.digest = .sha512
        },
        MadeImage(
            "of Ed25519", .ed25519, bytes: 476,
            "ed225afbcdde785d7ce44c524102220328d30a4b159fe7dc7c62540e77d44421"),
        MadeImage(
            "of Ed25519 over SHA-512", .ed25519, bytes: 540,
            "35e0fd9d48050edb33ba61e0e0965cb81d55c2af8bece62ec721b1b00414cc9e"
        ) {
            $0.digest = .sha512
        },
        MadeImage(
            "of pure Ed25519", .pure, bytes: 545,
            "6300a5f77b7ad3af83f8b10df9b13568776c5acd8e6a558e9af3fb9eb49b077c"),
        MadeImage(
            "with the whole key", .ed25519, bytes: 488,
            "e35763468b9d070a1dd7dacb712608c3b56226b8ef48c855adbef27c4936000d"
        ) {
            $0.carriesKey = true
        },
        MadeImage(
            "with a header of 512 bytes", .ed25519, bytes: 956,
            "49b5875a3c597781f06780f0b5a6517d45732222e449507bde9a9e2635cbc432"
        ) {
            $0.header = .added(bytes: 0x200)
        },
        MadeImage(
            "with a header that the program leaves room for", .ed25519, bytes: 508,
            "4bb6a305c4c3b63a89e55394158ffcc36d4e986c3755268a546fe49088b908e0"
        ) {
            $0.program = [UInt8](repeating: 0, count: 0x40) + $0.program
            $0.header = .included(bytes: 0x40)
        },
        MadeImage(
            "for flash that is erased to 0", .ed25519, bytes: 16384,
            "e9cac17e5d972c1061e7222297272a8207fb6b71b8a04ba4b61101b11bae35ee"
        ) {
            $0.header = .added(bytes: 0x40)
            $0.erased = 0
            $0.fill(0x4000, .trailer)
        },
        MadeImage(
            "with protected TLVs", .ed25519, bytes: 536,
            "b0bb9e605ea619bca09527c82ff534662dea651717a01dc660d75cd7110f39d4"
        ) {
            $0.securityCounter = 7
            $0.dependencies = [
                .init(image: 1, version: ImageVersion(major: 2, minor: 0, revision: 1, build: 5)),
                .init(image: 0, version: ImageVersion(major: 1, minor: 2, revision: 0)),
            ]
            $0.vendorTLVs = [
                .init(type: 0xA0, value: [0xDE, 0xAD, 0xBE, 0xEF]),
                .init(type: 0x1FE, value: Array("text".utf8)),
            ]
        },
        MadeImage(
            "with the counter of its version", .ed25519, bytes: 488,
            "0691b73eaa1a57e3ab84de06ff0fc9478a10cb2d4b5c722fcf3da936e691fd56"
        ) {
            $0.securityCounter = $0.version.securityCounter
        },
        MadeImage(
            "with a boot record", .ed25519, bytes: 583,
            "f29da28942d8332f4742c48440ca4f05c7582219f9b813c27589c6f6481781c8"
        ) {
            $0.bootRecord = "ABC"
            $0.securityCounter = 1
        },
        MadeImage(
            "with a boot record of SHA-512", .ed25519, bytes: 704,
            "4a6e8c6b9007f3c6c0d92f0ea12524239b1c739865a876b7ce82ac47e8bcb683"
        ) {
            $0.bootRecord = "CoFM"
            $0.digest = .sha512
        },
        MadeImage(
            "unsigned with a boot record", .none, bytes: 471,
            "b1adcadeec3f68c9075947c87949dedd195ddb5e089f384c99e0dcf7ea604830"
        ) {
            $0.bootRecord = "ABC"
        },
        MadeImage(
            "for a fixed address", .ed25519, bytes: 476,
            "d3004902dbbb2ca305b31d9e3a69a2915312bd558a69a20dfb3bb17b82390e30"
        ) {
            $0.address = .fixed(0xC000)
        },
        MadeImage(
            "for RAM", .ed25519, bytes: 476,
            "93ec3372da667c3e170b3ab714c43ecd7b80d9036a5c8fa0927440ca11f9e211"
        ) {
            $0.address = .ram(0x2000_0000)
        },
        MadeImage(
            "of build 0", .ed25519, bytes: 476,
            "c893d7fae89a52b15184abbddde15c3ba5dd488b7a35675a46ecc20be74e7aeb"
        ) {
            $0.version = ImageVersion(major: 1, minor: 0, revision: 0)
        },
        MadeImage(
            "padded for writes of 1", .ed25519, bytes: 32768,
            "97cee94189ea0fa204c4b2f68e4d58e5b21e0de6f459b420952757599c95d2c2"
        ) {
            $0.fill(0x8000, .trailer) { $0.alignment = 1 }
        },
        MadeImage(
            "confirmed for writes of 1", .ed25519, bytes: 32768,
            "6243a9d536048df6faea91e3160087f639c19b5e5e9707c0afa20d14e9d7040c"
        ) {
            $0.fill(0x8000, .confirmed) { $0.alignment = 1 }
        },
        MadeImage(
            "padded for writes of 2", .ed25519, bytes: 32768,
            "97cee94189ea0fa204c4b2f68e4d58e5b21e0de6f459b420952757599c95d2c2"
        ) {
            $0.fill(0x8000, .trailer) { $0.alignment = 2 }
        },
        MadeImage(
            "confirmed for writes of 2", .ed25519, bytes: 32768,
            "6243a9d536048df6faea91e3160087f639c19b5e5e9707c0afa20d14e9d7040c"
        ) {
            $0.fill(0x8000, .confirmed) { $0.alignment = 2 }
        },
        MadeImage(
            "padded for writes of 4", .ed25519, bytes: 32768,
            "97cee94189ea0fa204c4b2f68e4d58e5b21e0de6f459b420952757599c95d2c2"
        ) {
            $0.fill(0x8000, .trailer) { $0.alignment = 4 }
        },
        MadeImage(
            "confirmed for writes of 4", .ed25519, bytes: 32768,
            "6243a9d536048df6faea91e3160087f639c19b5e5e9707c0afa20d14e9d7040c"
        ) {
            $0.fill(0x8000, .confirmed) { $0.alignment = 4 }
        },
        MadeImage(
            "padded for writes of 8", .ed25519, bytes: 32768,
            "97cee94189ea0fa204c4b2f68e4d58e5b21e0de6f459b420952757599c95d2c2"
        ) {
            $0.fill(0x8000, .trailer) { $0.alignment = 8 }
        },
        MadeImage(
            "confirmed for writes of 8", .ed25519, bytes: 32768,
            "6243a9d536048df6faea91e3160087f639c19b5e5e9707c0afa20d14e9d7040c"
        ) {
            $0.fill(0x8000, .confirmed) { $0.alignment = 8 }
        },
        MadeImage(
            "padded for writes of 16", .ed25519, bytes: 32768,
            "4c22add2baaba8d391d940d991158b1d97453646085e917deda098330dc12826"
        ) {
            $0.fill(0x8000, .trailer) { $0.alignment = 16 }
        },
        MadeImage(
            "confirmed for writes of 16", .ed25519, bytes: 32768,
            "c6e11a66e95740bc8ba22f8139601c636866407faad715d6aeca5e580a351af8"
        ) {
            $0.fill(0x8000, .confirmed) { $0.alignment = 16 }
        },
        MadeImage(
            "padded for writes of 32", .ed25519, bytes: 32768,
            "6d16719e42a0b775935e9fe49d86cdab87f9382b3a6ddd41e2bc18e4f1a61b86"
        ) {
            $0.fill(0x8000, .trailer) { $0.alignment = 32 }
        },
        MadeImage(
            "confirmed for writes of 32", .ed25519, bytes: 32768,
            "33caff4c000924d6140809dff5da494dc8d2604acdd5ec5da7285e081a61d05d"
        ) {
            $0.fill(0x8000, .confirmed) { $0.alignment = 32 }
        },
        MadeImage(
            "marked for a test", .ed25519, bytes: 32768,
            "97cee94189ea0fa204c4b2f68e4d58e5b21e0de6f459b420952757599c95d2c2"
        ) {
            $0.fill(0x8000, .trailer)
        },
        MadeImage(
            "confirmed for slots of different writes", .ed25519, bytes: 32768,
            "33caff4c000924d6140809dff5da494dc8d2604acdd5ec5da7285e081a61d05d"
        ) {
            $0.fill(0x8000, .confirmed) {
                $0.alignment = 4
                $0.maximumAlignment = 32
            }
        },
        MadeImage(
            "confirmed to be copied without a swap", .ed25519, bytes: 1024,
            "317716aad3345792159b8129fded776b4f5474e8168dd1c9216bd9f4cace53c1"
        ) {
            $0.fill(0x400, .confirmed) { $0.isOverwritten = true }
        },
        MadeImage(
            "padded for few sectors", .ed25519, bytes: 2048,
            "10cc0809b16145cb4fe632f6a76cde0219896c8a93dfd564d97706e78551da78"
        ) {
            $0.fill(0x800, .trailer) {
                $0.alignment = 8
                $0.sectors = 16
            }
        },
    ]
}

extension MCUbootRecipe {
    /// 300 bytes, version 1.2.3+4, a header of 32 bytes.
    static let sample = MCUbootRecipe(
        (0..<300).map { UInt8(truncatingIfNeeded: $0 * 7 + $0 / 256) },
        version: ImageVersion(major: 1, minor: 2, revision: 3, build: 4), header: .added(bytes: 32))

    /// Pads it to the end of a slot.
    fileprivate mutating func fill(
        _ bytes: Int, _ filling: ImageSlot.Filling, _ change: (inout ImageSlot) -> Void = { _ in }
    ) {
        var own = ImageSlot(bytes: bytes)
        own.filling = filling
        change(&own)
        slot = own
    }
}

/// Keys made for tests, which sign nothing else.
enum SampleKeys {
    static let ed25519 = [UInt8](hex: "6e346a0b05badbff6759125e4ad8c05edc68e74b02ca5437f135b371a655d8aa")
    static let p256 = [UInt8](hex: "f5e7e24d266e1017adb25d33ed275bf48c72d4954a00452d00de5d7d270858b6")
}
