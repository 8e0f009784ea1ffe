import Digests
import TestSupport
import Testing

@Suite struct `A CRC-32` {
    @Test func `has the standard check value`() {
        #expect(CRC32.checksum(Array("123456789".utf8)) == 0xCBF4_3926)
    }

    @Test func `is 0 for nothing`() {
        #expect(CRC32.checksum([]) == 0)
        #expect(CRC32().value == 0)
    }

    @Test func `is the same however the bytes are fed`() {
        let bytes = (0..<4100).map { UInt8($0 % 251) }
        for cut in [0, 1, 244, 2928, 4096, 4100] {
            var digest = CRC32()
            digest.update(bytes[..<cut])
            var rest = CRC32(continuing: digest.value)
            rest.update(bytes[cut...])
            #expect(rest.value == 0x432E_5268)
        }
    }

    @Test(arguments: [(244, 0xDF43_68ED), (2928, 0xB14A_C34A), (4096, 0xD465_F907)] as [(Int, UInt32)])
    func `agrees with zlib's of another program`(_ count: Int, _ value: UInt32) {
        let bytes = (0..<4100).map { UInt8($0 % 251) }
        #expect(CRC32.checksum(bytes[..<count]) == value)
    }
}

@Suite struct `A SHA-256 digest` {
    @Test func `is that of the golden firmware`() {
        let bytes = (0..<4100).map { UInt8($0 % 251) }
        let expected = [UInt8](hex: "d0fd3bce45ac7965618a3a8c8ed9d38c0981ee6ea141831607e427087ca4e310")
        #expect(SHA256Digest.digest(bytes) == expected)
        var digest = SHA256Digest()
        digest.update(bytes[..<1000])
        digest.update(bytes[1000...])
        #expect(digest.bytes == expected)
    }
}
