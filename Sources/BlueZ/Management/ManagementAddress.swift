import Bluetooth
import Bytes

extension DeviceAddress {
    /// Six bytes, least significant first, and the type: 1 LE public, 2 LE random.
    var managementBytes: [UInt8] { bytes.reversed() + [kind == .public ? 1 : 2] }

    /// An address as the kernel sends it; nil for a BR/EDR address.
    static func management(parsing reader: inout ByteReader) throws(ByteError) -> DeviceAddress? {
        let bytes = try reader.bytes("address", 6)
        let type: UInt8 = try reader.integer("address type")
        switch type {
        case 1: return DeviceAddress(Array(bytes.reversed()), .public)
        case 2: return DeviceAddress(Array(bytes.reversed()), .random)
        default: return nil
        }
    }
}
