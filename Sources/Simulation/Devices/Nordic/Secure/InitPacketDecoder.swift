/// The device's own decoder of an init packet, with the device's limits (docs/formats/init-packet.md).
///
///     Packet         1 command | 2 signed_command
///     SignedCommand  1 command, 2 signature_type, 3 signature
///     Command        1 op_code, 2 init
///     InitCommand    1 fw_version, 2 hw_version, 3 sd_req, 4 type, 5 sd_size, 6 bl_size, 7 app_size,
///                    8 hash, 9 is_debug, 10 boot_validation
///     Hash           1 hash_type, 2 hash
///     BootValidation 1 type, 2 bytes
///
/// Deliberately separate from every other reader of this format, so that tests can find differences.
enum InitPacketDecoder {
    static let validationLimit = 3
    static let hashLimit = 32
    static let signatureLimit = 64

    static func decode(
        _ bytes: [UInt8], _ rules: InitRules = InitRules()
    ) throws(Undecodable) -> DecodedInit {
        var command: ArraySlice<UInt8>?
        var signed: ArraySlice<UInt8>?
        var reader = WireReader(bytes[...])
        while let field = try reader.field() {
            switch field.number {
            case 1 where command == nil || !rules.isStrict: command = try field.value.message
            case 2 where signed == nil || !rules.isStrict: signed = try field.value.message
            case 1, 2: throw Undecodable()
            default: break
            }
        }
        switch (command, signed) {
        case (let command?, nil): return try decode(command: command, rules)
        case (nil, let signed?): return try decode(signed: signed, rules)
        case (_?, let signed?) where !rules.isStrict: return try decode(signed: signed, rules)
        default: throw Undecodable()
        }
    }

    private static func decode(
        signed: ArraySlice<UInt8>, _ rules: InitRules
    ) throws(Undecodable) -> DecodedInit {
        var command: ArraySlice<UInt8>?
        var type: UInt64?
        var signature: [UInt8]?
        var reader = WireReader(signed)
        while let field = try reader.field() {
            switch field.number {
            case 1 where command == nil: command = try field.value.message
            case 1: throw Undecodable()
            case 2: type = try field.value.number
            case 3: signature = try field.value.bytes(atMost: signatureLimit)
            default: break
            }
        }
        guard let command, let type, let signature else { throw Undecodable() }
        var decoded = try decode(command: command, rules)
        decoded.signature = .init(type: type, bytes: signature)
        return decoded
    }

    private static func decode(
        command: ArraySlice<UInt8>, _ rules: InitRules
    ) throws(Undecodable) -> DecodedInit {
        var decoded: DecodedInit?
        var reader = WireReader(command)
        while let field = try reader.field() {
            guard field.number == 2 else {
                if field.number == 1 { _ = try field.value.number }
                continue
            }
            let initCommand = try field.value.message
            // The signed bytes end with the command, not with init, so nothing may follow init.
            guard reader.isAtEnd || !rules.isStrict else { throw Undecodable() }
            var next = decoded ?? DecodedInit()
            try read(initCommand, into: &next, rules)
            next.signed = Array(command[initCommand.startIndex...])
            decoded = next
        }
        guard var decoded else { throw Undecodable() }
        if rules.checksVersionsFirst { decoded.type = decoded.type ?? 0 }
        return decoded
    }

    private static func read(
        _ initCommand: ArraySlice<UInt8>, into decoded: inout DecodedInit, _ rules: InitRules
    ) throws(Undecodable) {
        var reader = WireReader(initCommand)
        while let (number, value) = try reader.field() {
            switch number {
            case 1: decoded.firmwareVersion = try value.word
            case 2: decoded.hardwareVersion = try value.word
            case 3: decoded.softDevices += try words(value, atMost: rules.softDeviceLimit)
            case 4: decoded.type = try value.number
            case 5: decoded.softDeviceSize = try value.word
            case 6: decoded.bootloaderSize = try value.word
            case 7: decoded.applicationSize = try value.word
            case 8: decoded.hash = try pair(value, atMost: hashLimit)
            case 9: decoded.isDebug = try value.number != 0
            case 10 where rules.readsBootValidation:
                decoded.bootValidation.append(try pair(value, atMost: signatureLimit))
            default: break
            }
            guard decoded.softDevices.count <= rules.softDeviceLimit,
                decoded.bootValidation.count <= validationLimit
            else { throw Undecodable() }
        }
    }

    /// The values of a repeated uint32 field: all of a packed one, or a single one.
    private static func words(_ value: WireReader.Value, atMost limit: Int) throws(Undecodable) -> [UInt32] {
        guard case .bytes(let packed) = value else { return [try value.word] }
        var words: [UInt32] = []
        var reader = WireReader(packed)
        while !reader.isAtEnd {
            guard words.count < limit, let word = UInt32(exactly: try reader.varint()) else {
                throw Undecodable()
            }
            words.append(word)
        }
        return words
    }

    /// Hash and BootValidation: a type and its bytes, both required.
    private static func pair(
        _ value: WireReader.Value, atMost limit: Int
    ) throws(Undecodable) -> DecodedInit.TypedBytes {
        var type: UInt64?
        var bytes: [UInt8]?
        var reader = WireReader(try value.message)
        while let field = try reader.field() {
            switch field.number {
            case 1: type = try field.value.number
            case 2: bytes = try field.value.bytes(atMost: limit)
            default: break
            }
        }
        guard let type, let bytes else { throw Undecodable() }
        return .init(type: type, bytes: bytes)
    }
}

/// The fields of an init packet as decoded by the device (docs/formats/init-packet.md), before any checks.
package struct DecodedInit: Equatable, Sendable {
    /// Bytes, and the number of the algorithm that they belong to.
    struct TypedBytes: Equatable, Sendable {
        var type: UInt64
        var bytes: [UInt8]
    }

    package var firmwareVersion: UInt32?
    package var hardwareVersion: UInt32?
    package var softDevices: [UInt32] = []
    /// The encoded kind of the image.
    package var type: UInt64?
    package var softDeviceSize: UInt32 = 0
    package var bootloaderSize: UInt32 = 0
    package var applicationSize: UInt32 = 0
    /// The digest, last byte first; type 3 is SHA-256.
    var hash: TypedBytes?
    /// Whether it was made in debug mode; release bootloaders of SDK 15 and later ignore it.
    package var isDebug = false
    /// How the device must validate an image at boot: 0 not at all, 1 by CRC, 2 by SHA-256, 3 by this ECDSA signature.
    var bootValidation: [TypedBytes] = []
    /// r and s, each least significant byte first; type 0 is ECDSA over P-256 with SHA-256. Nil in an unsigned packet.
    var signature: TypedBytes?
    /// The signed bytes: from after init's length to the end of the command.
    package var signed: [UInt8] = []

    package var kind: FirmwareKind? { type.flatMap(FirmwareKind.init) }

    package var imageSize: Int {
        switch kind {
        case .application, .externalApplication: Int(applicationSize)
        case .softDevice: Int(softDeviceSize)
        case .bootloader: Int(bootloaderSize)
        case .softDeviceAndBootloader: Int(softDeviceSize) + Int(bootloaderSize)
        case nil: 0
        }
    }
}

/// The rules by which a generation of bootloaders decodes and checks init packets (docs/formats/init-packet.md). The
/// default of every field is that of SDK 15.3 and later.
package struct InitRules: Hashable, Sendable {
    package enum SoftDeviceRule: Hashable, Sendable {
        /// The list must contain the installed SoftDevice at any position; it is not checked for the kinds `unchecked`.
        case listed(unchecked: Set<FirmwareKind>)
        /// As `listed`, but a leading 0 stands for "none": valid for a bootloader, and for an application if it is the
        /// only entry or, with `zeroMayLead`, the first. The kinds `unlisted` need no list.
        case leadingZero(unlisted: Set<FirmwareKind>, zeroMayLead: Bool)
    }

    /// Whether debug mode, versions and SoftDevice are checked before the signature.
    ///
    /// Such bootloaders refuse every unsigned packet, treat a packet without a type as an application's, and check the
    /// hash type only when there is something to hash.
    package var checksVersionsFirst = false
    /// Whether extended codes are sent; otherwise 0x05 replaces that of a wrong hash, and 0x0A all others.
    package var sendsExtendedCodes = true
    package var softDeviceLimit = 16
    package var softDeviceRule = SoftDeviceRule.leadingZero(unlisted: [], zeroMayLead: false)
    /// The longest init command whose signature can be verified: older bootloaders strip only one byte of length.
    package var signedMaximum = Int.max
    /// Whether a packet must have exactly one command of one kind, with one init at its end.
    package var isStrict = true
    package var readsBootValidation = true
    /// Whether the version of a SoftDevice is compared with the application's.
    package var comparesSoftDeviceVersion = true

    /// SDK 13 and 14.
    static let sdk14 = InitRules(
        checksVersionsFirst: true, softDeviceRule: .listed(unchecked: [.softDeviceAndBootloader]),
        signedMaximum: 127, isStrict: false, readsBootValidation: false, comparesSoftDeviceVersion: false)

    // swift-format-ignore: AlwaysUseLowerCamelCase
    static let sdk15_0 = InitRules(
        softDeviceRule: .leadingZero(
            unlisted: [.application, .bootloader, .softDeviceAndBootloader], zeroMayLead: true),
        signedMaximum: 127, isStrict: false, readsBootValidation: false)

    /// A refusal in the form that this generation sends.
    func resultCode(for refusal: ResultCode) -> ResultCode {
        guard !sendsExtendedCodes, refusal.isExtended else { return refusal }
        // nRF5 SDK 12.3, dfu_req_handling.c: a wrong hash has its own plain code.
        return refusal == .verificationFailed ? .invalidObject : .operationFailed
    }
}

/// The packet is malformed or exceeds a limit of the device: result 0x05.
struct Undecodable: Error {}

/// Reads protobuf fields as a small device does: without a schema, and without allocations of a size that is received.
struct WireReader {
    /// The content of a field by wire type; fields of fixed width are always skipped.
    enum Value {
        case varint(UInt64)
        case bytes(ArraySlice<UInt8>)
        case fixed
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    mutating func field() throws(Undecodable) -> (number: UInt64, value: Value)? {
        guard !rest.isEmpty else { return nil }
        let tag = try varint()
        let number = tag >> 3
        guard number > 0 else { throw Undecodable() }
        switch tag & 7 {
        case 0: return (number, .varint(try varint()))
        case 2: return (number, .bytes(try take(Int(clamping: try varint()))))
        case 1, 5:
            _ = try take(tag & 7 == 1 ? 8 : 4)
            return (number, .fixed)
        default: throw Undecodable()
        }
    }

    /// Base-128, least significant group first, at most ten bytes.
    mutating func varint() throws(Undecodable) -> UInt64 {
        var value: UInt64 = 0
        for group in 0..<10 {
            guard let byte = rest.popFirst() else { throw Undecodable() }
            value |= UInt64(byte & 0x7F) << UInt64(7 * group)
            if byte & 0x80 == 0 { return value }
        }
        throw Undecodable()
    }

    var isAtEnd: Bool { rest.isEmpty }

    private mutating func take(_ count: Int) throws(Undecodable) -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw Undecodable() }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}

extension WireReader.Value {
    var number: UInt64 {
        get throws(Undecodable) {
            guard case .varint(let value) = self else { throw Undecodable() }
            return value
        }
    }

    var word: UInt32 {
        get throws(Undecodable) {
            guard let value = UInt32(exactly: try number) else { throw Undecodable() }
            return value
        }
    }

    var message: ArraySlice<UInt8> {
        get throws(Undecodable) {
            guard case .bytes(let value) = self else { throw Undecodable() }
            return value
        }
    }

    func bytes(atMost limit: Int) throws(Undecodable) -> [UInt8] {
        let value = try message
        guard value.count <= limit else { throw Undecodable() }
        return Array(value)
    }
}
