import Bluetooth
import Bytes
import Simulation
import TestSupport
import UpdateModel

/// A peripheral's response to a request, as hexadecimal text.
enum Reaction: Sendable {
    case says([UInt8])
    /// The same, delayed.
    case saysAfter(Duration, [UInt8])
    case isSilent
    case hangsUp

    /// An error answer to `request` about `handle`.
    static func refuses(_ request: [UInt8], _ status: UInt8) -> Reaction {
        .says([0x01, request[0]] + (request.count > 2 ? Array(request[1...2]) : [0, 0]) + [status])
    }
}

/// The result of an `InventoryReader` with a peripheral that responds as `script` defines, and the time that took.
func inventory(
    within limit: Duration = .seconds(30), _ script: @escaping @Sendable ([UInt8]) -> Reaction
) async throws -> (inventory: DeviceInventory, took: Duration) {
    try await VirtualTime.run { time in
        let (near, far) = try PacketSocket.pair(readiness: time)
        let client = ATTClient(bearer: near, time: time.clock)
        async let _ = client.run()
        async let _: Void = {
            while let request = try? await far.receive() {
                // Two ends that answer answers would never stop, within no virtual time.
                guard request.first != 0x01 else { continue }
                switch script(request) {
                case .says(let answer): try? await far.send(answer)
                case .saysAfter(let delay, let answer):
                    try? await time.clock.sleep(for: delay)
                    try? await far.send(answer)
                case .isSilent: break
                case .hangsUp: far.close()
                }
            }
        }()
        defer { near.close() }
        let began = time.now
        let reader = InventoryReader(client, time: time.clock, within: limit)
        let found = try await reader.read()
        return (found, time.now - began)
    }
}

/// A peripheral that conforms to the specification: service 180F at 1 to 3 with 2A19, whose value is `battery`, and
/// service FE59 at 4 to 7 with AA01, whose value may not be read, and a user description "Door".
func ordinary(_ request: [UInt8]) -> Reaction {
    switch HexText.encode(request) {
    case "100100ffff0028": .says([UInt8](hex: "11 06 0100 0300 0f18 0400 0700 59fe"))
    case "08010003000328": .says([UInt8](hex: "09 07 0200 02 0300 192a"))
    case "08040007000328": .says([UInt8](hex: "09 07 0500 1a 0600 01aa"))
    case "0a0300": .says([0x0B, 93])
    case "0a0600": .refuses(request, 0x0F)
    case "0407000700": .says([UInt8](hex: "05 01 0700 0129"))
    case "0a0700": .says([0x0B] + Array("Door".utf8))
    default: .refuses(request, 0x0A)
    }
}
