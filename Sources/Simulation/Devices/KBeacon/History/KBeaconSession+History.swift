import Bytes

/// Binary commands for sensor records (kbeacon.md, Other parameters).
///
///     01 kind                                   summary
///     02 kind position[4] count[2] order [18]   records; in the second generation with a tenth byte
///     03 kind                                   clear the records
extension KBeaconSession {
    /// Carries out a binary command; returns the frames of the response, if any.
    mutating func history(_ command: [UInt8], at now: Duration) throws(KBeaconRefusal) -> [[UInt8]] {
        guard let opcode = command.first, (1...3).contains(opcode) else {
            throw KBeaconRefusal(.messageUnknown)
        }
        guard command.count > 1 else { throw KBeaconRefusal(.parameterMissing) }
        guard let kind = KBeaconHistory.Kind(rawValue: command[1]),
            var history = description.history.first(where: { $0.kind == kind })
        else { throw KBeaconRefusal(.sensorMissing) }
        if memory.cleared.contains(kind.rawValue) { history.count = 0 }
        switch opcode {
        case 1: return [summary(of: history, at: now)]
        case 2: return try records(of: history, Array(command.dropFirst(2)))
        default:
            memory.cleared.insert(kind.rawValue)
            memory.fetched[kind.rawValue] = nil
            return []
        }
    }

    private func fetched(of history: KBeaconHistory) -> Int {
        max(0, min(Int(history.count), memory.fetched[history.kind.rawValue] ?? 0))
    }

    private func summary(of history: KBeaconHistory, at now: Duration) -> [UInt8] {
        var writer = ByteWriter([0x01, history.kind.rawValue])
        for number in [Int(history.count), Int(history.count) - fetched(of: history)] {
            switch description.generation {
            case .first: writer.integer(UInt16(clamping: number), .big)
            case .second: writer.integer(UInt32(clamping: number), .big)
            }
        }
        writer.integer(seconds(at: now), .big)
        return writer.bytes
    }

    private mutating func records(
        of history: KBeaconHistory, _ rest: [UInt8]
    ) throws(KBeaconRefusal) -> [[UInt8]] {
        let length = description.generation == .first ? 7 : 8
        guard rest.count == length else { throw KBeaconRefusal(.parameterInvalid) }
        func number(_ range: Range<Int>) -> UInt32 { rest[range].reduce(0) { $0 << 8 | UInt32($1) } }
        let (position, order) = (number(0..<4), rest[6])
        guard order <= 2 else { throw KBeaconRefusal(.parameterInvalid) }
        let isNewestFirst = order == 1
        let total = Int(history.count)
        let isUnknown = position == .max
        let first = order == 2 ? fetched(of: history) : isNewestFirst ? total - 1 : 0
        let start = isUnknown || order == 2 ? first : Int(position)
        let most = max(0, min(Int(number(4..<6)), history.mostAtOnce))
        let places =
            isNewestFirst
            ? Array(stride(from: start, to: -1, by: -1).prefix(most)) : Array((start...).prefix(most))
        let found = places.filter { (0..<total).contains($0) }
        if order == 2 { memory.fetched[history.kind.rawValue] = start + found.count }
        let isInFrames = description.generation == .second && description.answers.records == .frames
        let size = isInFrames ? max(1, description.answers.recordsInFrame) : max(1, found.count)
        return stride(from: 0, to: max(1, found.count), by: size).map { start in
            let places = found.dropFirst(start).prefix(size)
            let next = places.last.map { isNewestFirst ? $0 - 1 : $0 + 1 }
            var page = ByteWriter([history.kind.rawValue])
            page.integer(next.flatMap { (0..<total).contains($0) ? UInt32($0) : nil } ?? UInt32.max, .big)
            for place in places { page.append(history.record(place, description.seed)) }
            var frame = ByteWriter([0x02])
            frame.integer(UInt16(clamping: page.bytes.count), .big)
            frame.append(page.bytes)
            return frame.bytes
        }
    }
}
