import Bluetooth
import Simulation

/// Packets built independently, with a separate CRC implementation.
enum FBeaconPackets {
    /// 00 to FF, repeated.
    static func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 & 0xFF) } }

    /// Polynomial 1021, start 0, bit by bit.
    static func crc(_ bytes: [UInt8]) -> UInt16 {
        bytes.reduce(0) { crc, byte in
            (0..<8).reduce(crc ^ UInt16(byte) << 8) { value, _ in
                value & 0x8000 == 0 ? value << 1 : value << 1 ^ 0x1021
            }
        }
    }

    /// One 1A, then zeros.
    static func padded(_ data: [UInt8]) -> [UInt8] {
        data.count >= 1024 ? data : data + [0x1A] + [UInt8](repeating: 0, count: 1023 - data.count)
    }

    static func packet(_ number: Int, _ data: [UInt8], sum: Bool = false) -> [UInt8] {
        let number = UInt8(number & 0xFF)
        let data = padded(data)
        let crc = crc(data)
        let check = sum ? [data.reduce(0, &+)] : [UInt8(crc >> 8), UInt8(crc & 0xFF)]
        return [0x02, number, ~number] + data + check
    }

    static func packets(_ payload: [UInt8], sum: Bool = false) -> [[UInt8]] {
        stride(from: 0, to: payload.count, by: 1024).enumerated().map { index, start in
            packet(index + 1, Array(payload[start..<min(start + 1024, payload.count)]), sum: sum)
        }
    }
}

extension FBeaconBench {
    static let enter = Array("EnterDFU0".utf8)

    /// Connects, enters, and returns the opening byte.
    mutating func open(mtu: Int = 247, digit: Int = 0) {
        connect(mtu: mtu)
        write(Array("EnterDFU\(digit)".utf8))
        pass(for: .milliseconds(100))
    }

    /// Sends every packet until one is not acknowledged; returns whether all were.
    mutating func send(_ payload: [UInt8], sum: Bool = false) -> Bool {
        for packet in FBeaconPackets.packets(payload, sum: sum) {
            guard ask(packet, within: .milliseconds(500)) == [0x06] else { return false }
        }
        return true
    }

    /// A whole update; returns the answer to EOT.
    mutating func update(_ payload: [UInt8], mtu: Int = 247, digit: Int = 0, sum: Bool = false) -> [UInt8] {
        open(mtu: mtu, digit: digit)
        guard send(payload, sum: sum) else { return [] }
        return ask([0x04], within: .milliseconds(500))
    }

    /// Time for every restart and installation.
    mutating func settle() {
        pass(for: .seconds(3))
        disconnect()
        pass(for: .seconds(90))
        pass(until: programStart)
    }

    var statistics: FBeaconStatistics { device.statistics(at: now) }
    var record: FBeaconRecord { statistics.transfer }
    var errors: [FBeaconRule] { record.brokenRules }

    /// The version in its frame.
    var heardVersion: Int? {
        let elements = device.reports(after: now, through: now + .seconds(2)).flatMap(\.data.elements)
        for case .serviceData(_, let data) in elements where data.count == 11 {
            return Int(data[1]) << 8 | Int(data[2])
        }
        return nil
    }
}
