import Bytes
import UpdateModel

/// The broadcasts of a Feasycom beacon in its commands and answers (fbeacon.md, Broadcasts).
enum FBeaconBroadcasts {
    static let command = "BADVDATA"
    /// The numbers of broadcasts on a beacon.
    static let numbers = 0..<10
    /// The value of a broadcast without a packet.
    static let none = "00,0"

    /// `text` in the form of a command: a packet in hexadecimal and 1 or 0, or `none`; nil if it is neither.
    static func value(_ text: String) -> String? {
        guard text != none else { return text }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1] == "0" || parts[1] == "1",
            let packet = try? HexText.decode(String(parts[0])), isWhole(packet)
        else { return nil }
        return "\(HexText.encode(packet).uppercased()),\(parts[1])"
    }

    /// Whether `packet` fits into an advertisement and consists of whole AD structures.
    private static func isWhole(_ packet: [UInt8]) -> Bool {
        guard 1...31 ~= packet.count else { return false }
        var rest = packet[...]
        while let length = rest.first {
            guard length > 0, rest.count > Int(length) else { return false }
            rest = rest.dropFirst(Int(length) + 1)
        }
        return true
    }

    /// The broadcasts by number, from the `lines` of an answer. One without a line has no packet.
    static func values(
        in lines: String, during step: String
    ) throws(SessionFailure) -> [Int: SettingValue] {
        var values: [Int: SettingValue] = [:]
        for (place, line) in lines.split(separator: "\n").enumerated() {
            var fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            if fields.count == 4, fields[0].isEmpty { fields.removeFirst() }
            guard fields.count == 3, let number = numbers.first(where: { "\($0)" == fields[0] }),
                values[number] == nil
            else {
                throw SessionFailure(
                    .malformed, during: step,
                    "line \(place + 1) of the beacon's answer to AT+\(command) is not a valid broadcast")
            }
            values[number] = FBeaconSettings.Key.broadcast(number).told("\(fields[1]),\(fields[2])")
        }
        return values.merging(numbers.map { ($0, .text(none)) }) { told, _ in told }
    }
}
