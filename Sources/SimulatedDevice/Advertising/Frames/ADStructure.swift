public import BluetoothTypes
import ByteCoding

/// One structure of a report, as a beacon sends it (Core Specification Supplement, Part A).
public struct ADStructure: Hashable, Sendable {
    /// Its AD type.
    public var type: UInt8
    /// Whose data it is, as that travels: a company's number, or a UUID; empty where the type says it all.
    public var owner: [UInt8]
    /// What it says.
    public var data: [UInt8]
    /// What its length byte says; nil for the truth.
    public var announcedLength: UInt8?

    /// A structure of `type`.
    public init(_ type: UInt8, of owner: [UInt8] = [], _ data: [UInt8]) {
        self.type = type
        self.owner = owner
        self.data = data
    }

    /// General discoverable, without BR/EDR.
    public static let flags = ADStructure(0x01, [0x06])

    /// A list with one service.
    public static func service(_ uuid: BluetoothUUID) -> ADStructure {
        ADStructure(uuid.short == nil ? 0x07 : 0x03, uuid.wire)
    }

    /// Data of the service with this number.
    public static func service(_ number: UInt16, _ data: [UInt8]) -> ADStructure {
        ADStructure(0x16, of: [UInt8](number, .little), data)
    }

    /// Data of the company with this number.
    public static func company(_ number: UInt16, _ data: [UInt8]) -> ADStructure {
        ADStructure(0xFF, of: [UInt8](number, .little), data)
    }

    /// A complete name.
    public static func name(_ text: String) -> ADStructure { ADStructure(0x09, Array(text.utf8)) }

    /// With how many dBm it sends.
    public static func txPower(_ power: Int8) -> ADStructure { ADStructure(0x0A, [UInt8(bitPattern: power)]) }

    /// As it travels.
    public var bytes: [UInt8] {
        [announcedLength ?? UInt8(clamping: 1 + owner.count + data.count), type] + owner + data
    }
}

extension [UInt8] {
    /// The bytes of an integer.
    init(_ value: some FixedWidthInteger & UnsignedInteger, _ order: ByteOrder = .big) {
        var writer = ByteWriter()
        writer.integer(value, order)
        self = writer.bytes
    }

    /// A number with eight bits before the point and eight after it, in two's complement; 8000 where it does not fit.
    init(fixed value: Double) {
        let number = Int16(exactly: (value * 256).rounded()) ?? Int16.min
        self.init(UInt16(bitPattern: number))
    }
}
