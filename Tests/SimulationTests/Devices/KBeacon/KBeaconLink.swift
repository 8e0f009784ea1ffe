import Bluetooth
import Bytes
import Simulation

/// A client of a KBeacon's attributes, by their handles: Generic Access 1 to 3, Device Information 4 to 10, FEA0 from
/// 11 on, and Buttonless after it.
struct KBeaconLink: Sendable {
    static let write = "0d00"
    static let answersOn = "1210000100"
    static let eventsOn = "1213000200"
    static let buttonless = "1600"
    static let buttonlessOn = "1217000200"

    let client: LinkClient

    /// Sends a packet; returns the next one received.
    func ask(_ packet: String) async throws -> String? {
        try await client.send(packet)
        return try await client.next()
    }

    /// Writes to FEA1 with a request; returns the notification.
    func tell(_ value: String) async throws -> String? {
        guard try await ask("12" + Self.write + value) == "13" else { return nil }
        return try await client.next().map { String($0.dropFirst(6)) }
    }

    /// MTU 247, notifications on, and the handshake.
    func begin(_ password: String = KBeaconDescription.factoryPassword) async throws -> String? {
        guard try await ask("02f700") == "03f700", try await ask(Self.answersOn) == "13",
            let answer = try await tell("130101020304"), let address = DeviceAddress("F0:0D:00:00:00:FF")
        else { return nil }
        let number = hex(answer)[2..<6]
        let digest = KBeaconVector.digest(address, number, password)
        return try await tell("1302" + HexText.encode(digest))
    }

    /// A message in one piece; returns its answer without the frame, or the whole notification.
    func message(_ text: String) async throws -> String? {
        guard let said = try await tell("230000" + digits(text)) else { return nil }
        guard said.hasPrefix("23"), said.dropFirst(6).hasPrefix("00000000") else { return said }
        return String(decoding: hex(String(said.dropFirst(14))), as: UTF8.self)
    }

    /// Enters the bootloader; returns the answer to the write, and then the indication.
    func enter() async throws -> [String?] {
        let answer = try await ask("12" + Self.buttonless + "01")
        guard answer == "13" else { return [answer] }
        let indicated = try await client.next()
        try await client.send("1e")
        return [answer, indicated]
    }
}
