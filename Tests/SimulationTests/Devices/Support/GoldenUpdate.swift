import Bytes

@testable import Simulation

/// The published test key, a signed init packet and its image (4100 bytes, i mod 251).
///
/// The key is that of RFC 6979, A.2.5.
enum GoldenUpdate {
    static let image = pattern(4100)

    static let key = P256PublicKey(
        x: hex("60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"),
        y: hex("7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"))

    static let signed = hex(
        """
        1289010a430801123f080110341a02800220002800300038842042240803122010e3a47c0827e407168341a16eee8109\
        8cd3d98e8c3a8a616579ac45ce3bfdd0480052040801120010001a4074b58d3f2e997126a0a41dd95ad79de1266c09a4\
        c66f7acca1fb8358d71fa47c010d22e932e6d9b7618b5619ecbb5e5873e84f9ab7089842d17d70455d78a94a
        """)

    static let unsigned = hex(
        """
        0a430801123f080110341a02800220002800300038842042240803122010e3a47c0827e407168341a16eee81098cd3d9\
        8e8c3a8a616579ac45ce3bfdd04800520408011200
        """)

    static func pattern(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 % 251) } }
}

/// The bytes of a literal in a test; empty for a wrong digit, so that the test fails.
func hex(_ text: String) -> [UInt8] { (try? HexText.decode(text)) ?? [] }

/// A little-endian uint32 as hexadecimal text.
func word(_ value: Int) -> String { HexText.encode((0..<4).map { UInt8(value >> (8 * $0) & 0xFF) }) }
