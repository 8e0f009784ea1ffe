/// The exact bound of a tray's time: an adapter connects one unit at a time, a unit has a link slot from its first
/// connect until it is verified, a unit that is further along goes first, and senders share the air.
struct TrayModel {
    var connects = 1
    /// Seconds of a connect.
    var connect = 1.5
    /// Seconds of a jump into the bootloader, and of a restart afterwards.
    var jump = 1.0
    var restart = 2.0
    /// Kilobytes of firmware, and per second.
    var size = 100.0
    var flash = 10.0
    var air = 98.9

    private enum Stage {
        case connect
        case wait(Double)
        case send
    }

    private var stages: [Stage] {
        switch connects {
        case 1: [.connect, .wait(jump), .send, .wait(restart)]
        default: [.connect, .wait(jump), .connect, .send, .wait(restart)]
        }
    }

    /// Seconds for one unit alone.
    var alone: Double { time(of: 1, links: 1) }

    /// Seconds for `count` units, distributed evenly over adapters of `links` each.
    func time(of count: Int, links: Int, adapters: Int) -> Double {
        let shares = (0..<adapters).map { count / adapters + ($0 < count % adapters ? 1 : 0) }
        return shares.filter { $0 > 0 }.map { time(of: $0, links: links) }.max() ?? 0
    }

    private func time(of count: Int, links: Int) -> Double {
        let stages = stages
        var (now, begun, done) = (0.0, 0, 0)
        var stage = Array(repeating: 0, count: count)
        var queue: [Int] = []
        var connector: (unit: Int, end: Double)?
        var waits: [(unit: Int, end: Double)] = []
        var sending: [(unit: Int, left: Double)] = []
        while done < count {
            while begun - done < links, begun < count {
                queue.append(begun)
                begun += 1
            }
            if connector == nil, let next = queue.min(by: { (-stage[$0], $0) < (-stage[$1], $1) }) {
                queue.removeAll { $0 == next }
                connector = (next, now + connect)
            }
            let rate = min(flash, air / Double(max(1, sending.count)))
            let ends = waits.map(\.end) + sending.map { now + $0.left / rate }
            let end = min(connector?.end ?? .infinity, ends.min() ?? .infinity)
            for index in sending.indices { sending[index].left -= rate * (end - now) }
            now = end
            var ended: [Int] = []
            if let last = connector, last.end <= now + 1e-9 {
                ended.append(last.unit)
                connector = nil
            }
            ended += waits.filter { $0.end <= now + 1e-9 }.map(\.unit)
            ended += sending.filter { $0.left <= 1e-7 }.map(\.unit)
            waits.removeAll { $0.end <= now + 1e-9 }
            sending.removeAll { $0.left <= 1e-7 }
            for unit in ended {
                stage[unit] += 1
                guard stage[unit] < stages.count else {
                    done += 1
                    continue
                }
                switch stages[stage[unit]] {
                case .connect: queue.append(unit)
                case .wait(let length): waits.append((unit, now + length))
                case .send: sending.append((unit, size))
                }
            }
        }
        return now
    }
}
