import Bytes

/// An SMP message: a header and a CBOR map (mcuboot-smp.md, Frames).
///
///     0  1  bits 0-2: operation, 3-4: version
///     1  1  flags, 0
///     2  2  length of the map, big-endian
///     4  2  group, big-endian
///     6  1  sequence number, which the answer repeats
///     7  1  command
struct SMPHeader: Hashable, Sendable {
    static let size = 8

    var operation: UInt8
    /// The encoded version: 0 for version 1, 1 for version 2.
    var version: UInt8
    let length: Int
    let group: UInt16
    let sequence: UInt8
    let command: UInt8

    /// The header at the start of `bytes`; nil if they are too short.
    init?(_ bytes: some Collection<UInt8>) {
        let bytes = Array(bytes.prefix(Self.size))
        guard bytes.count == Self.size else { return nil }
        operation = bytes[0] & 7
        version = bytes[0] >> 3 & 3
        length = Int(bytes[2]) << 8 | Int(bytes[3])
        group = UInt16(bytes[4]) << 8 | UInt16(bytes[5])
        sequence = bytes[6]
        command = bytes[7]
    }

    var isRead: Bool { operation == 0 }
    var isWrite: Bool { operation == 2 }
    var frameSize: Int { Self.size + length }

    /// The frame of an answer to this request; an answer to anything but a read has the operation of a write response.
    func answer(_ body: [UInt8], version: UInt8) -> [UInt8] {
        [(isRead ? 1 : 3) | version << 3, 0] + UInt16(clamping: body.count).bytes(.big) + group.bytes(.big)
            + [sequence, command] + body
    }

    /// Whether `bytes` look like the start of a request that a client sends, not like the middle of an image.
    static func isRequest(_ bytes: [UInt8]) -> Bool {
        guard let header = Self(bytes), bytes.count > size, header.isRead || header.isWrite else {
            return false
        }
        let knowsGroup = [0, 1, 3, 63].contains(header.group)
        return bytes[0] & 0xE0 == 0 && bytes[1] == 0 && header.version < 2 && knowsGroup && header.command < 9
            && header.length > 0 && bytes[size] >> 5 == 5
    }
}

enum SMPOutcome: Hashable, Sendable {
    case done(SMPMap)
    /// An error that the command group defines.
    case failed(SMPGroupError)
    /// An error of SMP.
    case refused(SMPError)
}

/// The errors of SMP itself, and all errors of version 1 (mcuboot-smp.md, Errors).
enum SMPError: Int, Hashable, Sendable {
    case unknown = 1
    case noMemory = 2
    case badValue = 3
    case noEntry = 5
    case badState = 6
    case notSupported = 8
    case corrupt = 9
    case busy = 10
    case tooNew = 13
    /// A code that the protocol does not define.
    case meaningless = 254
}

/// The errors of groups that this server uses (mcuboot-smp.md, Errors): all but the first are of group 1.
enum SMPGroupError: Int, Hashable, Sendable {
    /// Group 0: the query has no answer.
    case noAnswer = 3
    case hashNotFound = 8
    case noFreeSlot = 9
    case writeFailed = 12
    case invalidSlot = 14
    case offsetMissing = 20
    case lengthMissing = 21
    case headerTooShort = 22
    case wrongMagic = 23
    case wrongHash = 24
    case wrongAddress = 25
    case notNewer = 27
    case alreadyPending = 28
    case badVector = 29
    case tooLarge = 30
    case overrun = 31
    case confirmDenied = 32
    case testDenied = 33

    var group: Int { self == .noAnswer ? 0 : 1 }

    /// The code that version 1 sends for this error.
    func translated(_ implementation: SMPImplementation) -> SMPError {
        switch self {
        case .noAnswer: .noEntry
        case .noFreeSlot, .notNewer, .alreadyPending: .badState
        case .invalidSlot, .offsetMissing, .lengthMissing, .headerTooShort, .wrongHash, .wrongAddress:
            .badValue
        case .hashNotFound: implementation == .mynewt ? .badValue : .unknown
        case .writeFailed, .wrongMagic, .badVector, .tooLarge, .overrun, .confirmDenied, .testDenied: .unknown
        }
    }
}

/// The project that a device's SMP server comes from.
public enum SMPImplementation: String, CaseIterable, Hashable, Sendable {
    /// Zephyr and nRF Connect SDK: version 2 with errors of groups, version 1 for requests of version 1.
    case zephyr
    /// Mynewt and old Zephyr: version 1 for every request, and a code in every answer.
    case mynewt
}

extension SMPOutcome {
    func body(_ implementation: SMPImplementation, version: UInt8, addsCode: Bool) -> SMPMap {
        switch self {
        case .done(let map):
            let isSilent = implementation == .zephyr && !addsCode
            return isSilent ? map : SMPMap([SMPMap.Field(key: "rc", value: .number(0))] + map.fields)
        case .failed(let error) where implementation == .zephyr && version > 0:
            return ["err": .map(["group": .number(error.group), "rc": .number(error.rawValue)])]
        case .failed(let error): return ["rc": .number(error.translated(implementation).rawValue)]
        case .refused(let error): return ["rc": .number(error.rawValue)]
        }
    }
}
