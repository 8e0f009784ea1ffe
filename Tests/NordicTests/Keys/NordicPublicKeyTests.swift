import Bytes
import Nordic
import Testing

@Suite struct `A public key` {
    @Test func `is the same from PEM, from hex and from bytes`() throws {
        let hex = try #require(NordicPublicKey(hex: InitPacketVector.publicKey))
        let pem = try NordicPublicKey(text: InitPacketVector.publicKeyPEM)
        let wire = try #require(NordicPublicKey(wire: hex.wireBytes))
        #expect(HexText.encode(hex.wireBytes) == InitPacketVector.publicKey)
        #expect(pem.wireBytes == hex.wireBytes)
        #expect(wire.wireBytes == hex.wireBytes)
    }

    @Test(arguments: [
        "", "00", String(InitPacketVector.publicKey.dropLast(2)), InitPacketVector.publicKey + "00",
    ])
    func `has 128 hexadecimal digits`(_ hex: String) {
        #expect(NordicPublicKey(hex: hex) == nil)
    }

    @Test func `is a point on the curve`() {
        #expect(NordicPublicKey(hex: String(repeating: "01", count: 64)) == nil)
        #expect(NordicPublicKey(wire: [UInt8](repeating: 0, count: 64)) == nil)
        let pem = "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----"
        #expect((try? NordicPublicKey(text: pem)) == nil)
    }
}

/// A key that signed none of the samples: the base point of P-256.
enum OtherKey {
    static func key() throws -> NordicPublicKey {
        let x = try HexText.decode("6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296")
        let y = try HexText.decode("4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5")
        return try #require(NordicPublicKey(wire: x.reversed() + y.reversed()))
    }
}
