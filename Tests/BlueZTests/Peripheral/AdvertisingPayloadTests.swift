import Bluetooth
import TestSupport
import Testing

@testable import BlueZ

@Suite struct `The payload of an advertisement` {
    @Test(
        arguments: [
            ("020106 0302 59FE 080944667554617267", "", "020106 0302 59FE 080944667554617267", ""),
            // The name does not fit into the advertisement.
            (
                "020106 1AFF4C000215 00112233445566778899AABBCCDDEEFF 00010002C5 0409414243", "",
                "020106 1AFF4C000215 00112233445566778899AABBCCDDEEFF 00010002C5", "0409414243"
            ),
            // The fields of a scan response stay there.
            ("020106", "0409414243 0416AAFE20", "020106", "0409414243 0416AAFE20"),
            ("020106 020A04 0319C100", "", "020106 020A04 0319C100", ""),
        ] as [(String, String, String, String)])
    func `keeps the order and moves what does not fit to the scan response`(
        _ data: String, _ answer: String, _ sent: String, _ response: String
    ) {
        let payload = AdvertisingPayload(
            AdvertisingData([UInt8](hex: data)), answering: AdvertisingData([UInt8](hex: answer)))
        #expect(payload.data == [UInt8](hex: sent))
        #expect(payload.scanResponse == [UInt8](hex: response))
        #expect(payload.leftOut == 0)
    }

    @Test func `counts what fits neither`() {
        var data = AdvertisingData()
        data.elements = [
            .manufacturer(0x004C, [UInt8](repeating: 1, count: 25)),
            .name("A long name for it", complete: true),
            .serviceData(BluetoothUUID(0xFEAA), [UInt8](repeating: 2, count: 10)),
            .connectionIntervals(shortest: nil, longest: nil),
        ]
        let payload = AdvertisingPayload(data)
        #expect(payload.data.count == 29)
        #expect(payload.scanResponse.count == 20)
        #expect(payload.leftOut == 2)
    }

    @Test func `never answers a scan with flags`() {
        var data = AdvertisingData()
        data.elements = [.manufacturer(0x004C, [UInt8](repeating: 1, count: 26)), .flags(0x06)]
        let payload = AdvertisingPayload(data)
        #expect(payload.scanResponse.isEmpty && payload.leftOut == 1)
    }
}
