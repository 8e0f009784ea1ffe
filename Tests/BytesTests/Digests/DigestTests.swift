import Bytes
import TestSupport
import Testing

@Suite struct `A CRC-32` {
    @Test func `has the standard check value`() {
        #expect(CRC32.checksum(Array("123456789".utf8)) == 0xCBF4_3926)
    }

    @Test func `is 0 for empty input`() {
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
    func `agrees with zlib in another program`(_ count: Int, _ value: UInt32) {
        let bytes = (0..<4100).map { UInt8($0 % 251) }
        #expect(CRC32.checksum(bytes[..<count]) == value)
    }
}

@Suite struct `A SHA-256 digest` {
    @Test func `of the golden firmware is the known one`() {
        let bytes = (0..<4100).map { UInt8($0 % 251) }
        let expected = [UInt8](hex: "d0fd3bce45ac7965618a3a8c8ed9d38c0981ee6ea141831607e427087ca4e310")
        #expect(SHA256Digest.digest(bytes) == expected)
        var digest = SHA256Digest()
        digest.update(bytes[..<1000])
        digest.update(bytes[1000...])
        #expect(digest.bytes == expected)
    }
}

@Suite struct `A CRC-16` {
    @Test func `has the standard check values of XMODEM and of CCITT-FALSE`() {
        #expect(CRC16.checksum("123456789".utf8) == 0x31C3)
        #expect(CRC16.checksum([]) == 0)
        #expect(CRC16.checksum("123456789".utf8, from: 0xFFFF) == 0x29B1)
        #expect(CRC16.checksum([], from: 0xFFFF) == 0xFFFF)
    }

    @Test func `is the same however the bytes are fed`() {
        let bytes = (0..<1024).map { UInt8($0 & 0xFF) }
        for cut in [0, 1, 255, 1023, 1024] {
            var digest = CRC16()
            digest.update(bytes[..<cut])
            digest.update(bytes[cut...])
            #expect(digest.value == 0xC2E0)
        }
    }

    @Test func `agrees with that of another program`() {
        #expect(CRC16.checksum((0..<4100).map { UInt8($0 % 251) }) == 0x30DE)
        #expect(CRC16.checksum((0..<2048).map { UInt8($0 & 0xFF) }) == 0xEFB5)
    }
}

@Suite struct `An XOR checksum` {
    @Test func `is the XOR of all bytes, however they are fed`() {
        #expect(XORChecksum.checksum([]) == 0)
        #expect(XORChecksum.checksum([0x5A]) == 0x5A)
        let bytes: [UInt8] = [1, 2, 4, 0x80, 0xFF]
        for cut in 0...bytes.count {
            var digest = XORChecksum()
            digest.update(bytes[..<cut])
            digest.update(bytes[cut...])
            #expect(digest.value == 0x78)
        }
    }

    @Test func `is 0 once it is appended`() {
        let bytes = (0..<4100).map { UInt8($0 % 251) }
        #expect(XORChecksum.checksum((bytes + [XORChecksum.checksum(bytes[...])])[...]) == 0)
    }
}

/// RFC 1321, A.5.
@Suite struct `The MD5 digest` {
    @Test(arguments: [
        ("", "d41d8cd98f00b204e9800998ecf8427e"), ("abc", "900150983cd24fb0d6963f7d28e17f72"),
        ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
        (String(repeating: "1234567890", count: 8), "57edf4a22be3c955ac49da2e2107b67a"),
    ])
    func `has the values of the RFC`(text: String, digest: String) {
        #expect(HexText.encode(MD5Digest.digest(text.utf8)) == digest)
    }
}
