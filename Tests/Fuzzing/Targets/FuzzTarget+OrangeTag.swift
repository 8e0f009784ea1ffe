import Bluetooth
import Bytes
import Orange
import UpdateModel

extension FuzzTarget {
    /// Values of an Orange Beacon Tag.
    static let orangeTag = [orangeTagValues]

    private static let wanted = "tx_power_dbm: 4\nmajor: 7\ntemperature_wakes: 1\nsleep_s: 5"

    /// A row of values, one for each characteristic; an empty one is absent. Whatever they are, they make a file that
    /// reads back the same, and written values have the length that was read.
    private static let orangeTagValues = FuzzTarget("orange-tag-values", seeds: { rows }) { input in
        let packets = Script(input).packets
        var reading = OrangeTagSettings.reading(of: OrangeTagFacts(firmware: nil))
        var step = reading.begin(on: LinkFacts(maximumWriteLength: 20))
        var values: [Characteristic: [UInt8]] = [:]
        var place = 0
        var found: OrangeTagSettings?
        while found == nil {
            switch step.command {
            case .find:
                let isThere = place < packets.count && !packets[place].isEmpty
                if !isThere { place += 1 }
                step = try reading.advance(after: isThere ? .done : .absent)
            case .readIfAllowed(let source):
                values[source] = packets[place]
                step = try reading.advance(after: .value(packets[place]))
                place += 1
            case .end(let settings): found = settings
            default: throw Violation(description: "\(step.command)")
            }
        }
        guard let found, !found.values.isEmpty else { return }
        let file = try OrangeTagSettings(
            try YAMLValue(parsing: Array(found.lines.joined(separator: "\n").utf8)), besides: [])
        try demand(file == found, "\(found.lines) is read as \(file.lines)")

        let wanted = try OrangeTagSettings(try YAMLValue(parsing: Array(Self.wanted.utf8)), besides: [])
        var writing = OrangeTagSettings.writing(
            wanted.differences(from: found), to: found, of: OrangeTagFacts(firmware: nil))
        var write: DialogueStep<Void, Never>
        do throws(SessionFailure) { write = try writing.begin(on: LinkFacts(maximumWriteLength: 20)) } catch {
            return
        }
        while case .write(let bytes, let target, _) = write.command {
            try demand(bytes.count == values[target]?.count, "\(bytes) for \(values[target] ?? [])")
            write = try writing.advance(after: .done)
        }
    }

    private static let rows: [[UInt8]] = [
        [
            Array(1...16), [0, 1], [0, 2], [0xA0, 0], [0xF4], [0, 0], [0, 15, 25], [0, 0, 0, 0x80, 0x3F],
            [0, 0, 0, 0, 0],
        ],
        [
            Array(1...16), [1, 0], [2, 0], [0x80, 0x3E], [4], [1, 5, 0], [1, 0xEC, 50],
            [1, 0, 0, 0xC0, 0x7F], [1],
        ],
        [Array(1...16), [1, 0], [2, 0], [0, 0], [0x80]], [[], [1], [], [], [9]],
    ].map { Script.input($0) }
}
