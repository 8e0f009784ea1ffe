import Bytes
import Simulation

/// A transfer of an open container without unnecessary waits, played against the receiver itself.
struct PerfectFBeaconSender {
    private static let dataLength = 1024

    /// When the last answer came; the next packet is ready then.
    private(set) var now = Duration.zero
    /// Time between the first and the last write of every packet, in whole events.
    private(set) var carrying = Duration.zero

    private var up: ConnectionEvents
    private var down: ConnectionEvents
    private var receiver: FBeaconReceiver
    private let writeLength: Int

    init(_ link: LinkModel, _ description: FBeaconDescription) {
        var link = link
        link.loss = 0
        up = ConnectionEvents(link)
        down = ConnectionEvents(link)
        receiver = FBeaconReceiver(description, [])
        writeLength = description.maximumMTU - 3
    }

    /// Whether the receiver accepted everything.
    mutating func send(_ payload: [UInt8]) -> Bool {
        receiver.begin(restoringSettings: false, at: now)
        _ = receiver.tick(at: now)
        for (index, start) in stride(from: 0, to: payload.count, by: Self.dataLength).enumerated() {
            let data = payload[start..<min(start + Self.dataLength, payload.count)]
            guard send(data, UInt8(truncatingIfNeeded: index + 1)) == 0x06 else { return false }
        }
        return true
    }

    /// Sends one packet; returns its answer.
    private mutating func send(_ data: ArraySlice<UInt8>, _ number: UInt8) -> UInt8? {
        let data = data + [UInt8](repeating: 0x1A, count: Self.dataLength - data.count)
        let sum = CRC16.checksum(data)
        let packet = [0x02, number, ~number] + data + [UInt8(sum >> 8), UInt8(sum & 0xFF)]
        var first: Int?
        for start in stride(from: 0, to: packet.count, by: writeLength) {
            let bytes = Array(packet[start..<min(start + writeLength, packet.count)])
            let arrived = up.arrival(of: bytes.count + 3, readyAt: now)
            first = first ?? up.event
            for case .notify(let answer, _, _, let due) in receiver.take(bytes, at: arrived) {
                carrying += up.model.interval * (up.event - (first ?? up.event))
                now = down.arrival(of: 4, readyAt: due)
                return answer.first
            }
        }
        return nil
    }
}
