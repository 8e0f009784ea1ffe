import Bluetooth
import Bytes
import TestSupport
import Testing

/// One AD structure's type and data, and the parsed values.
struct ElementVector: CustomTestStringConvertible, Sendable {
    let hex: String
    let element: AdvertisingData.Element

    var testDescription: String { hex }
    var content: [UInt8] { [UInt8](hex: hex) }
    /// With its length prefix.
    var structure: [UInt8] { [UInt8(content.count)] + content }

    init(_ hex: String, _ element: AdvertisingData.Element) {
        self.hex = hex
        self.element = element
    }

    private static let address = [UInt8](hex: "F00DBEAC0101")
    private static func device(_ kind: DeviceAddress.Kind) -> [DeviceAddress] {
        [DeviceAddress(address, kind)].compactMap(\.self)
    }

    /// Types whose data may be longer.
    static let open: [ElementVector] = [
        ElementVector("01 06", .flags(6)),
        ElementVector("20 78563412 AB", .serviceData(BluetoothUUID(number: 0x1234_5678), [0xAB])),
        ElementVector("24 17 2F2F612E6465", .uri(scheme: 0x17, "//a.de")),
        ElementVector("24 C2A0 78", .uri(scheme: 0xA0, "x")),
        ElementVector("30 41424344", .broadcastName("ABCD")),
    ]

    /// Types whose data has a fixed length.
    static let closed: [ElementVector] = [
        ElementVector(
            "04 78563412 59FE0000",
            .services([BluetoothUUID(number: 0x1234_5678), BluetoothUUID(0xFE59)], complete: false)),
        ElementVector("05 0F180000", .services([BluetoothUUID(0x180F)], complete: true)),
        ElementVector("14 0D180F18", .solicitation([BluetoothUUID(0x180D), BluetoothUUID(0x180F)])),
        ElementVector("1F 78563412", .solicitation([BluetoothUUID(number: 0x1234_5678)])),
        ElementVector(
            "15 50eada308883b89f604f15f30100c98e",
            .solicitation([BluetoothUUID(high: 0x8EC9_0001_F315_4F60, low: 0x9FB8_8388_30DA_EA50)])),
        ElementVector("0A F4", .txPower(-12)),
        ElementVector("0D 0C025A", .classOfDevice(0x5A020C)),
        ElementVector(
            "10 0100 5900 0234 1001",
            .deviceIdentity(DeviceIdentity(source: 1, vendor: 0x59, product: 0x3402, version: 0x0110))),
        ElementVector(
            "12 0600 800C", .connectionIntervals(shortest: .microseconds(7500), longest: .seconds(4))),
        ElementVector(
            "12 FFFF 2800", .connectionIntervals(shortest: nil, longest: .milliseconds(50))),
        ElementVector("12 FFFF FFFF", .connectionIntervals(shortest: nil, longest: nil)),
        ElementVector("17 0101ACBE0DF0", .targets(device(.public))),
        ElementVector("18 0101ACBE0DF0 0101ACBE0DF0", .targets(device(.random) + device(.random))),
        ElementVector("19 4002", .appearance(0x0240)),
        ElementVector("1A A000", .advertisingInterval(.milliseconds(100))),
        ElementVector("2F 404001", .advertisingInterval(.milliseconds(51240))),
        ElementVector("2F 00000001", .advertisingInterval(.microseconds(625) * 0x0100_0000)),
        ElementVector("1C 02", .role(.preferablyPeripheral)),
    ]
    static let addresses: [ElementVector] =
        device(.public).map { ElementVector("1B 0101ACBE0DF0 00", .deviceAddress($0)) }
        + device(.random).map { ElementVector("1B 0101ACBE0DF0 01", .deviceAddress($0)) }
    static let features = [
        ElementVector("27 0501", .supportedFeatures(0x0105)),
        ElementVector("27 0000000000000080", .supportedFeatures(0x8000_0000_0000_0000)),
    ]
    static let all = open + closed + addresses + features
}

@Suite struct `An AD structure` {
    @Test(arguments: ElementVector.all)
    func `is read according to its type`(_ vector: ElementVector) {
        #expect(AdvertisingData(vector.structure).elements == [vector.element])
    }

    @Test(arguments: ElementVector.closed + ElementVector.addresses)
    func `is kept unparsed with a byte too many`(_ vector: ElementVector) {
        let content = vector.content + [0xEE]
        // A long advertising interval may have three or four bytes.
        guard content.first != 0x2F || content.count != 5 else { return }
        let data = AdvertisingData([UInt8(content.count)] + content)
        #expect(data.elements == [.other(content[0], Array(content.dropFirst()))])
    }

    @Test(
        arguments: [
            "12 0500 2800", "12 0600 810C", "12 2800 0600", "12 FFFF 0000", "1C 04", "24", "24 FF", "24 C2",
            "27", "27 010203040506070809", "10 000102030405060708090A0B0C0D0E0F", "17", "18",
            "1B 0101ACBE0DF0",
            "11 00", "22 00", "29 00", "2C 00", "31 00", "99 01",
        ])
    func `is kept unparsed if its content does not fit`(_ hex: String) {
        let content = [UInt8](hex: hex)
        let data = AdvertisingData([UInt8(content.count)] + content + [2, 1, 6])
        #expect(data.elements == [.other(content[0], Array(content.dropFirst())), .flags(6)])
    }

    @Test(arguments: ElementVector.all)
    func `survives any damage, and so do its neighbours`(_ vector: ElementVector) {
        let neighbour: [UInt8] = [2, 1, 6]
        for prefix in Corruption.prefixes(of: vector.content) where !prefix.isEmpty {
            let elements = AdvertisingData([UInt8(prefix.count)] + prefix + neighbour).elements
            #expect(elements.count == 2 && elements.last == .flags(6))
        }
        for flip in Corruption.flips(of: vector.content) {
            let elements = AdvertisingData([UInt8(flip.bytes.count)] + flip.bytes + neighbour).elements
            #expect(elements.count == 2 && elements.last == .flags(6))
        }
        for flip in Corruption.flips(of: vector.structure + neighbour) {
            _ = AdvertisingData(flip.bytes).merged(with: AdvertisingData(vector.structure))
        }
    }

    @Test func `of any type and length is either read or kept`() {
        for type in UInt8.min...UInt8.max {
            for count in [0, 1, 2, 3, 4, 6, 7, 8, 16, 17, 31] {
                let content = [type] + [UInt8](repeating: 0xFF, count: count)
                #expect(AdvertisingData([UInt8(content.count)] + content).elements.count == 1)
            }
        }
    }

    @Test func `replaces an earlier one of its type`() {
        for vector in ElementVector.closed + ElementVector.addresses {
            let once = AdvertisingData(vector.structure)
            #expect(once.merged(with: once) == once)
        }
        let before = AdvertisingData([UInt8](hex: "0319 4002 031A A000 021C 00 0312 0600"))
        let after = AdvertisingData([UInt8](hex: "0319 4102 031A 4001 021C 01"))
        let merged = before.merged(with: after)
        #expect(merged.appearance == 0x0241)
        #expect(merged.elements.count == 4)
    }

    @Test func `has a name if its number is assigned`() {
        #expect(AdvertisingData.Element.name(ofType: 0x2B) == "Mesh Beacon")
        #expect(AdvertisingData.Element.name(ofType: 0x31) == "Encrypted Advertising Data")
        #expect(AdvertisingData.Element.name(ofType: 0x99) == nil)
    }
}

@Suite struct `A device's identity` {
    @Test func `is read from the value of PnP ID`() throws {
        var reader = ByteReader([UInt8](hex: "02 8A24 0000 1001"))
        let identity = try DeviceIdentity(parsingPnP: &reader)
        #expect(identity == DeviceIdentity(source: 2, vendor: 0x248A, product: 0, version: 0x0110))
    }

    @Test(arguments: 0..<7)
    func `is refused when a byte is missing`(_ count: Int) {
        var reader = ByteReader([UInt8](repeating: 1, count: count))
        #expect(throws: ByteError.self) { try DeviceIdentity(parsingPnP: &reader) }
    }
}
