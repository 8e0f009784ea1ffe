import Bytes
import Dialog
import Foundation
import TestSupport
import Testing

/// The same images from programs that share no code with this one.
@Suite(.serialized, .timeLimit(.minutes(10))) struct `An independently built image` {
    /// Writes an image of the payload to standard output, followed by its XOR.
    private static let writer = """
        import functools, struct, sys, zlib
        family, version, stamp, offset, image_id = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:6])
        code = sys.stdin.buffer.read()
        common = struct.pack('<II16sI', len(code), zlib.crc32(code), (version.encode() + b'\\0').ljust(16, b'\\xff'), stamp)
        if family == '58x':
            head = b'\\x70\\x51\\xaa' + bytes([image_id]) + common + b'\\0' + b'\\xff' * 31
        elif family == '68x':
            head = b'\\x70\\x61\\0\\0' + common + struct.pack('<I', offset)
        else:
            head = b'\\x51\\x71' + common + struct.pack('<I', offset)
        image = head.ljust(offset, b'\\xff') + code
        sys.stdout.buffer.write(image + bytes([functools.reduce(lambda a, b: a ^ b, image)]))
        """

    @Test(arguments: HeaderFamily.allCases)
    func `in Python equals the one from the recipe`(_ family: HeaderFamily) throws {
        var seed = Seed(Seed.ofThisRun)
        for _ in 0..<3 {
            let payload = (0..<Int.random(in: 1...9000, using: &seed)).map { _ in
                UInt8.random(in: 0...255, using: &seed)
            }
            let stamp = UInt32.random(in: 0...UInt32.max, using: &seed)
            let imageID = UInt8.random(in: 0...255, using: &seed)
            let text = String(
                (0..<Int.random(in: 1...15, using: &seed)).map { _ in
                    "0.1v-a Z".randomElement(using: &seed) ?? "0"
                })
            let offset = family == .da1458x ? 64 : Int.random(in: family.headerBytes...5000, using: &seed)
            let header: ImageRecipe.Header =
                switch family {
                case .da1458x: .da1458x(imageID: imageID)
                case .da1468x: .da1468x(payloadOffset: offset)
                case .da1469x: .da1469x(payloadOffset: offset)
                }
            let version = try #require(ImageVersion(text))
            let image = try ImageRecipe(header, version: version, timestamp: stamp, payload: payload).image()
            let other = try Tool.output(
                of: [
                    "python3", "-c", Self.writer, family.rawValue, text, "\(stamp)", "\(offset)",
                    "\(imageID)",
                ],
                input: payload)
            #expect(image.bytes + [image.trailer] == other, "BEACON_DFU_SEED=\(Seed.ofThisRun)")
            #expect(image.crcMatches == true)
        }
    }

    private static let key = "000102030405060708090a0b0c0d0e0f"
    private static let vector = "f0e0d0c0b0a090807060504030201000"

    @Test(arguments: [1, 16, 17, 5000])
    func `is what openssl decrypts`(_ count: Int) throws {
        let payload = (0..<count).map { UInt8($0 % 251 + 1) }
        let cipher = try #require(AES128CBC(key: [UInt8](hex: Self.key), vector: [UInt8](hex: Self.vector)))
        let recipe = ImageRecipe(
            .da1458x(), version: try #require(ImageVersion("1.0")), timestamp: 1_700_000_000,
            payload: payload)
        let image = try recipe.image(encryptedWith: cipher)
        #expect(image.header.isEncrypted)
        #expect(image.header.codeSize == UInt32((count + 15) / 16 * 16))
        #expect(image == (try SUOTAImage(parsing: image.bytes)))
        let plain = try Tool.output(
            of: ["openssl", "enc", "-d", "-aes-128-cbc", "-nopad", "-K", Self.key, "-iv", Self.vector],
            input: Array(image.payload))
        #expect(plain == payload + [UInt8](repeating: 0, count: -count & 15))
        let crc = try Tool.output(
            of: ["python3", "-c", "import sys, zlib; print(zlib.crc32(sys.stdin.buffer.read()), end='')"],
            input: plain)
        #expect(String(decoding: crc, as: UTF8.self) == "\(image.header.crc)")
    }

    @Test func `is not encrypted for chips whose header cannot declare it`() throws {
        let block = [UInt8](repeating: 7, count: 16)
        let cipher = try #require(AES128CBC(key: block, vector: block))
        for header in [ImageRecipe.Header.da1468x(), .da1469x()] {
            let recipe = ImageRecipe(
                header, version: try #require(ImageVersion("1")), timestamp: 0, payload: block)
            #expect(throws: ImageRecipeError.encryptionUnsupported) {
                try recipe.image(encryptedWith: cipher)
            }
        }
    }
}
