import Bytes
import Foundation
import TestSupport
import Testing

@Suite struct `AES-128-CBC` {
    /// NIST SP 800-38A, F.2.1.
    @Test func `has the published ciphertext`() throws {
        let cipher = try #require(
            AES128CBC(
                key: [UInt8](hex: "2b7e151628aed2a6abf7158809cf4f3c"),
                vector: [UInt8](hex: "000102030405060708090a0b0c0d0e0f")))
        let plain = [UInt8](
            hex: """
                6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51
                30c81c46a35ce411e5fbc1191a0a52ef f69f2445df4f9b17ad2b417be66c3710
                """)
        let expected = [UInt8](
            hex: """
                7649abac8119b246cee98e9b12e9197d 5086cb9b507219ee95db113a917678b2
                73bed6b8e3c1743b7116e69e22229516 3ff1caa1681fac09120eca307586e1a7
                """)
        #expect(expected.count == 64)
        #expect(cipher.encrypted(plain) == expected)
        #expect(cipher.encrypted([]) == [])
    }

    @Test(arguments: [0, 15, 17, 24, 32])
    func `accepts only keys and vectors of 16 bytes`(_ count: Int) {
        let right = [UInt8](repeating: 1, count: 16)
        let wrong = [UInt8](repeating: 1, count: count)
        #expect(AES128CBC(key: wrong, vector: right) == nil)
        #expect(AES128CBC(key: right, vector: wrong) == nil)
    }

    @Test(arguments: [1, 15, 17]) func `accepts only whole blocks`(_ count: Int) throws {
        let bytes = [UInt8](repeating: 1, count: 16)
        let cipher = try #require(AES128CBC(key: bytes, vector: bytes))
        #expect(cipher.encrypted([UInt8](repeating: 0, count: count)) == nil)
    }

    @Test func `does not print its key`() throws {
        let key = [UInt8](hex: "c0ffee00c0ffee00c0ffee00c0ffee00")
        let cipher = try #require(AES128CBC(key: key, vector: key))
        var text = "\(cipher) \(String(reflecting: cipher)) \([cipher])"
        dump(cipher, to: &text)
        #expect(!text.lowercased().contains("c0ffee") && !text.contains("192"))
    }

    @Test(arguments: [16, 32, 1024, 27008])
    func `matches openssl`(_ count: Int) throws {
        let key = [UInt8](hex: "00112233445566778899aabbccddeeff")
        let vector = [UInt8](hex: "0f1e2d3c4b5a69788796a5b4c3d2e1f0")
        let plain = (0..<count).map { UInt8($0 % 251) }
        let other = try Tool.output(
            of: [
                "openssl", "enc", "-aes-128-cbc", "-nopad", "-K", "00112233445566778899aabbccddeeff", "-iv",
                "0f1e2d3c4b5a69788796a5b4c3d2e1f0",
            ], input: plain)
        #expect(try #require(AES128CBC(key: key, vector: vector)).encrypted(plain) == other)
    }
}
