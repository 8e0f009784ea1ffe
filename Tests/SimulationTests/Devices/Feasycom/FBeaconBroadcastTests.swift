import Bluetooth
import Simulation
import Testing

/// fbeacon.md, Broadcasts.
@Suite struct `The broadcasts of a simulated Feasycom beacon` {
    private static let factory = "0201061AFF4C000215E2C56DB5DFFB48D2B060D0F5A71096E000015B5CC5"
    private static let other = "0201061AFF4C000215FDA50693A4E24FB1AFCFC6EB0764782500070009FD"
    private static let url = "0201060303AAFE0716AAFE10EB0361"

    private static func rows(_ told: [Int: String], of count: Int = 10) -> [String] {
        (0..<count).map { "+BADVDATA=,\($0),\(told[$0] ?? "00,0")" } + ["OK"]
    }

    /// The adverts of the next ten seconds, without scan responses.
    private static func sent(_ bench: FBeaconBench) -> Set<AdvertisingData> {
        let reports = bench.device.reports(after: bench.now, through: bench.now + .seconds(10))
        return Set(reports.filter { $0.isConnectable != nil }.map(\.data))
    }

    private static func data(_ hex: String) -> AdvertisingData {
        let digits = Array(hex.utf8)
        return AdvertisingData(
            stride(from: 0, to: digits.count, by: 2).compactMap {
                UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
            })
    }

    @Test func `are those of its plan, and one line each`() throws {
        var bench = try FBeaconBench.opened()
        #expect(bench.tell("AT+BADVDATA") == Self.rows([0: "\(Self.factory),1"]))
        #expect(Self.sent(bench).count == 2 && Self.sent(bench).contains(Self.data(Self.factory)))
        #expect(bench.tell("AT+TLM") == ["+TLM=0", "OK"])
        var one = try FBeaconBench.opened(mtu: 23) {
            $0.broadcasts = 1
            $0.answers.form = .spaced
            $0.plan.slots = [
                .init(.frame(.eddystoneURL)), .init(.frame(.iBeacon)), .init(.frame(.eddystoneTLM)),
            ]
        }
        #expect(one.tell("AT+BADVDATA").count == 2 && one.tell("AT+TLM") == ["+TLM=1", "OK"])
        #expect(one.tell("AT+BADVDATA=1,00,0") == ["ERROR"])
        var none = try FBeaconBench.opened { $0.broadcasts = 0 }
        for command in ["AT+BADVDATA", "AT+TLM", "AT+BADVDATA=0,00,0", "AT+TLM=1"] {
            #expect(none.tell(command) == ["ERROR"], "\(command)")
        }
    }

    @Test(
        arguments: [
            ("0,\(url),1", "\(url),1"), ("0,\(url),0", "\(url),0"), ("0,00,0", "00,0"),
            ("0,0303aafe,1", "0303AAFE,1"),
            ("0,00,1", nil), ("0,,1", nil), ("0,\(url)", nil), ("0,\(url),2", nil), ("10,\(url),1", nil),
            ("-1,\(url),1", nil), ("0,\(url)0,1", nil), ("0,02 01 06,1", nil), ("0,zz,1", nil), ("", nil),
            ("0,\(String(repeating: "00", count: 32)),1", nil), (",0,\(url),1", nil),
        ] as [(String, String?)]) func `are set by number, packet and switch`(value: String, kept: String?)
        throws
    {
        var bench = try FBeaconBench.opened()
        #expect(bench.tell("AT+BADVDATA=\(value)") == [kept == nil ? "ERROR" : "OK"])
        let rows = Self.rows([0: kept ?? "\(Self.factory),1"])
        #expect(bench.tell("AT+BADVDATA") == rows)
        bench.powerCycle()
        bench.openWorkServer()
        #expect(bench.tell("AT+BADVDATA") == rows)
        #expect(bench.errors == [] && bench.statistics.changes == 1)
    }

    @Test func `are what is sent`() throws {
        var bench = try FBeaconBench.opened()
        let (general, factory) = (
            Self.sent(bench).subtracting([Self.data(Self.factory)]), Self.data(Self.factory)
        )
        #expect(general.count == 1)
        #expect(bench.tell("AT+BADVDATA=0,\(Self.other),1") == ["OK"])
        #expect(Self.sent(bench) == general.union([Self.data(Self.other)]))
        #expect(bench.tell("AT+BADVDATA=7,\(Self.url),1") == ["OK"])
        #expect(Self.sent(bench) == general.union([Self.data(Self.other), Self.data(Self.url)]))
        #expect(bench.tell("AT+BADVDATA=0,\(Self.other),0") == ["OK"])
        #expect(bench.tell("AT+BADVDATA=7,00,0") == ["OK"])
        #expect(Self.sent(bench) == general)
        #expect(bench.device.takesLink(at: bench.now))
        #expect(bench.tell("AT+TLM=1") == ["OK"])
        let telemetry = bench.device.reports(after: bench.now, through: bench.now + .seconds(10)).count {
            $0.data.elements.contains {
                if case .serviceData(BluetoothUUID(0xFEAA), let data) = $0 {
                    data.first == 0x20
                } else {
                    false
                }
            }
        }
        #expect(telemetry == 5)
        #expect(bench.tell("AT+BADVDATA=0,\(Self.factory),1") == ["OK"] && bench.tell("AT+TLM=0") == ["OK"])
        #expect(Self.sent(bench) == general.union([factory]))
    }

    @Test func `leave the identifying frame on, even if its plan has none`() throws {
        var bench = try FBeaconBench.opened { $0.plan.slots = [.init(.frame(.iBeacon))] }
        #expect(Self.sent(bench) == [Self.data(Self.factory)])
        #expect(bench.tell("AT+BADVDATA=0,00,0") == ["OK"])
        #expect(Self.sent(bench).count == 1 && !Self.sent(bench).contains(Self.data(Self.factory)))
        #expect(bench.device.takesLink(at: bench.now))
    }

    @Test func `can be acknowledged and not kept, or refused`() throws {
        var bench = try FBeaconBench.opened([.forgetSetting(1), .refuseSetting(2)])
        #expect(bench.tell("AT+BADVDATA=0,\(Self.other),1") == ["OK"])
        #expect(bench.tell("AT+BADVDATA=0,\(Self.other),1") == ["ERROR"])
        #expect(bench.tell("AT+BADVDATA") == Self.rows([0: "\(Self.factory),1"]))
        #expect(bench.tell("AT+BADVDATA=0,\(Self.other),1") == ["OK"])
        #expect(bench.tell("AT+BADVDATA") == Self.rows([0: "\(Self.other),1"]))
    }
}
