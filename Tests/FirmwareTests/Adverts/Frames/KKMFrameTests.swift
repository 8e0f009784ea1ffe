import KKM
import TestSupport
import Testing
import UpdateModel

@Suite struct `A KKM frame` {
    @Test func `of the system type has model, battery, address and version`() throws {
        let frame = try KKMSystem(parsing: [UInt8](hex: "220564dd3402065b5c0614"))
        #expect(frame.modelNumber == 5)
        #expect(frame.percent == 100)
        #expect(frame.address == "DD:34:02:06:5B:5C")
        #expect(frame.version == "6.20")
    }

    @Test func `reports at most 100 percent`() throws {
        #expect(try KKMSystem(parsing: [UInt8](hex: "22056ddd3402065b5c0614")).percent == 100)
        #expect(try KKMExtended(parsing: [UInt8](hex: "6d0100000000")).percent == 100)
    }

    // Received from a K6 at DD:34:02:06:D0:6C.
    @Test func `has the values of a genuine K6, whose mask is 010F`() throws {
        let frame = try KKMSensor(parsing: [UInt8](hex: "21010f0e07192a224ffffcffec03eb"))
        #expect(frame.millivolts == 3591)
        #expect(
            frame.values == [
                SensorValue("temperature", Double(0x192A) / 256, "°C"),
                SensorValue("humidity", Double(0x224F) / 256, "%"), SensorValue("acceleration-x", -4, "mg"),
                SensorValue("acceleration-y", -20, "mg"), SensorValue("acceleration-z", 1003, "mg"),
            ])
        #expect(frame.values.map { "\($0)" }[0] == "temperature 25.164 °C")
        #expect(frame.truncation == nil)
    }

    // Received from a KBPro at BC:57:29:02:45:9F.
    @Test func `has the values of a genuine KBPro, whose mask is 0107`() throws {
        let frame = try KKMSensor(parsing: [UInt8](hex: "2101070e321b4733b4"))
        #expect(frame.millivolts == 3634)
        #expect(frame.values.map { "\($0)" } == ["temperature 27.277 °C", "humidity 51.703 %"])
    }

    @Test(
        arguments: [
            ("2101030bc41580", ["temperature 21.5 °C"]), ("210002ff80", ["temperature -0.5 °C"]),
            // Below 0, the integer part counts hundreds of degrees: -1 none, -2 one, -3 two.
            ("2100061500ff00", ["temperature 21 °C"]), ("2100061500fe00", ["temperature 121 °C"]),
            ("2100061500fd80", ["temperature 221 °C"]), ("210004fe00", []),
            ("21001001", []), ("21003001 02", ["pir 2"]), ("2100400123", ["light 291 lx"]),
            ("210080 03 0064 0001", ["voc 100", "nox 1"]), ("210200 04 01c2", ["co2 450 ppm"]),
            ("210400 05 0007", ["new-records 7"]), ("210100", []), ("21f800", []),
        ] as [(String, [String])]) func `has the fields that its mask names`(_ hex: String, values: [String])
        throws
    {
        let frame = try KKMSensor(parsing: [UInt8](hex: hex))
        #expect(frame.values.map { "\($0)" } == values)
        #expect(frame.truncation == nil)
    }

    @Test func `keeps what precedes a field that is cut short`() throws {
        let whole = [UInt8](hex: "2107ff0e07192a224ffffcffec03eb0102012303006400010401c2050007")
        let values = try KKMSensor(parsing: whole).values
        #expect(values.count == 11)
        for prefix in Corruption.prefixes(of: whole) where prefix.count >= 3 {
            let frame = try KKMSensor(parsing: prefix)
            #expect(frame.values == Array(values.prefix(frame.values.count)))
            #expect(frame.truncation.map { $0.offset <= prefix.count } == true)
        }
    }

    @Test func `in the scan response has major and minor, or the end of an address`() throws {
        let numbers = try KKMExtended(parsing: [UInt8](hex: "6404193605b2"))
        #expect((numbers.major, numbers.minor) == (6454, 1458))
        #expect(numbers.address == nil)
        let address = try KKMExtended(parsing: [UInt8](hex: "640001 02459f"))
        #expect(address.address == "BC:57:29:02:45:9F")
        #expect(address.major == nil)
        let neither = try KKMExtended(parsing: [UInt8](hex: "6d0100000000"))
        #expect(neither.address == nil)
        #expect(neither.major == nil)
        for hex in ["640001", "64000102", "6404193605"] {
            let short = try KKMExtended(parsing: [UInt8](hex: hex))
            #expect(short.percent == 100)
            #expect(short.major == nil)
            #expect(short.address == nil)
        }
    }
}
