package import Bluetooth
package import Bytes

/// The service of SMP; its one characteristic receives requests and sends answers.
package enum SMPService {
    package static let uuid = BluetoothUUID(high: 0x8D53_DC1D_1DB7_4CD3, low: 0x868B_8A52_7460_AA84)
    package static let characteristic = Characteristic(
        uuid, BluetoothUUID(high: 0xDA2E_7828_FBCE_4E01, low: 0xAE9E_2611_7499_7C48))
}

/// A frame of the Simple Management Protocol: a header of 8 bytes, most significant byte first, then a CBOR map.
///
///     0  1  bits 0 to 2 operation, bits 3 and 4 version (0 is version 1), others 0
///     1  1  flags, 0
///     2  2  length of the CBOR part
///     4  2  group
///     6  1  sequence number, repeated by the answer
///     7  1  command
package struct SMPFrame: Equatable, Sendable {
    package enum Operation: UInt8, Sendable {
        case read, readAnswer, write, writeAnswer

        /// The operation of the answer to this one; nil if this is an answer.
        package var answer: Operation? {
            rawValue.isMultiple(of: 2) ? Operation(rawValue: rawValue + 1) : nil
        }
    }

    package static let headerLength = 8

    package let operation: Operation
    /// 0 for version 1, 1 for version 2. Old devices answer every request with 0.
    package let version: UInt8
    package let group: UInt16
    package let sequence: UInt8
    package let command: UInt8
    package let content: CBORMap

    package init(
        _ operation: Operation, version: UInt8 = 1, group: UInt16, command: UInt8, sequence: UInt8,
        _ content: CBORMap
    ) {
        (self.operation, self.version, self.group) = (operation, version, group)
        (self.command, self.sequence, self.content) = (command, sequence, content)
    }

    /// The encoded frame. The caller keeps the content below 64 KiB.
    package var bytes: [UInt8] {
        let content = CBORValue.map(content).encoded
        return [operation.rawValue | version << 3, 0] + UInt16(truncatingIfNeeded: content.count).bytes(.big)
            + group.bytes(.big) + [sequence, command] + content
    }

    /// Parses `bytes`, which have to be exactly one frame.
    package init(parsing bytes: [UInt8]) throws(SMPFrameError) {
        var reader = ByteReader(bytes)
        let first: UInt8
        let content: ArraySlice<UInt8>
        do throws(ByteError) {
            first = try reader.integer("operation")
            _ = try reader.bytes("flags", 1)
            let length: UInt16 = try reader.integer("length", .big)
            group = try reader.integer("group", .big)
            sequence = try reader.integer("sequence")
            command = try reader.integer("command")
            content = try reader.bytes("content", Int(length))
            try reader.end(of: "frame")
        } catch { throw .bytes(error) }
        guard let operation = Operation(rawValue: first & 7) else { throw .operation(first & 7) }
        (self.operation, version) = (operation, first >> 3 & 3)
        let value: CBORValue
        do { value = try CBORValue(parsing: content) } catch { throw .content(error) }
        guard case .map(let map) = value else { throw .notMap }
        self.content = map
    }
}

package enum SMPFrameError: Error, Equatable, Sendable {
    case bytes(ByteError)
    case operation(UInt8)
    case content(CBORError)
    case notMap
    /// A device announces a longer frame than is accepted; its length in bytes.
    case tooLong(Int)
    /// The number of bytes after the announced length.
    case trailing(Int)
}

extension SMPFrameError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .bytes(let error): "\(error)"
        case .operation(let number): "operation \(number) does not exist"
        case .content(let error): "\(error)"
        case .notMap: "the content is not a CBOR map"
        case .tooLong(let length): "the frame has \(length) bytes, more than any answer"
        case .trailing(let count): "\(count) bytes follow the frame"
        }
    }
}

/// Joins notifications to frames. The header's length field ends a frame; pieces may have any length.
package struct SMPReassembly: Sendable {
    /// The longest frame that is accepted from a device, in bytes: a list of 16 slots has about 2 KiB.
    package static let longestFrame = 16 * 1024

    private var pieces: [UInt8] = []

    package init() {}

    /// Whether no frame is incomplete.
    package var isEmpty: Bool { pieces.isEmpty }
    package mutating func reset() { pieces = [] }

    /// Adds a notification; returns the bytes of a complete frame, or nil if more are to come.
    package mutating func add(_ piece: [UInt8]) throws(SMPFrameError) -> [UInt8]? {
        pieces += piece
        guard pieces.count >= SMPFrame.headerLength else { return nil }
        let length = SMPFrame.headerLength + (Int(pieces[2]) << 8 | Int(pieces[3]))
        guard length > Self.longestFrame || pieces.count >= length else { return nil }
        defer { reset() }
        guard length <= Self.longestFrame else { throw .tooLong(length) }
        guard pieces.count == length else { throw .trailing(pieces.count - length) }
        return pieces
    }
}
