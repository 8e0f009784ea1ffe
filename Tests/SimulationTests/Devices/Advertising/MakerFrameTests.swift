import Bluetooth
import Bytes
import TestSupport
import Testing

@testable import Simulation

/// Genuine captures, and vectors of the makers' documents.
@Suite struct `A maker's frame` {
    static let address = DeviceAddress([0xDD, 0x34, 0x02, 0x06, 0x5B, 0x5C])

    private static func sent<Maker: Advertiser>(
        _ frame: FrameName, by make: (DeviceAddress) -> Maker,
        at moment: AdvertisingMoment = AdvertisingMoment(),
        _ change: (inout Maker) -> Void = { _ in }
    ) throws -> String? {
        var maker = make(try #require(address))
        change(&maker)
        return maker.payload(of: frame, at: moment).map { HexText.encode($0.bytes) }
    }

    private static func answered<Maker: Advertiser>(
        by make: (DeviceAddress) -> Maker, _ change: (inout Maker) -> Void
    ) throws -> String? {
        var maker = make(try #require(address))
        change(&maker)
        return maker.scanResponse(at: AdvertisingMoment()).map { HexText.encode($0.bytes) }
    }

    private static func plain(_ address: DeviceAddress) -> StandardAdvertiser {
        StandardAdvertiser(address: address, [])
    }

    private static let vectors: [(FrameName, String)] = [
        (.iBeacon, "0201061aff4c000215e2c56db5dffb48d2b060d0f5a71096e0193605b2c5"),
        (.eddystoneUID, "0201060303aafe1716aafe00ee000102030405060708090102030405060000"),
        (.eddystoneURL, "0201060303aafe0d16aafe10ee01676f6f676c6500"),
        (.eddystoneTLM, "0201060303aafe1116aafe20000bb8158000012345000d2f00"),
        (.eddystoneEncryptedTLM, "0201060303aafe1516aafe2001a0a1a2a3a4a5a6a7a8a9aaab12345678"),
        (.eddystoneEID, "0201060303aafe0d16aafe30ee1122334455667788"),
        (.altBeacon, "0201061bff1801beace2c56db5dffb48d2b060d0f5a71096e0193605b2c500"),
    ]

    @Test(arguments: 0..<7)
    func `of a standard format has the bytes of its specification`(index: Int) throws {
        let (frame, bytes) = Self.vectors[index]
        #expect(FrameName.standard[index] == frame)
        let moment = AdvertisingMoment(elapsed: .seconds(86400), sent: 74565)
        let sent = try Self.sent(frame, by: Self.plain, at: moment) {
            $0.standard.major = 6454
            $0.standard.minor = 1458
            $0.standard.instance = [1, 2, 3, 4, 5, 6]
            $0.standard.url = "https://www.google.com/"
            $0.standard.temperature = 21.5
        }
        #expect(sent == bytes)
    }

    @Test func `of telemetry marks unknown values`() throws {
        let sent = try Self.sent(
            .eddystoneTLM, by: Self.plain, at: AdvertisingMoment(elapsed: .seconds(1), sent: 1)
        ) {
            $0.standard.batteryMillivolts = 0
        }
        #expect(sent == "0201060303aafe1116aafe200000008000000000010000000a")
    }

    @Test func `of KKM's system is data of Eddystone or of KKM`() throws {
        #expect(
            try Self.sent(.kkmSystem, by: KKMAdvertiser.init)
                == "0201060303aafe0e16aafe220564dd3402065b5c0614")
        #expect(
            try Self.sent(.kkmSystem, by: KKMAdvertiser.init) { $0.carrier = .company }
                == "0201060eff530a220564dd3402065b5c0614")
    }

    /// K6 and KBPro_142081, as received.
    @Test func `of KKM's sensors has the mask of genuine ones, and fields in the order of their bits`() throws
    {
        let first = try Self.sent(.kkmSensor, by: KKMAdvertiser.init) {
            $0.standard.batteryMillivolts = 3591
            $0.standard.temperature = 25.164
            $0.readings.humidity = 34.309
            $0.readings.acceleration = [-4, -20, 1003]
            $0.readings.mask = 0x010F
        }
        #expect(first == "0201060303aafe1216aafe21010f0e07192a224ffffcffec03eb")
        let second = try Self.sent(.kkmSensor, by: KKMAdvertiser.init) {
            $0.standard.batteryMillivolts = 3634
            $0.standard.temperature = 27.277
            $0.readings.humidity = 51.703
            $0.readings.mask = 0x0107
        }
        #expect(second == "0201060303aafe0c16aafe2101070e321b4733b4")
    }

    @Test func `of the first generation's sensors has 01 instead of the version`() throws {
        let sent = try Self.sent(.kkmSensor, by: KKMAdvertiser.init) {
            $0.generation = 1
            $0.standard.batteryMillivolts = 3012
        }
        #expect(sent == "0201060303aafe0a16aafe2101030bc41580")
    }

    @Test func `of KKM's sensors may have every field`() throws {
        let sent = try Self.sent(.kkmSensor, by: KKMAdvertiser.init) {
            $0.carrier = .company
            $0.standard.temperature = nil
            $0.readings.alarm = 1
            $0.readings.motion = 2
            $0.readings.light = 0x0304
            $0.readings.organics = [5, 0x0607, 0x0809]
            $0.readings.carbonDioxide = [0x0A, 0x0B0C]
            $0.readings.records = 0x0D0E
        }
        #expect(sent == "02010617ff530a2106f1" + "0bb801020304" + "0506070809" + "0a0b0c" + "000d0e")
    }

    @Test func `of KKM that is encrypted ends with the time`() throws {
        let sent = try Self.sent(
            .kkmEncryptedSensor, by: KKMAdvertiser.init, at: AdvertisingMoment(elapsed: .seconds(258))
        ) {
            $0.carrier = .company
        }
        #expect(sent == "0201061aff530a060003a0a1a2a3a4a5a6a7a8a9aaabacadaeaf00000102")
        let identity = try Self.sent(.kkmEBeacon, by: KKMAdvertiser.init)
        #expect(identity == "0201061aff530a0310a0a1a2a3a4a5a6a7a8a9aaabacadaeaf00000000c5")
        let direction = try Self.sent(.kkmAOA, by: KKMAdvertiser.init) {
            $0.directionPower = -20
            $0.battery = 109
        }
        #expect(direction == "02010607ff530a040041a0")
    }

    @Test func `in a KBeacon's scan response has battery and numbers, low address bytes, or nothing`() throws
    {
        let numbers = try Self.answered(by: KKMAdvertiser.init) {
            $0.name = ""
            $0.standard.major = 6454
            $0.standard.minor = 1458
        }
        #expect(numbers == "091680206404193605b2")
        let genuine = try Self.answered(by: KKMAdvertiser.init) {
            $0.name = "KBPro_214810"
            $0.battery = 109
            $0.scanExtension = .battery
        }
        #expect(genuine == "091680206d0100000000" + "0d09" + HexText.encode("KBPro_214810".utf8))
        let address = try Self.answered(by: KKMAdvertiser.init) {
            $0.name = ""
            $0.scanExtension = .address
        }
        #expect(address == "09168020640001065b5c")
    }

    @Test(arguments: [
        (KKMAdvertiser.Trigger.motion, "e1"), (.click, "e5"), (.doubleClick, "e6"), (.tripleClick, "e7"),
        (.longPress, "e8"),
    ])
    func `of an iBeacon changes with KKM's triggers, for a while`(trigger: KKMAdvertiser.Trigger, end: String)
        throws
    {
        for (seconds, last) in [(4, "e0"), (5, end), (14, end), (15, "e0")] {
            let sent = try Self.sent(
                .iBeacon, by: KKMAdvertiser.init, at: AdvertisingMoment(elapsed: .seconds(seconds))
            ) {
                $0.triggers = [.init(trigger: trigger, start: .seconds(5), length: .seconds(10))]
            }
            #expect(sent?.contains("b060d0f5a71096\(last)0001") == true)
        }
    }

    @Test func `of an iBeacon carries into the higher bytes of the UUID`() throws {
        let sent = try Self.sent(.iBeacon, by: KKMAdvertiser.init) {
            $0.triggers = [.init(trigger: .click, start: .zero, length: .seconds(1))]
            $0.standard.uuid = BluetoothUUID(high: 0x1234, low: .max)
        }
        #expect(sent?.contains("000000000000123500000000000000040001") == true)
    }

    @Test func `of Feasycom has all its fields`() throws {
        let sent = try Self.sent(.feasycom, by: FeasycomAdvertiser.init) {
            $0.needsPIN = true
            $0.battery = FeasycomAdvertiser.externalPower
        }
        #expect(sent == "0201060e16f0ff15033e92dd3402065b5c65")
        let closed = AdvertisingMoment(isConnectable: false)
        #expect(
            try Self.sent(.feasycom, by: FeasycomAdvertiser.init, at: closed)?.contains("033e90dd34") == true)
        #expect(try Self.sent(.feasycom, by: FeasycomAdvertiser.init)?.contains("033e91dd34") == true)
    }

    @Test func `in a classic Kontakt beacon's scan response has its identity`() throws {
        let answer = try Self.answered(by: { KontaktAdvertiser(address: $0, .classic) }) {
            $0.name = "abcdefg"
        }
        #expect(answer == "080961626364656667020a040a160dd061626364040264")
    }

    @Test func `of Kontakt's secure profile is plain, shuffled, telemetry or location`() throws {
        func sent(_ frame: FrameName, _ change: (inout KontaktAdvertiser) -> Void = { _ in }) throws
            -> String?
        {
            try Self.sent(frame, by: { KontaktAdvertiser(address: $0, .plain) }, change)
        }
        #expect(try sent(.kontaktPlain) == "020106" + "0f166afe0206010f6404616263646566")
        #expect(
            try sent(.kontaktShuffled) { $0.standard.instance = [1, 2, 3, 4, 5, 6] } == "020106"
                + "19166afe0106010f640400010203040506070809010203040506")
        #expect(try sent(.kontaktTelemetry) { $0.battery = 95 } == "020106" + "0b166afe03060100f153655f")
        #expect(
            try sent(.kontaktTelemetry) { $0.records = [[0x0A, 0x64], [0x11, 0x06, 0x5B, 0xA0]] } == "020106"
                + "0c166afe03020a640411065ba0")
        #expect(
            try sent(.kontaktLocation) {
                $0.txPower = -12
                $0.model = 10
                $0.isMoving = true
                $0.id = "ABCDEF"
            } == "020106" + "0e166afe05f4250a01414243444546")
    }

    @Test func `with a changing identity keeps each for a period`() throws {
        let moments: [Duration] = [.zero, .seconds(59), .seconds(60), .seconds(119), .seconds(120)]
        let sent = try moments.map { moment in
            try Self.sent(.eddystoneEID, by: Self.plain, at: AdvertisingMoment(elapsed: moment)) {
                $0.standard.idPeriod = .seconds(60)
            }
        }
        #expect(sent[0] == sent[1] && sent[2] == sent[3] && Set(sent).count == 3)
    }

    @Test func `of Estimote's telemetry comes in two parts`() throws {
        func sent(_ turn: Int, _ change: (inout EstimoteAdvertiser) -> Void = { _ in }) throws -> String? {
            try Self.sent(
                .estimoteTelemetry, by: EstimoteAdvertiser.init, at: AdvertisingMoment(turn: turn), change)
        }
        let head = "02010603039afe17169afe"
        let id = "1122334455667788"
        #expect(try sent(1) == head + "22\(id)01" + "00000000000000" + "082f57")
        #expect(try sent(0) == head + "22\(id)00" + "00000000000000" + "000000")
        let bad: (inout EstimoteAdvertiser) -> Void = {
            $0.hasFirmwareError = true
            $0.hasClockError = true
        }
        #expect(try sent(2, bad) == head + "22\(id)00" + "00000000000c00" + "000000")
        let first = try sent(0) {
            bad(&$0)
            $0.telemetryVersion = 1
        }
        #expect(first == head + "12\(id)00" + "00000000000003" + "000000")
        let oldest = try sent(1) {
            bad(&$0)
            $0.telemetryVersion = 0
        }
        #expect(oldest == head + "02\(id)01" + "00000000000000" + "082f03")
    }

    @Test func `of Estimote's telemetry has the sensor values, and their durations`() throws {
        /// The ten bytes of the part.
        func sent(_ moment: AdvertisingMoment, _ change: (inout EstimoteAdvertiser) -> Void) throws -> String?
        {
            let bytes = try Self.sent(.estimoteTelemetry, by: EstimoteAdvertiser.init, at: moment, change)
            return bytes.map { String($0.suffix(20)) }
        }
        let moving = try sent(AdvertisingMoment(turn: 0)) {
            $0.motion.isMoving = true
            $0.motion.acceleration = [16, -16, 64]
            ($0.motion.previous, $0.motion.current) = (.seconds(1830), .seconds(10_900))
            $0.highPins = 0b1001
            $0.pressure = 101_305
        }
        #expect(moving == "10f040" + "5e" + "83" + "91" + "00b98b01")
        let days: [(Int64, String)] = [
            (59, "3b"), (60, "41"), (3599, "7b"), (3600, "81"), (86_399, "97"), (86_400, "c1"),
            (32 * 86_400, "e0"), (33 * 86_400, "e4"), (18_748_800, "ff"), (99_999_999, "ff"),
        ]
        for (seconds, byte) in days {
            let still = try sent(AdvertisingMoment(turn: 0)) { $0.motion.current = .seconds(seconds) }
            #expect(still == "000000" + "00" + byte + "00" + "00000000", "\(seconds)")
        }
        let warm = try sent(AdvertisingMoment(elapsed: .seconds(18_030), turn: 1)) {
            $0.magneticField = [-128, 64, -1]
            $0.light = 230.4
            $0.standard.temperature = 5.375
        }
        #expect(warm == "8040ff" + "5a" + "2c91" + "15082f" + "57")
        let cold = try sent(AdvertisingMoment(elapsed: .seconds(4096 * 60), turn: 1)) {
            $0.standard.temperature = -128
        }
        #expect(cold == "000000" + "00" + "4420" + "000a2f" + "57")
    }

    @Test func `of a nearable has hardware, version, temperature and voltage`() throws {
        #expect(
            try Self.sent(.nearable, by: NearableAdvertiser.init)
                == "02010616ff5d0101010203040506070804024821750000400541")
    }

    @Test func `of an ASensor is sent together with the update service`() throws {
        #expect(
            try Self.sent(.aSensor, by: ASensorAdvertiser.init)
                == "0201060303f5fe13ffd200dd3402065b5c021900010240000964c5")
    }

    @Test func `of Orange's tag, and of KKM before 2019, is a service`() throws {
        #expect(
            try Self.sent(.orangeTag, by: OrangeTagAdvertiser.init)
                == "02010611077e3aaa500bb0168b63401e0b0008ec59")
        let closed = AdvertisingMoment(isConnectable: false)
        #expect(try Self.sent(.orangeTag, by: OrangeTagAdvertiser.init, at: closed) == nil)
        #expect(
            try Self.sent(.kkmOld, by: OldKKMAdvertiser.init) == "0201061107d881c91ab99996abba40868780200cee")
    }

    @Test func `can be damaged in each way`() throws {
        let address = try #require(Self.address)
        let frame = try #require(KKMAdvertiser(address: address).payload(of: .kkmSystem, at: .init()))
        func bytes(_ change: (inout FrameDamage) -> Void) -> String {
            var damage = FrameDamage()
            change(&damage)
            return HexText.encode(damage.bytes(of: frame))
        }
        let head = "0201060303aafe"
        #expect(bytes { _ in } == head + "0e16aafe220564dd3402065b5c0614")
        #expect(bytes { $0.dataLength = 4 } == head + "0716aafe220564dd")
        #expect(bytes { $0.announcedLength = 0x0D } == head + "0d16aafe220564dd3402065b5c0614")
        #expect(bytes { $0.reportLength = 12 } == head + "0e16aafe22")
        #expect(
            bytes { $0.flips = [.init(offset: 10, mask: 0x01), .init(offset: 99, mask: 0xFF)] } == head
                + "0e16aafe220564dd3402065b5c0615"
        )
    }
}
