import Bytes
import Testing

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
