/// Appends fields to a byte string.
public struct ByteWriter: Sendable {
    /// What has been written so far.
    public private(set) var bytes: [UInt8] = []

    /// A writer that begins with `bytes`.
    public init(_ bytes: [UInt8] = []) { self.bytes = bytes }

    /// Appends `value`, as wide as its type.
    public mutating func integer<T: FixedWidthInteger & UnsignedInteger>(
        _ value: T, _ order: ByteOrder = .little
    ) {
        let ordered = order == .little ? value.littleEndian : value.bigEndian
        withUnsafeBytes(of: ordered) { bytes.append(contentsOf: $0) }
    }

    /// Appends a byte string as it is.
    public mutating func append(_ more: some Sequence<UInt8>) {
        bytes.append(contentsOf: more)
    }
}
