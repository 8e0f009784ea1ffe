import Bluetooth
import TestSupport
import Testing

/// An advertisement's data as bytes and as parsed values.
struct AdvertisingVector: CustomTestStringConvertible, Sendable {
    let name: String
    let hex: String
    let elements: [AdvertisingData.Element]

    var testDescription: String { name }
    var bytes: [UInt8] { [UInt8](hex: hex) }

    static let longUUID = BluetoothUUID(high: 0x8EC9_0001_F315_4F60, low: 0x9FB8_8388_30DA_EA50)
    static let all = [
        AdvertisingVector(
            name: "a Nordic bootloader", hex: "020106 030259FE 0809446675546172 67",
            elements: [
                .flags(6), .services([BluetoothUUID(0xFE59)], complete: false),
                .name("DfuTarg", complete: true),
            ]),
        AdvertisingVector(
            name: "an iBeacon",
            hex: "020106 1AFF4C000215 E2C56DB5DFFB48D2B060D0F5A71096E0 0001 0002 C5",
            elements: [
                .flags(6),
                .manufacturer(0x004C, [UInt8](hex: "0215E2C56DB5DFFB48D2B060D0F5A71096E000010002C5")),
            ]),
        AdvertisingVector(
            name: "an Eddystone URL", hex: "020106 0303AAFE 0F16AAFE 10EE036578616D706C650007",
            elements: [
                .flags(6), .services([BluetoothUUID(0xFEAA)], complete: true),
                .serviceData(BluetoothUUID(0xFEAA), [UInt8](hex: "10EE036578616D706C650007")),
            ]),
        AdvertisingVector(
            name: "long UUIDs",
            hex: "1107 50eada308883b89f604f15f30100c98e 1321 50eada308883b89f604f15f30100c98e 0102",
            elements: [.services([longUUID], complete: true), .serviceData(longUUID, [1, 2])]),
        AdvertisingVector(
            name: "the rest", hex: "020AF4 050841424344 0506 01020304 0302 5A 020D07",
            elements: []),
    ]
}

@Suite struct `Advertising data` {
    @Test(arguments: AdvertisingVector.all.dropLast())
    func `is read structure by structure`(_ vector: AdvertisingVector) {
        #expect(AdvertisingData(vector.bytes).elements == vector.elements)
    }

    @Test(
        arguments: [
            ("020AF4", .txPower(-12)), ("0508 41424344", .name("ABCD", complete: false)),
            ("0109", .name("", complete: true)), ("0309 C328", .name("\u{FFFD}(", complete: true)),
            ("0101", .other(0x01, [])), ("010A", .other(0x0A, [])),
            ("04020F1801", .other(0x02, [0x0F, 0x18, 1])),
            ("0103", .services([], complete: true)), ("0216AA", .other(0x16, [0xAA])),
            ("0316AAFE", .serviceData(BluetoothUUID(0xFEAA), [])),
            ("0421AAFE01", .other(0x21, [0xAA, 0xFE, 1])),
            ("02FF4C", .other(0xFF, [0x4C])), ("03FF4C00", .manufacturer(0x4C, [])),
            ("0506 01020304", .other(0x06, [1, 2, 3, 4])), ("020D07", .other(0x0D, [7])),
            ("0404 010203", .other(0x04, [1, 2, 3])), ("030AF400", .other(0x0A, [0xF4, 0])),
            ("0502 59FE 0F18", .services([BluetoothUUID(0xFE59), BluetoothUUID(0x180F)], complete: false)),
        ] as [(String, AdvertisingData.Element)])
    func `keeps unknown structures as they are`(_ hex: String, _ element: AdvertisingData.Element) {
        #expect(AdvertisingData([UInt8](hex: hex)).elements == [element])
    }

    @Test func `of a bootloader names it and its service`() throws {
        let data = AdvertisingData(AdvertisingVector.all[0].bytes)
        #expect(data.name == "DfuTarg")
        #expect(data.services == [BluetoothUUID(0xFE59)])
        #expect(data.manufacturerData(0x4C) == nil)
        #expect(AdvertisingData(AdvertisingVector.all[1].bytes).manufacturerData(0x4C)?.count == 23)
    }

    @Test func `prefers the complete name`() {
        #expect(AdvertisingData([UInt8](hex: "0308 4142 0409 414243")).name == "ABC")
        #expect(AdvertisingData([UInt8](hex: "0409 414243 0308 4142")).name == "ABC")
        #expect(AdvertisingData([UInt8](hex: "0308 4142 0308 4344")).name == "AB")
        #expect(AdvertisingData().name == nil)
    }

    /// Vol 3, Part C, 11.
    @Test func `ends at a length of zero`() {
        #expect(AdvertisingData([UInt8](hex: "020106 00 0409414243")).elements == [.flags(6)])
        #expect(AdvertisingData([0]).elements == [])
        #expect(AdvertisingData([]).elements == [])
    }

    @Test(arguments: ["020106 05 0941", "020106 FF", "020106 FF 09", "020106 02 01"])
    func `keeps what came before a structure that is too long`(_ hex: String) {
        #expect(AdvertisingData([UInt8](hex: hex)).elements == [.flags(6)])
    }

    @Test(arguments: AdvertisingVector.all)
    func `survives any damage`(_ vector: AdvertisingVector) {
        let whole = AdvertisingData(vector.bytes).elements
        for prefix in Corruption.prefixes(of: vector.bytes) {
            let part = AdvertisingData(prefix).elements
            #expect(part == Array(whole.prefix(part.count)))
        }
        for flip in Corruption.flips(of: vector.bytes) {
            let data = AdvertisingData(flip.bytes)
            #expect(data.elements.count <= flip.bytes.count)
            _ = (data.name, data.services, data.manufacturerData(0x4C), data.merged(with: data))
        }
    }

    @Test func `has after merging the values of either report, the later one last`() {
        let first = AdvertisingData([UInt8](hex: "020106 05FF4C000101 0308 4142 020AF4"))
        let later = AdvertisingData([UInt8](hex: "020104 05FF4C000102 0409 414243 0303 59FE"))
        let merged = first.merged(with: later)
        #expect(
            Set(merged.elements) == [
                .flags(4), .manufacturer(0x4C, [1, 2]), .name("AB", complete: false), .txPower(-12),
                .name("ABC", complete: true), .services([BluetoothUUID(0xFE59)], complete: true),
            ])
        #expect(merged.name == "ABC")
        #expect(merged.merged(with: later) == merged.merged(with: later).merged(with: later))
    }

    @Test func `keeps a company's frames of different kinds side by side`() {
        let first = AdvertisingData([UInt8](hex: "05FF530A2201"))
        let merged = first.merged(with: AdvertisingData([UInt8](hex: "05FF530A2102")))
        #expect(
            Set(merged.elements) == [.manufacturer(0x0A53, [0x22, 1]), .manufacturer(0x0A53, [0x21, 2])])
        #expect(merged.manufacturerData(0x0A53) == [0x21, 2])
    }

    @Test func `has remaining bytes where the last structure is cut, without padding`() {
        #expect(AdvertisingData([UInt8](hex: "020106 65")).leftover == [0x65])
        #expect(AdvertisingData([UInt8](hex: "020106 0516AA")).leftover == [5, 0x16, 0xAA])
        #expect(AdvertisingData([UInt8](hex: "020106 0000")).leftover == [0, 0])
        #expect(AdvertisingData([UInt8](hex: "020106")).leftover.isEmpty)
    }

    @Test func `keeps Eddystone frames of different kinds side by side`() {
        let url = AdvertisingData([UInt8](hex: "0516AAFE1001"))
        let other = AdvertisingData([UInt8](hex: "0516AAFE2002"))
        let newer = AdvertisingData([UInt8](hex: "0516AAFE1003"))
        let uuid = BluetoothUUID(0xFEAA)
        #expect(
            Set(url.merged(with: other).merged(with: newer).elements)
                == [.serviceData(uuid, [0x20, 2]), .serviceData(uuid, [0x10, 3])])
    }

    @Test func `of a device that never repeats itself stays bounded`() {
        let all = (0..<1000).reduce(AdvertisingData()) { data, number in
            data.merged(with: AdvertisingData([3, 0x99, UInt8(number >> 8), UInt8(number & 0xFF)]))
        }
        #expect(all.elements.count == 64)
        #expect(all.elements.last == .other(0x99, [0x03, 0xE7]))
        let whole = AdvertisingData((0..<100).flatMap { [2, 0x99, UInt8($0)] })
        #expect(all.merged(with: whole) == whole)
    }

    @Test func `loses nothing of a report with two values of one kind`() {
        let report = AdvertisingData([UInt8](hex: "04FF4C0001 04FF4C0002"))
        #expect(AdvertisingData().merged(with: report) == report)
        #expect(report.merged(with: report) == report)
    }
}
