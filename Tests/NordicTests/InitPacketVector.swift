import Bytes
import Testing

/// An init packet as bytes and its fields; made with the published key of RFC 6979, appendix A.2.5.
struct InitPacketVector: CustomTestStringConvertible, Sendable {
    let name: String
    let packet: String
    let unsignedPacket: String
    let initCommand: String
    let signature: String
    let crc: UInt32
    let unsignedCRC: UInt32
    let bootValidations: [UInt32]

    var testDescription: String { name }

    static let publicKey = """
        b69ff2602e6269e66cfa613b92b849c0686d35c674eb61c9319d5a25bad4fe60\
        992246d494c2a377519f7e2d0cb2f1f264bc2856e9e91aa499bcb80810fe0379
        """
    static let publicKeyPEM = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEYP7UuiVanTHJYet0xjVtaMBJuJI7
        Yfps5mliLmDyn7Z5A/4QCLi8maQa6elWKLxk8vGyDC1+n1F3o8KU1EYimQ==
        -----END PUBLIC KEY-----
        """
    /// The image that both packets announce.
    static let image = (0..<4100).map { UInt8($0 % 251) }
    static let imageDigest = "d0fd3bce45ac7965618a3a8c8ed9d38c0981ee6ea141831607e427087ca4e310"

    private static let fields = """
        080110341a02800220002800300038842042240803122010e3a47c0827e407168341a16eee81098cd3d98e8c3a8a616579\
        ac45ce3bfdd04800
        """

    static let all = [
        InitPacketVector(
            name: "A, with boot validation (nrfutil 5 and later)",
            packet: """
                1289010a430801123f080110341a02800220002800300038842042240803122010e3a47c0827e407168341a16eee81\
                098cd3d98e8c3a8a616579ac45ce3bfdd0480052040801120010001a4074b58d3f2e997126a0a41dd95ad79de1266c\
                09a4c66f7acca1fb8358d71fa47c010d22e932e6d9b7618b5619ecbb5e5873e84f9ab7089842d17d70455d78a94a
                """,
            unsignedPacket: "0a430801123f" + fields + "520408011200", initCommand: fields + "520408011200",
            signature: """
                74b58d3f2e997126a0a41dd95ad79de1266c09a4c66f7acca1fb8358d71fa47c\
                010d22e932e6d9b7618b5619ecbb5e5873e84f9ab7089842d17d70455d78a94a
                """,
            crc: 0x4592_1B90, unsignedCRC: 0x07C2_D995, bootValidations: [1]),
        InitPacketVector(
            name: "B, without (SDK 12 to 15.2)",
            packet: """
                1283010a3d08011239080110341a02800220002800300038842042240803122010e3a47c0827e407168341a16eee81\
                098cd3d98e8c3a8a616579ac45ce3bfdd0480010001a408650d58d719eef9c5abdcbc3a1320f5b649169cce924ede8\
                f82da8a795d6b9b713fa0b0eab1ace67fa29caa9668c1f2aefc97bc293c91e13673d7d82a20d15ae
                """,
            unsignedPacket: "0a3d08011239" + fields, initCommand: fields,
            signature: """
                8650d58d719eef9c5abdcbc3a1320f5b649169cce924ede8f82da8a795d6b9b7\
                13fa0b0eab1ace67fa29caa9668c1f2aefc97bc293c91e13673d7d82a20d15ae
                """,
            crc: 0x5168_9FA4, unsignedCRC: 0xDAB2_7919, bootValidations: []),
    ]
}
