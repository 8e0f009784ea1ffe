import Bytes
import FoundationEssentials
import MCUboot
import TestSupport
import Testing

/// The images of imgtool that stay outside the repository.
private struct Golden: Decodable {
    struct Image: Decodable {
        let imgtoolArgs: [String]
        let hex: String?
        let gzipBase64: String?
        let size: Int
    }

    let payloadHex: String
    let images: [String: Image]

    static let isThere = Samples.vectors("mcuboot.json") != nil

    static func read() throws -> Golden {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Golden.self, from: Data(Samples.vectors("mcuboot.json") ?? []))
    }
}

@Suite(.enabled(if: Golden.isThere, "there are no vectors next to the repository"))
struct `The golden MCUboot vectors` {
    /// Images whose signature is the only part that chance decides.
    @Test(arguments: [
        "unsigned", "ed25519", "ed25519_pure", "p256", "p256_fullkey", "p256_deps", "p256_rom_fixed",
        "p256_ram_load", "p256_next",
    ])
    func `are built again, up to signatures of P-256`(name: String) throws {
        let golden = try Golden.read()
        let vector = try #require(golden.images[name])
        var recipe = MCUbootRecipe(
            [UInt8](hex: golden.payloadHex),
            version: ImageVersion(major: 1, minor: 2, revision: 3, build: 4), header: .added(bytes: 32))
        switch name {
        case "p256_next": recipe.version = ImageVersion(major: 1, minor: 2, revision: 4)
        case "p256_fullkey": recipe.carriesKey = true
        case "p256_rom_fixed": recipe.address = .fixed(0xC000)
        case "p256_ram_load": recipe.address = .ram(0x2000_0000)
        case "p256_deps":
            recipe.dependencies = [
                .init(image: 1, version: ImageVersion(major: 2, minor: 0, revision: 1, build: 5))
            ]
            recipe.securityCounter = 7
            recipe.vendorTLVs = [.init(type: 0xA0, value: [0xDE, 0xAD, 0xBE, 0xEF])]
        default: break
        }
        let signer: ImageSigner? =
            switch name {
            case "unsigned": nil
            case "ed25519", "ed25519_pure":
                .ed25519(
                    try #require(Ed25519PrivateKey(bytes: SampleKeys.ed25519)), isPure: name == "ed25519_pure"
                )
            default: .p256(try #require(P256PrivateKey(scalar: SampleKeys.p256)))
            }
        let theirs = [UInt8](hex: try #require(vector.hex))
        let ours = try recipe.image(signedBy: signer)
        guard case .p256 = signer else {
            #expect(ours.hex == theirs.hex)
            return
        }
        // The signature is the last TLV; its length changes the length of the area, two bytes before the
        // first TLV.
        let (mine, other) = (try MCUbootImage(parsing: ours), try MCUbootImage(parsing: theirs))
        #expect(mine.hashedBytes.hex == other.hashedBytes.hex)
        #expect(mine.unprotectedTLVs.dropLast() == other.unprotectedTLVs.dropLast())
        #expect(mine.unprotectedTLVs.last?.type == other.unprotectedTLVs.last?.type)
        #expect(mine.unprotectedTLVs.last?.offset == other.unprotectedTLVs.last?.offset)
    }
}
