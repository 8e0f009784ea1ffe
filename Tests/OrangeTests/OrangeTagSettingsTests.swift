import Bluetooth
import Bytes
import TestSupport
import Testing
import UpdateModel

@testable import Orange

/// The bytes of a tag's characteristics, by the numbers in their UUIDs.
private typealias Bytes = [UInt16: [UInt8]]

private func settings(_ bytes: Bytes) -> OrangeTagSettings {
    OrangeTagSettings { characteristic in
        bytes.first { OrangeTagService.uuid($0.key) == characteristic.uuid }?.value
    }
}

private func settings(_ text: String) throws(YAMLProblem) -> OrangeTagSettings {
    try OrangeTagSettings(try YAMLValue(parsing: Array(text.utf8)), besides: [])
}

/// As Orange's libraries lay them out.
private let sample: Bytes = [
    0x0A00: Array(0x3D...0x4C), 0x0A02: [0xB8, 0xF8], 0x0A01: [0xC0, 0xCD], 0x0A04: [0xE8, 0x03],
    0x0A05: [0xF4],
    0x0A07: [0x0A, 0x01], 0x0A08: [1, 0xEC, 50], 0x0A0B: [1, 0x14, 0xAE, 0x07, 0x3F],
    0x0A09: [0, 0, 0, 0, 0],
]

@Suite struct `Settings of an Orange Beacon Tag` {
    @Test func `have the byte order, the units and the signs of Orange's libraries`() {
        #expect(
            settings(sample).values == [
                .uuid: .text("3D3E3F40-4142-4344-4546-4748494A4B4C"), .major: .number(0xF8B8),
                .minor: .number(0xCDC0), .interval: .number(625), .power: .number(-12), .sleep: .number(266),
                .temperatureSwitch: .number(1), .temperatureLower: .number(-20),
                .temperatureUpper: .number(50),
                .accelerationSwitch: .number(1), .acceleration: .number(0.53), .angularSwitch: .number(0),
                .angular: .number(0),
            ])
    }

    @Test func `are those of the available characteristics`() {
        #expect(settings([0x0A05: [4]]).values == [.power: .number(4)])
        #expect(settings([:]).values.isEmpty)
    }

    @Test func `have a switch for the sleep if the tag's value has three bytes`() {
        #expect(
            settings([0x0A07: [1, 0x0A, 0x01]]).values == [.sleepSwitch: .number(1), .sleep: .number(266)])
    }

    @Test func `keep bytes of any other form unchanged, at every length`() {
        for (number, bytes) in sample {
            for wrong in Corruption.prefixes(of: bytes) + [
                bytes + [0], bytes + [UInt8](repeating: 7, count: 20),
            ]
            where !(number == 0x0A07 && wrong.count == 3) && wrong.count != bytes.count {
                let read = settings([number: wrong])
                #expect(
                    read.values.map(\.value) == [.text("hex:" + HexText.encode(wrong))], "\(number) \(wrong)")
            }
        }
        let notANumber = settings([0x0A0B: [1, 0, 0, 0xC0, 0x7F]])
        #expect(notANumber.values == [.accelerationSwitch: .text("hex:010000c07f")])
    }

    @Test func `make a file that reads back the same, whatever bytes a tag reports`() throws {
        var random = Seed(Seed.ofThisRun)
        for round in 0..<2000 {
            var bytes: Bytes = [:]
            for (number, value) in sample where Int.random(in: 0..<8, using: &random) > 0 {
                let length = round % 3 == 0 ? Int.random(in: 0...22, using: &random) : value.count
                bytes[number] = (0..<length).map { _ in .random(in: 0...255, using: &random) }
            }
            let read = settings(bytes)
            guard !read.values.isEmpty else { continue }
            let file = try settings(read.lines.joined(separator: "\n"))
            #expect(file == read && file.differences(from: read).isEmpty, "\(bytes)")
        }
    }

    @Test func `change with each bit, to a value that a file can have`() throws {
        for (number, bytes) in sample {
            for place in bytes.indices {
                for bit in 0..<8 {
                    var flipped = bytes
                    flipped[place] ^= 1 << bit
                    let read = settings([number: flipped])
                    #expect(try settings(read.lines.joined(separator: "\n")) == read)
                    // The two zeros are equal.
                    if flipped != [0, 0, 0, 0, 0x80] { #expect(read != settings([number: bytes])) }
                }
            }
        }
    }

    @Test(arguments: [
        "major: 65536", "major: -1", "minor: 1.5", "uuid: 3D4F13B4", "interval_ms: 100.3", "interval_ms: ten",
        "tx_power_dbm: 128", "sleep_s: 65536", "temperature_lower_c: -129", "temperature_wakes: yes",
        "acceleration_ms2: nan", "acceleration_ms2: 1e39", "angular: .inf", "power: 4", "major: hex:0", "{}",
        "major: [1]", "major: 99999999999999999999", "major: -9223372036854775808",
    ]) func `that no tag can have are refused with their place`(text: String) {
        #expect(throws: YAMLProblem.self) { try settings(text) }
    }

    @Test(arguments: [
        ("tx_power_dbm: 5", "tx_power_dbm cannot be 5"), ("interval_ms: 99.375", "100 to 10000 ms"),
        ("interval_ms: 10000.625", "100 to 10000 ms"), ("temperature_wakes: 2", "0 or 1"),
        ("acceleration_ms2: 0.15", "0.1569064 to 156.9064"),
        ("acceleration_ms2: 157", "0.1569064 to 156.9064"),
        ("temperature_lower_c: 51", "temperature_lower_c (51) is above temperature_upper_c (50)"),
        ("uuid: hex:00", "a UUID"),
    ]) func `outside Orange's ranges are not written`(text: String, cause: String) throws {
        var writing = OrangeTagSettingsWriting(try settings(text), after: settings(sample))
        let failure = #expect(throws: SessionFailure.self) { try writing.begin(on: Self.link) }
        #expect(
            failure?.code == .session.settingOutOfRange && failure?.message.contains(cause) == true,
            "\(failure as Any)")
    }

    @Test func `at the ends of their ranges are written`() throws {
        for text in [
            "acceleration_ms2: 0.1569064", "acceleration_ms2: 156.9064", "interval_ms: 100",
            "interval_ms: 10000",
            "tx_power_dbm: -62", "tx_power_dbm: 4", "temperature_upper_c: -20", "sleep_s: 65535",
            "angular: -1",
        ] {
            var writing = OrangeTagSettingsWriting(try settings(text), after: settings(sample))
            guard case .write = try writing.begin(on: Self.link).command else {
                Issue.record("\(text) is not written")
                continue
            }
        }
    }

    private static let link = LinkFacts(maximumWriteLength: 20)

    /// The writes that bring a tag with `found` to `text`.
    private static func writes(_ text: String, to found: Bytes) throws -> [[UInt8]] {
        var writing = OrangeTagSettingsWriting(try settings(text), after: settings(found))
        var step = try writing.begin(on: link)
        var writes: [[UInt8]] = []
        while case .write(let bytes, _, let mayRefuse) = step.command {
            #expect(mayRefuse)
            writes.append(bytes)
            step = try writing.advance(after: .done)
        }
        return writes
    }

    @Test func `are written with the rest of their characteristic unchanged`() throws {
        #expect(
            try Self.writes("temperature_upper_c: 40\nacceleration_wakes: 0\nmajor: 258", to: sample) == [
                [2, 1], [1, 0xEC, 40], [0, 0x14, 0xAE, 0x07, 0x3F],
            ])
        #expect(try Self.writes("sleep_s: 5", to: [0x0A07: [1, 0, 0]]) == [[1, 5, 0]])
        #expect(try Self.writes("sleep_s: 5", to: [0x0A07: [0, 0]]) == [[5, 0]])
        // A value that is switched off need not be in its range.
        #expect(
            try Self.writes("temperature_wakes: 0", to: [0x0A08: [1, 9, 5]]) == [[0, 9, 5]]
                && Self.writes("acceleration_wakes: 0", to: [0x0A0B: [1, 0, 0, 0, 0]]) == [[0, 0, 0, 0, 0]])
        #expect(throws: SessionFailure.self) {
            try Self.writes("acceleration_wakes: 1", to: [0x0A0B: [0, 0, 0, 0, 0]])
        }
    }

    @Test(
        arguments: [
            ("sleep_on: 1", [0x0A07: [0, 0]], "the tag has no sleep_on"),
            ("angular: 1", [0x0A07: [0, 0]], "the tag has no angular"),
            ("temperature_upper_c: 1", [0x0A08: [1]], "temperature_wakes has an unknown format"),
            ("temperature_wakes: 1", [0x0A08: [1]], "temperature_wakes has an unknown format"),
        ] as [(String, [UInt16: [UInt8]], String)])
    func `that a tag does not have are not written`(text: String, found: [UInt16: [UInt8]], cause: String)
        throws
    {
        let failure = #expect(throws: SessionFailure.self) { try Self.writes(text, to: found) }
        #expect(
            failure?.code == .session.notSupported && failure?.message.contains(cause) == true,
            "\(failure as Any)")
    }

    @Test func `with which a tag sleeps and nothing wakes it lock it away`() throws {
        func risks(_ text: String, _ found: Bytes) throws -> [LockOut] {
            try settings(text).lockOuts(of: settings(found))
        }
        let awake: Bytes = sample.merging([0x0A07: [0, 0], 0x0A08: [0, 0, 0], 0x0A0B: [0, 0, 0, 0, 0]]) { $1 }
        #expect(try risks("sleep_s: 1", awake) == [.alwaysOff])
        #expect(try risks("sleep_s: 1\nangular_wakes: 1", awake) == [])
        #expect(try risks("temperature_wakes: 0\nacceleration_wakes: 0", sample) == [.alwaysOff])
        #expect(try risks("temperature_wakes: 0", sample) == [])
        #expect(try risks("sleep_s: 2", awake.merging([0x0A07: [1, 0]]) { $1 }) == [])
        #expect(try risks("sleep_s: 2\nsleep_on: 0", awake.merging([0x0A07: [0, 0, 0]]) { $1 }) == [])
    }
}
