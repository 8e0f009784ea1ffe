import Bluetooth
import Bytes
import Firmware
import TestSupport
import Testing

@testable import CommandKit

@Suite struct `A filter` {
    /// Shelf 1, a bootloader at -60 dBm with data of company 4C and of service FEAA.
    static func passes(_ text: String) throws -> Bool {
        let beacon = try sighting(
            "08095368656C662031 030259FE 04FF4C0001 0416AAFE00", from: "F0:0D:BE:AC:01:01", rssi: -60)
        return try SightingFilter(text).passes(beacon)
    }

    @Test(arguments: [
        "name=Shelf 1", "name=Shelf*", "name=*", "name=S?elf*1", "name!=shelf*", "Name=Shelf*",
        "address=F0:0D:*", "address=f0:0d:be:ac:01:01", "address!=F1:*", "rssi>-70", "rssi>=-60", "rssi<=-60",
        "rssi=-60", "rssi!=-61", "rssi<-59", "mode=bootloader", "mode!=application", "mode=Bootloader",
        "service=FE59", "service=feaa", "service=0000FE59-0000-1000-8000-00805F9B34FB", "service!=180F",
        "company=0x004C", "company=76", "company!=0x59", "connectable=yes", "connectable!=no",
    ])
    func `passes what matches`(_ text: String) throws {
        #expect(try Self.passes(text))
    }

    @Test(arguments: [
        "name=Shelf", "name=shelf*", "name!=Shelf*", "address=F1:*", "address!=F0:*", "rssi>-60", "rssi<-60",
        "rssi=-61", "rssi!=-60", "rssi>=-59", "rssi<=-61", "mode=application", "service=180F",
        "service!=FE59", "company=0x004D", "company!=0x004C", "connectable=no",
    ])
    func `rejects what does not match`(_ text: String) throws {
        #expect(try !Self.passes(text))
    }

    /// KKM's system frame: model 5, battery 100, DD:34:02:06:5B:5C, firmware 6.20 (kbeacon.md, 2.1).
    static func passesOfKKM(_ text: String) throws -> Bool {
        let beacon = try sighting("0303AAFE 0E16AAFE220564DD3402065B5C0614", from: "DD:34:02:06:5B:5C")
        return try SightingFilter(text).passes(beacon)
    }

    @Test(arguments: [
        "vendor=kkm", "vendor=KKM", "kind=kkm", "kind!=eddystone", "model=#5", "id=DD:34*", "version=6.*",
        "version<6.21",
        "version>=6.20", "version>6.3", "version<v10", "battery>99",
    ])
    func `passes on matching frame values`(_ text: String) throws {
        #expect(try Self.passesOfKKM(text))
    }

    @Test(arguments: [
        "vendor=kontakt", "vendor!=kkm", "kind=ibeacon", "model=K6", "id=abcd", "version<6.20",
        "version>6.20",
        "version>6.100", "battery<100",
    ])
    func `rejects on other frame values`(_ text: String) throws {
        #expect(try !Self.passesOfKKM(text))
    }

    @Test(arguments: [
        ("", 1), ("=x", 1), ("colour=red", 1), ("name", 5), ("name~x", 5), ("name=", 6), ("name>x", 5),
        ("rssi>loud", 6), ("rssi>=", 7), ("rssi>-129", 6), ("rssi>=128", 7), ("rssi=-60dBm", 6),
        ("mode=app", 6), ("service=FE5", 9), ("service=", 9), ("service>FE59", 8), ("company=0x10000", 9),
        ("company=-1", 9), ("company=Apple", 9), ("connectable=maybe", 13), ("version<new", 9),
        ("vendor<kkm", 7), ("kind=kkmm", 6), ("vendor!=kmm", 9), ("kind=", 6), ("address=F0-0D", 9),
        ("address=", 9), ("address=ＦF", 9), ("name =x", 5),
    ])
    func `is refused with its place if it is invalid`(_ text: String, _ column: Int) {
        let error = #expect(throws: FilterError.self) { try SightingFilter(text) }
        #expect(error?.column == column, "\(text): \(error.map(String.init(describing:)) ?? "")")
    }

    @Test func `of an unknown value matches only when it is negated`() throws {
        let silent = try sighting(rssi: nil)
        for (text, expected) in [
            ("name=*", false), ("name!=x", true), ("rssi>-128", false), ("rssi<127", false),
            ("rssi!=0", false), ("company=1", false), ("company!=1", true), ("version<9", false),
            ("vendor!=kkm", true),
            ("id=*", false), ("model!=x", true), ("kind=unknown", true),
        ] {
            #expect(try SightingFilter(text).passes(silent) == expected, "\(text)")
        }
    }
}

@Suite struct `A pattern` {
    @Test(arguments: [
        ("", "", true), ("", "a", false), ("*", "", true), ("**", "abc", true), ("?", "", false),
        ("a*c", "abbbc", true), ("a*c", "abbbcd", false), ("*bc", "abcbc", true), ("a*b*c", "aXbXbXc", true),
        ("a?c", "abc", true), ("a?c", "ac", false), ("*?", "x", true), ("?*", "", false), ("ü?", "üé", true),
    ])
    func `matches as a person expects`(_ pattern: String, _ text: String, _ expected: Bool) {
        #expect(Glob(pattern).matches(text) == expected)
    }

    @Test(.timeLimit(.minutes(10))) func `takes negligible time, whatever it is`() {
        let pattern = String(repeating: "a*", count: 100) + "b"
        #expect(!Glob(pattern).matches(String(repeating: "a", count: 5000)))
    }
}
