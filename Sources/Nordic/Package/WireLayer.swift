/// The layout of one message of the init packet for ``WireScanner``: its fields, their wire types, and which may
/// occur only once.
///
/// Names are those of the public schema, because error messages and other tools use them.
struct WireLayer: Sendable {
    enum Kind: Int, Sendable {
        case number = 0
        case bytes = 2
        /// A list of numbers, packed into bytes or each with its own tag.
        case numbers = 22
    }

    package struct Field: Sendable {
        let name: StaticString
        let kind: Kind
        var isUnique = false
    }

    let name: StaticString
    let fields: [Int: Field]

    static let packet = WireLayer(
        name: "Packet",
        fields: [
            1: Field(name: "Packet.command", kind: .bytes, isUnique: true),
            2: Field(name: "Packet.signed_command", kind: .bytes, isUnique: true),
        ])
    static let signedCommand = WireLayer(
        name: "SignedCommand",
        fields: [
            1: Field(name: "SignedCommand.command", kind: .bytes, isUnique: true),
            2: Field(name: "SignedCommand.signature_type", kind: .number),
            3: Field(name: "SignedCommand.signature", kind: .bytes, isUnique: true),
        ])
    static let command = WireLayer(
        name: "Command",
        fields: [
            1: Field(name: "Command.op_code", kind: .number),
            2: Field(name: "Command.init", kind: .bytes, isUnique: true),
            3: Field(name: "Command.reset", kind: .bytes),
        ])
    static let initCommand = WireLayer(
        name: "InitCommand",
        fields: [
            1: Field(name: "InitCommand.fw_version", kind: .number),
            2: Field(name: "InitCommand.hw_version", kind: .number),
            3: Field(name: "InitCommand.sd_req", kind: .numbers),
            4: Field(name: "InitCommand.type", kind: .number),
            5: Field(name: "InitCommand.sd_size", kind: .number),
            6: Field(name: "InitCommand.bl_size", kind: .number),
            7: Field(name: "InitCommand.app_size", kind: .number),
            8: Field(name: "InitCommand.hash", kind: .bytes, isUnique: true),
            9: Field(name: "InitCommand.is_debug", kind: .number),
            10: Field(name: "InitCommand.boot_validation", kind: .bytes),
        ])
    static let hash = WireLayer(
        name: "Hash",
        fields: [
            1: Field(name: "Hash.hash_type", kind: .number),
            2: Field(name: "Hash.hash", kind: .bytes, isUnique: true),
        ])
    static let bootValidation = WireLayer(
        name: "BootValidation",
        fields: [
            1: Field(name: "BootValidation.type", kind: .number),
            2: Field(name: "BootValidation.bytes", kind: .bytes, isUnique: true),
        ])
}
