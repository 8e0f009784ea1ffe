import Bluetooth
import Bytes

/// A command to the controller about one link that the management interface does not have (Vol 4, Part E, 7.8).
///
///     0  1  packet type; 01
///     1  2  opcode
///     3  1  length of the parameters
///     4  …  parameters
///
/// All little-endian; the parameters begin with the link's handle.
enum HCICommand: Equatable, Sendable {
    /// Another interval and supervision timeout (7.8.18). Its completion is an event.
    case connectionUpdate(UInt16, LinkSteps)
    /// The longest data packets that both ends support (7.8.33).
    case setDataLength(UInt16)
    /// The PHYs now used for sending and receiving (7.8.47).
    case readPHY(UInt16)
    /// LE 2M in both directions if the peer supports it, otherwise LE 1M (7.8.49). Its completion is an event.
    case setPHY(UInt16)

    /// The longest data packet, and how long it takes on LE 1M in microseconds (Vol 6, Part B, 4.5.10).
    static let longestData: (octets: UInt16, microseconds: UInt16) = (251, 2120)

    var opcode: UInt16 { code.opcode }
    var name: String { code.name }

    private var code: (opcode: UInt16, name: String) {
        switch self {
        case .connectionUpdate: (0x2013, "LE Connection Update")
        case .setDataLength: (0x2022, "LE Set Data Length")
        case .readPHY: (0x2030, "LE Read PHY")
        case .setPHY: (0x2032, "LE Set PHY")
        }
    }

    var handle: UInt16 {
        switch self {
        case .connectionUpdate(let handle, _), .setDataLength(let handle), .readPHY(let handle),
            .setPHY(let handle):
            handle
        }
    }

    var packet: [UInt8] {
        var parameters = ByteWriter()
        parameters.integer(handle)
        switch self {
        case .connectionUpdate(_, let steps):
            parameters.integer(steps.interval)
            parameters.integer(steps.interval)
            parameters.integer(UInt16(0))
            parameters.integer(steps.supervisionTimeout)
            parameters.append([0, 0, 0, 0])  // shortest and longest connection event: the controller's choice
        case .setDataLength:
            parameters.integer(Self.longestData.octets)
            parameters.integer(Self.longestData.microseconds)
        case .readPHY: break
        case .setPHY:
            // Preferences for both directions; bit 0 LE 1M, bit 1 LE 2M; no options for LE Coded.
            parameters.append([0x00, 0x03, 0x03, 0, 0])
        }
        var packet = ByteWriter([0x01])
        packet.integer(opcode)
        packet.integer(UInt8(clamping: parameters.bytes.count))
        packet.append(parameters.bytes)
        return packet.bytes
    }
}
