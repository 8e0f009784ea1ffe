package import Bytes

/// Reads the fields of one frame; by default the most significant byte is first, as in the frames of most beacons.
package struct FrameReader {
    private let frame: FrameKind
    private var reader: ByteReader

    /// The company of manufacturer data; nil for service data.
    package let company: UInt16?

    package init(_ bytes: [UInt8], _ frame: FrameKind, company: UInt16? = nil) {
        (reader, self.frame, self.company) = (ByteReader(bytes), frame, company)
    }

    package var remaining: Int { reader.remaining }
    package var offset: Int { reader.offset }

    package mutating func bytes(_ field: StaticString, _ count: Int) throws(FrameError) -> [UInt8] {
        do throws(ByteError) { return Array(try reader.bytes(field, count)) } catch {
            throw FrameError(frame, error)
        }
    }

    @inlinable package mutating func integer<T: FixedWidthInteger & UnsignedInteger>(
        _ field: StaticString, as type: T.Type = T.self, _ order: ByteOrder = .big
    ) throws(FrameError) -> T {
        T(truncatingIfNeeded: try number(field, T.bitWidth / 8, order))
    }

    /// The number in the next `count` bytes, for `integer`, which is inlined into other modules.
    package mutating func number(
        _ field: StaticString, _ count: Int, _ order: ByteOrder
    ) throws(FrameError) -> UInt64 {
        do throws(ByteError) { return try reader.number(field, count, order) } catch {
            throw FrameError(frame, error)
        }
    }

    /// A signed byte: dBm, or a temperature.
    @inlinable package mutating func signed(_ field: StaticString) throws(FrameError) -> Int8 {
        Int8(bitPattern: try integer(field))
    }

    /// A percentage in a byte. Fresh batteries are reported with more than 100, which is reduced to 100.
    @inlinable package mutating func percent(_ field: StaticString) throws(FrameError) -> Int {
        min(Int(try integer(field, as: UInt8.self)), 100)
    }

    /// A firmware version in two bytes, major and minor, as decimal text such as `1.4`.
    package mutating func version() throws(FrameError) -> String {
        let major: UInt8 = try integer("firmware, major")
        return "\(major).\(try integer("firmware, minor", as: UInt8.self))"
    }

    /// A signed 16-bit number with eight fraction bits.
    @inlinable package mutating func fixedPoint(_ field: StaticString) throws(FrameError) -> Double {
        Double(Int16(bitPattern: try integer(field))) / 256
    }

    /// Reads the bytes that the format prescribes; throws if they are not `expected`.
    package mutating func mark(_ field: StaticString, _ expected: UInt8...) throws(FrameError) {
        let offset = reader.offset
        guard try bytes(field, expected.count) == expected else {
            throw refusal(field, at: offset, "expected \(HexText.encode(expected))")
        }
    }

    /// A text in the next `count` bytes: printable ASCII without spaces. Zeros at its end are padding and removed.
    package mutating func text(_ field: StaticString, _ count: Int) throws(FrameError) -> String {
        let offset = reader.offset
        let content = try bytes(field, count)
        let text = content.prefix((content.lastIndex { $0 != 0 } ?? -1) + 1)
        guard !text.isEmpty, text.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw refusal(field, at: offset, "not a printable text")
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// A Bluetooth address, whose bytes are in the order of its text form.
    package mutating func address(_ field: StaticString) throws(FrameError) -> String {
        FrameReader.text(ofAddress: try bytes(field, 6))
    }

    /// Throws if the frame is longer than its format.
    package func end(of field: StaticString) throws(FrameError) {
        do throws(ByteError) { try reader.end(of: field) } catch { throw FrameError(frame, error) }
    }

    package func refusal(_ field: StaticString, at offset: Int, _ problem: String) -> FrameError {
        FrameError(frame: frame, field: field.description, offset: offset, problem: problem)
    }

    /// The hexadecimal digits of an identifier that has no other text form.
    package static func text(of identifier: [UInt8]) -> String { HexText.encode(identifier) }

    package static func text(ofAddress bytes: [UInt8]) -> String {
        bytes.map { HexText.digits($0, uppercase: true) }.joined(separator: ":")
    }
}

/// An error in a frame, with its position.
package struct FrameError: Error, Hashable, Sendable {
    /// The kind of frame that was expected.
    package let frame: FrameKind
    package let field: String
    /// The position of the field in bytes; 0 is the first byte after the company or the UUID.
    package let offset: Int
    package let problem: String
}

extension FrameError: CustomStringConvertible {
    init(_ frame: FrameKind, _ error: ByteError) {
        let problem =
            if case .truncated(let needed, let available) = error.reason {
                "\(needed) bytes needed, \(available) left"
            } else {
                error.description
            }
        self.init(frame: frame, field: error.field, offset: error.offset, problem: problem)
    }

    package var description: String { "\(frame.rawValue): \(field) at offset \(offset): \(problem)" }
}
