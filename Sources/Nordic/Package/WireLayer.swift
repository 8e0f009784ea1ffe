/// The layout of one message of the init packet: its fields, their wire types, and which of them may occur only once.
/// Names are those of the public schema, because error messages and other tools use them.
struct WireLayer: Sendable {
    enum Kind: Sendable {
        case number
        case bytes
        case singleBytes
        /// A list of numbers, packed into bytes or each with its own tag.
        case numbers

        /// The protobuf wire types that encode a field of this kind, the usual one last.
        var wireTypes: [Int] {
            switch self {
            case .number: [0]
            case .bytes, .singleBytes: [2]
            case .numbers: [0, 2]
            }
        }
    }

    let name: StaticString
    let fields: [Int: (name: StaticString, kind: Kind)]

    static let packet = WireLayer(
        name: "Packet",
        fields: [1: ("Packet.command", .singleBytes), 2: ("Packet.signed_command", .singleBytes)])
    static let signedCommand = WireLayer(
        name: "SignedCommand",
        fields: [
            1: ("SignedCommand.command", .singleBytes), 2: ("SignedCommand.signature_type", .number),
            3: ("SignedCommand.signature", .singleBytes),
        ])
    static let command = WireLayer(
        name: "Command",
        fields: [
            1: ("Command.op_code", .number), 2: ("Command.init", .singleBytes), 3: ("Command.reset", .bytes),
        ])
    static let initCommand = WireLayer(
        name: "InitCommand",
        fields: [
            1: ("InitCommand.fw_version", .number), 2: ("InitCommand.hw_version", .number),
            3: ("InitCommand.sd_req", .numbers), 4: ("InitCommand.type", .number),
            5: ("InitCommand.sd_size", .number), 6: ("InitCommand.bl_size", .number),
            7: ("InitCommand.app_size", .number), 8: ("InitCommand.hash", .singleBytes),
            9: ("InitCommand.is_debug", .number), 10: ("InitCommand.boot_validation", .bytes),
        ])
    static let hash = WireLayer(
        name: "Hash", fields: [1: ("Hash.hash_type", .number), 2: ("Hash.hash", .singleBytes)])
    static let bootValidation = WireLayer(
        name: "BootValidation",
        fields: [1: ("BootValidation.type", .number), 2: ("BootValidation.bytes", .singleBytes)])
}
