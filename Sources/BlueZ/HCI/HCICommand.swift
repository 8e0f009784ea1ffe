import Bluetooth
import Bytes

/// A command to the controller that the management interface does not have (Vol 4, Part E, 7).
///
///     0  1  packet type: 0x01
///     1  2  opcode
///     3  1  length of the parameters
///     4  …  parameters
///
/// All little-endian; the parameters of a command about one link begin with its handle.
struct HCICommand: Equatable, Sendable {
    /// The opcodes that are used outside the definitions of their commands.
    enum Opcode {
        static let disconnect: UInt16 = 0x0406
        static let scan: UInt16 = 0x200C
        static let createConnection: UInt16 = 0x200D
        static let cancelConnection: UInt16 = 0x200E
        static let clearAcceptList: UInt16 = 0x2010
        static let addToAcceptList: UInt16 = 0x2011
        static let removeFromAcceptList: UInt16 = 0x2012
        static let connectionUpdate: UInt16 = 0x2013
        static let readPeerFeatures: UInt16 = 0x2016
        static let readPHY: UInt16 = 0x2030
        static let setPHY: UInt16 = 0x2032
        static let scanExtended: UInt16 = 0x2042
        static let createExtendedConnection: UInt16 = 0x2043
    }

    let opcode: UInt16
    let name: String
    /// The link that the command concerns; nil if it concerns the controller itself.
    let handle: UInt16?
    private let parameters: [UInt8]

    init(_ opcode: UInt16, _ name: String, _ handle: UInt16? = nil, _ parameters: [UInt8] = []) {
        (self.opcode, self.name, self.handle, self.parameters) = (opcode, name, handle, parameters)
    }

    /// Sets another interval and supervision timeout (7.8.18). Its completion is an event.
    static func connectionUpdate(_ handle: UInt16, _ steps: LinkSteps) -> Self {
        // Shortest and longest connection event: the controller's choice.
        Self(Opcode.connectionUpdate, "LE Connection Update", handle, steps.bytes + [0, 0, 0, 0])
    }

    /// Allows the longest data packets that both ends support (7.8.33).
    static func setDataLength(_ handle: UInt16) -> Self {
        Self(0x2022, "LE Set Data Length", handle, longestDataBytes)
    }

    /// The PHYs now used for sending and receiving (7.8.47).
    static func readPHY(_ handle: UInt16) -> Self { Self(Opcode.readPHY, "LE Read PHY", handle) }

    /// LE 2M in both directions if the peer supports it, otherwise LE 1M (7.8.49). Its completion is an event.
    static func setPHY(_ handle: UInt16) -> Self {
        // Preferences for both directions; bit 0 LE 1M, bit 1 LE 2M; no options for LE Coded.
        Self(Opcode.setPHY, "LE Set PHY", handle, [0x00, 0x03, 0x03, 0, 0])
    }

    /// The longest data packet, and how long it takes on LE 1M in microseconds (Vol 6, Part B, 4.5.10).
    static let longestData: (octets: UInt16, microseconds: UInt16) = (251, 2120)
    static let longestDataBytes = longestData.octets.bytes() + longestData.microseconds.bytes()

    var packet: [UInt8] {
        let all = (handle?.bytes() ?? []) + parameters
        return [0x01] + opcode.bytes() + [UInt8(clamping: all.count)] + all
    }
}
