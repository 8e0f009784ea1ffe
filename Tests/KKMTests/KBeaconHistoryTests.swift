import TestSupport
import Testing
import UpdateModel

@testable import KKM

/// Answers of a beacon to requests for records.
private enum Vector {
    static let first = [UInt8](hex: "01 02 0028 0003 65F00000")
    static let second = [UInt8](hex: "01 02 00000028 00000003 00000E10")
    /// Two records, the first at −1.5 °C and 50.25 %, and the position of the next.
    static let page = [UInt8](hex: "02 0015 02 00000002 65F00000 FE80 3240 00000010 1980 6400")
    static let alarms = [UInt8](hex: "02 000A 08 FFFFFFFF 65F00000 01")

    static func summary(total: Int) throws -> KBeaconHistorySummary {
        let count = (0..<4).reversed().map { UInt8(total >> (8 * $0) & 0xFF) }
        return try #require(
            KBeaconHistorySummary(
                answer: [0x01, 0x02] + count + [UInt8](repeating: 0, count: 8), of: .humidity, .second))
    }

    static func page(of count: Int, next: UInt32?) throws -> KBeaconRecordPage {
        let position = next ?? .max
        let length = 5 + 8 * count
        let head: [UInt8] = [0x02, UInt8(length >> 8), UInt8(length & 0xFF), 0x02]
        return try KBeaconRecordPage(
            answer: head + (0..<4).reversed().map { UInt8(position >> (8 * $0) & 0xFF) }
                + [UInt8](repeating: 0, count: 8 * count), of: .humidity)
    }
}

@Suite struct `The records of a KBeacon` {
    @Test(
        arguments: [
            (Vector.first, KBeaconGeneration.first, 0x65F0_0000), (Vector.second, .second, 3600),
            ([0x00] + Vector.first.dropFirst(), .first, 0x65F0_0000),
        ] as [([UInt8], KBeaconGeneration, UInt32)])
    func `are announced in either generation`(answer: [UInt8], generation: KBeaconGeneration, clock: UInt32)
        throws
    {
        let summary = try #require(KBeaconHistorySummary(answer: answer, of: .humidity, generation))
        #expect(summary.total == 40 && summary.unread == 3 && summary.clock == clock)
        #expect(KBeaconHistorySummary(answer: answer, of: .alarm, generation) == nil)
        #expect(
            KBeaconHistorySummary(answer: answer, of: .humidity, generation == .first ? .second : .first)
                == nil)
    }

    @Test func `are requested from the oldest on, without moving the beacon's pointer`() throws {
        var course = KBeaconHistoryCursor(through: try Vector.summary(total: 40))
        #expect(course.pageQuery(in: .first).hex == "020200000000006400")
        #expect(course.pageQuery(in: .second).hex == "02020000000000c80018")
        try course.add(try Vector.page(of: 30, next: 30))
        #expect(course.pageQuery(in: .first).hex == "02020000001e006400" && !course.isOver)
        try course.add(try Vector.page(of: 10, next: nil))
        #expect(course.isOver && course.count == 40)
        #expect(KBeaconHistoryCursor(through: try Vector.summary(total: 0)).isOver)
    }

    @Test(
        arguments: [
            (.oldestFirst, nil, nil, "0202 00000000 00C8 00 18", 40, 1, 2),
            (.oldestFirst, 11, nil, "0202 0000000A 00C8 00 18", 30, 11, 12),
            (.oldestFirst, 11, 5, "0202 0000000A 0005 00 18", 5, 11, 12),
            (.oldestFirst, 39, 5, "0202 00000026 0005 00 18", 2, 39, 40),
            (.newestFirst, nil, nil, "0202 FFFFFFFF 00C8 01 18", 40, 40, 39),
            (.newestFirst, nil, 7, "0202 FFFFFFFF 0007 01 18", 7, 40, 39),
            (.newestFirst, 11, nil, "0202 0000000A 00C8 01 18", 11, 11, 10),
            (.newestFirst, 400, 300, "0202 FFFFFFFF 00C8 01 18", 40, 40, 39),
        ] as [(KBeaconHistoryCursor.Order, UInt32?, Int?, String, Int, Int, Int)])
    func `are requested in either order, from a number, and up to a count`(
        order: KBeaconHistoryCursor.Order, from: UInt32?, most: Int?, request: String, expected: Int,
        first: Int, second: Int
    ) throws {
        let course = KBeaconHistoryCursor(
            through: try Vector.summary(total: 40), order, from: from, atMost: most)
        #expect(course.pageQuery(in: .second) == [UInt8](hex: request))
        #expect(course.pageQuery(in: .first).count == 9 && !course.isOver)
        #expect(course.expected == expected)
        #expect(course.number(after: 0) == first && course.number(after: 1) == second)
    }

    @Test(
        arguments: [(.oldestFirst, 41, nil), (.oldestFirst, .max, nil), (.newestFirst, 3, 0)]
            as [(KBeaconHistoryCursor.Order, UInt32?, Int?)])
    func `are empty for an empty range`(order: KBeaconHistoryCursor.Order, from: UInt32?, most: Int?)
        throws
    {
        let course = KBeaconHistoryCursor(
            through: try Vector.summary(total: 40), order, from: from, atMost: most)
        #expect(course.isOver && course.expected == 0)
    }

    @Test func `are limited to the requested count`() throws {
        var course = KBeaconHistoryCursor(
            through: try Vector.summary(total: 40), .newestFirst, atMost: 15)
        #expect(try course.add(try Vector.page(of: 10, next: 29)).count == 10)
        #expect(course.pageQuery(in: .second).hex == "02020000001d00050118")
        #expect(try course.add(try Vector.page(of: 10, next: 19)).count == 5)
        #expect(course.isOver && course.count == 15)
    }

    @Test func `are read from several frames, the last of which has the next position`() throws {
        let page = try KBeaconRecordPage(
            answer: Vector.page + [UInt8](hex: "02 000D 02 00000003 65F00001 1400 2800"), of: .humidity)
        #expect(page.next == 3 && page.records.count == 3)
        #expect(page.records.last?.content == .climate(temperature: 20, humidity: 40))
    }

    @Test func `are read from pages`() throws {
        let page = try KBeaconRecordPage(answer: Vector.page, of: .humidity)
        #expect(page.next == 2)
        #expect(page.records.map(\.time) == [0x65F0_0000, 16])
        #expect(
            page.records.map(\.content) == [
                .climate(temperature: -1.5, humidity: 50.25), .climate(temperature: 25.5, humidity: 100),
            ])
        let alarms = try KBeaconRecordPage(answer: Vector.alarms, of: .alarm)
        #expect(alarms.next == nil && alarms.records.map(\.content) == [.state(1)])
    }

    @Test(arguments: [
        (Vector.first, KBeaconGeneration.first), (Vector.second, .second), (Vector.page, .second),
    ])
    func `are refused if an answer is cut off or has more bytes`(
        answer: [UInt8], generation: KBeaconGeneration
    ) {
        for length in answer.indices {
            let part = Array(answer.prefix(length))
            #expect(KBeaconHistorySummary(answer: part, of: .humidity, generation) == nil)
            #expect(throws: (any Error).self) { try KBeaconRecordPage(answer: part, of: .humidity) }
        }
        #expect(KBeaconHistorySummary(answer: answer + answer, of: .humidity, generation) == nil)
        #expect(throws: (any Error).self) { try KBeaconRecordPage(answer: answer + [0], of: .humidity) }
    }

    @Test func `are as many as were sent, whatever bit is changed`() throws {
        for index in Vector.page.indices {
            for bit in 0..<8 {
                var flipped = Vector.page
                flipped[index] ^= 1 << bit
                let page = try? KBeaconRecordPage(answer: flipped, of: .humidity)
                // The first eight determine the parsing; 4 to 7 hold the position of the next ones.
                #expect((page != nil) == (index >= 4))
                #expect(page == nil || page?.records.count == 2)
            }
        }
    }

    @Test(
        arguments: [
            [(10, 0)], [(0, 10)], [(10, 10), (10, 10)], [(10, 10), (10, 20), (10, 10)],
            [(10, 10), (10, 20), (10, 0)],
        ] as [[(Int, UInt32)]])
    func `end with an error if a beacon repeats positions`(pages: [(Int, UInt32)]) throws {
        var course = KBeaconHistoryCursor(through: try Vector.summary(total: 40))
        for (count, next) in pages.dropLast() { try course.add(try Vector.page(of: count, next: next)) }
        let (count, next) = try #require(pages.last)
        let failure = #expect(throws: SessionFailure.self) {
            try course.add(try Vector.page(of: count, next: next))
        }
        #expect(failure?.code == .session.answerMalformed)
    }

    @Test func `are limited to little more than the announced count`() throws {
        var course = KBeaconHistoryCursor(through: try Vector.summary(total: 40))
        let failure = #expect(throws: SessionFailure.self) {
            for number in 1...100_000 { try course.add(try Vector.page(of: 100, next: UInt32(number))) }
        }
        #expect(failure?.code == .session.answerTooLong && course.count == 4200)
    }

    @Test func `end after a number of answers`() throws {
        var course = KBeaconHistoryCursor(through: try Vector.summary(total: 1 << 30))
        let page = try Vector.page(of: 1, next: nil)
        let failure = #expect(throws: SessionFailure.self) {
            for number in 1...100_000 {
                try course.add(KBeaconRecordPage(records: page.records, next: UInt32(number)))
            }
        }
        #expect(failure?.code == .session.answerTooLong && course.count == 1 << 16)
    }

    @Test(
        arguments: [
            (1_700_000_000, 3600, 1_700_000_000 as UInt32?), (1_700_000_000, 1_700_000_100, 1_700_000_000),
            (3000, 3600, 1_800_000_000 - 600), (3600, 3600, 1_800_000_000),
            // Recorded before the clock was set, or before the beacon was switched off.
            (3000, 1_700_000_100, nil), (3601, 3600, nil),
        ] as [(UInt32, UInt32, UInt32?)])
    func `have a known time if possible`(recorded: UInt32, clock: UInt32, wall: UInt32?) {
        #expect(KBeaconRecordClock(clock, at: 1_800_000_000).wallTime(of: recorded) == wall)
    }

    @Test(
        arguments: [
            ("04", KBeaconGeneration.second, "single-click" as String?), ("C4", .second, "single-click"),
            ("07", .second, "cut-off"), ("3F", .second, nil), ("03", .first, "button"), ("44", .first, nil),
        ] as [(String, KBeaconGeneration, String?)])
    func `are described by their event`(hex: String, generation: KBeaconGeneration, name: String?) {
        let event = KBeaconEvent([UInt8](hex: hex), of: generation)
        #expect(event?.name == name && event?.bytes == [UInt8](hex: hex) && event?.reading == nil)
    }

    @Test(
        arguments: [
            ("0302", KBeaconGeneration.first, "long-press" as String?), ("0303", .first, "single-click"),
            ("0304", .first, "double-click"), ("0305", .first, "triple-click"), ("03", .first, nil),
            ("0301", .first, nil), ("0306", .first, nil), ("03FF", .first, nil), ("0403", .first, nil),
            ("030455", .first, "double-click"),
            ("03", .second, "long-press"), ("C4", .second, "single-click"), ("05", .second, "double-click"),
            ("06", .second, "triple-click"), ("0704", .second, nil), ("02", .second, nil),
        ] as [(String, KBeaconGeneration, String?)])
    func `have the kind of button press`(hex: String, generation: KBeaconGeneration, click: String?) {
        #expect(KBeaconEvent([UInt8](hex: hex), of: generation)?.click == click)
    }

    @Test func `have the measured values`() {
        let body = "65F00000 FE80 3240"
        let climate = KBeaconRecord.Content.climate(temperature: -1.5, humidity: 50.25)
        for (type, generation) in [("02", KBeaconGeneration.first), ("08", .second), ("8B", .second)] {
            let event = KBeaconEvent([UInt8](hex: "\(type) \(body)"), of: generation)
            #expect(event?.reading?.content == climate)
            #expect(KBeaconEvent([UInt8](hex: "\(type) 65F00000 FE"), of: generation)?.reading == nil)
        }
        #expect(KBeaconEvent([], of: .second) == nil)
    }
}
