import TestSupport
import Testing
import UpdateModel

@testable import KKM

@Suite struct `The identity of a KBeacon` {
    static func identity(_ text: String) -> KBeaconIdentity? { KBeaconIdentity(answer: Array(text.utf8)) }

    /// An identity query after the handshake, which asks in the format of `first` now.
    static func asking(_ first: KBeaconGeneration) throws -> PlayedDialogue<KBeaconQuery> {
        let address = try #require(`A handshake with a KBeacon`.address)
        var played = try PlayedDialogue(
            KBeaconQuery(
                after: KBeaconHandshake(
                    with: address, `A handshake with a KBeacon`.factory, challenge: 0x0102_0304,
                    settingClock: nil),
                asking: first), writing: 244)
        try played.take(.done)
        try played.take(.done)
        try played.hear(`A handshake with a KBeacon`.proof)
        try played.hear("1302FB")
        return played
    }

    @Test func `is read from the second generation`() throws {
        let identity = try #require(Self.identity(`An exchange with a KBeacon`.text))
        #expect(identity.generation == .second && identity.model == "K6_NRF52XX")
        #expect(identity.version == "6.20" && identity.hardware == "3.0" && identity.battery == 97)
        #expect(identity.capabilities?.names == ["button", "updates over the air"])
        #expect(identity.updateRefusal == nil)
    }

    @Test func `is read from the first generation, with its misspelt key`() throws {
        let identity = try #require(
            Self.identity(
                #"{"modle":"K11_NRF52XX","ver":"V5.21","hver":"V2.0","devName":"Door 7","bCap":5378}"#))
        #expect(identity.generation == .first && identity.name == "Door 7")
        #expect(identity.version == "5.21" && identity.battery == nil)
        #expect(identity.capabilities?.names == ["beeper"])
        #expect(identity.updateRefusal == nil)
    }

    @Test(arguments: [
        #"{"modle":"K5_CC2640","ver":"V5.21","hver":"V2.0"}"#, #"{"modle":"K5_NRF52XX","hver":"V2.0"}"#,
        #"{"modle":"K5_NRF52XX","ver":"V5.21"}"#, #"{"model":"K5_NRF52XX","ver":"V5.21","hver":"V2.0"}"#,
        #"{"model":"K5_NRF52XX","ver":"V5.21","hver":"V2.0","bCap":262143}"#,
    ])
    func `shows which beacons take no updates`(text: String) throws {
        #expect(try #require(Self.identity(text)).updateRefusal != nil)
    }

    @Test(arguments: [(109, 100), (100, 100), (0, 0)]) func `has at most 100 percent`(
        said: Int, is percent: UInt8
    ) {
        #expect(Self.identity(#"{"model":"K","btPt":\#(said)}"#)?.battery == percent)
    }

    @Test(arguments: [
        "", "{}", "[]", "null", "{\"model\":7}", "{\"model\"", String(repeating: "[", count: 4096),
        #"{"ver":"V1.0"}"#, "{\"model\":\"\u{0}",
    ])
    func `is refused without a model`(text: String) { #expect(Self.identity(text) == nil) }

    @Test(arguments: [
        #"{"model":"K\_6","btPt":1e300,"bCap":-1,"id":7}"#,
        #"{"model":"K_6","btPt":97.5,"bCap":99999999999}"#,
    ])
    func `is accepted as far as it is valid`(text: String) throws {
        let identity = try #require(Self.identity(text))
        #expect(identity.model == "K_6" && identity.battery == nil)
    }

    @Test(
        arguments: [
            ("214815", "214815"), ("-7", "-7"), ("\"K0001\"", "K0001"), ("1.5", nil), ("1e300", nil),
            ("true", nil), ("null", nil), ("[1]", nil),
        ] as [(String, String?)])
    func `has a serial number, as a number or as a text`(said: String, number: String?) throws {
        #expect(try #require(Self.identity(#"{"model":"K","id":\#(said)}"#)).serialNumber == number)
    }

    @Test(
        arguments: [
            ("modle", 0x01, ["button"], []),
            (
                "modle", 0x1F3F,
                [
                    "button", "beeper", "acceleration", "temperature and humidity",
                    "enhanced proximity", "distance measurement",
                ],
                ["kkm-sensor", "eddystone-uid", "ibeacon", "eddystone-tlm", "eddystone-url"]
            ),
            ("modle", 0x0400, [], ["ibeacon"]), ("modle", 0xE000, [], []),
            ("model", 0x0400, [], ["eddystone-tlm"]), ("model", 0x1000, [], ["ibeacon"]),
            (
                "model", 0xFF30, ["cut-off", "motion (PIR)"],
                [
                    "kkm-sensor", "eddystone-uid", "eddystone-tlm", "eddystone-url", "ibeacon", "kkm-system",
                    "kkm-aoa", "kkm-ebeacon",
                ]
            ),
        ] as [(String, Int, [String], [String])])
    func `has capabilities and kinds of advertisements, numbered by its generation`(
        key: String, bits: Int, names: [String], adverts: [String]
    ) throws {
        let capabilities = try #require(Self.identity(#"{"\#(key)":"K","bCap":\#(bits)}"#)?.capabilities)
        #expect(capabilities.names == names && capabilities.adverts == adverts)
    }

    @Test func `is queried in the format of the other generation if the first was not understood`() throws {
        var played = try Self.asking(.first)
        #expect(played.written?.hasSuffix(Array(#"{"msg":"getPara","stype":32}"#.utf8).hex) == true)
        try played.hear("23 0000 0000 0103")
        #expect(played.written?.hasSuffix(Array(#"{"msg":"getPara","type":1}"#.utf8).hex) == true)
        try played.hear("23 004A 0000 0000 " + `An exchange with a KBeacon`.hex)
        #expect(played.ending?.identity.model == "K6_NRF52XX")
    }

    @Test func `is queried again if the beacon is busy, within a limit`() throws {
        var played = try Self.asking(.second)
        for _ in 0..<3 {
            try played.hear("23 0000 0000 010C")
            #expect(played.command == .rest(.milliseconds(500)))
            try played.take(.done)
            #expect(played.written?.hasSuffix(Array(#"{"msg":"getPara","type":1}"#.utf8).hex) == true)
        }
        let failure = #expect(throws: SessionFailure.self) { try played.hear("23 0000 0000 010C") }
        #expect(failure?.code == .session.beaconBusy)
    }
}
