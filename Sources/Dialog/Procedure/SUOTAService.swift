package import Bluetooth

package enum SUOTAService {
    package static let uuid = BluetoothUUID(0xFEF5)
    /// Receives the commands start, end, reboot and abort, by write.
    package static let memoryDevice = characteristic(0x8082_CAA8_41A6_4021, 0x91C6_56F9_B954_CC34)
    package static let pins = characteristic(0x7242_49F0_5EC3_4B5F, 0x8804_4234_5AF0_8651)
    /// The number of bytes that the device has received, as 4 bytes.
    package static let memoryInformation = characteristic(0x6C53_DB25_47A1_45FE, 0xA022_7C92_FB33_4FD4)
    /// Receives the number of bytes in each following block, by write of 2 bytes.
    package static let patchLength = characteristic(0x9D84_B9A3_000C_49D8, 0x9183_855B_673F_DA31)
    /// Receives the image, by write without response.
    package static let patchData = characteristic(0x4578_71E8_D516_4CA1, 0x9116_57D0_B17B_9CB2)
    /// Notifies statuses; the last one can be read.
    package static let status = characteristic(0x5F78_DF94_798C_46F5, 0x990A_B3EB_6A06_5C88)
    /// The PSM of the L2CAP channel over which the image can be sent instead of writes, as 2 bytes.
    package static let psm = characteristic(0x61C8_849C_F639_4765, 0x946E_5C34_19BE_BB2A)
    /// The version of the service, as 1 byte: 13 is 1.3.
    package static let version = characteristic(0x64B4_E8B5_0DE5_401B, 0xA21D_ACC8_DB3B_913A)
    /// The largest number of bytes in a write to ``patchData``, as 2 bytes.
    package static let patchDataSize = characteristic(0x42C3_DFDD_77BE_4D9C, 0x8454_8F87_5267_FB3B)
    /// The MTU of this link in bytes, as 2 bytes.
    package static let mtu = characteristic(0xB7DE_1EEA_823D_43BB, 0xA3AF_C490_3DFC_E23C)

    private static func characteristic(_ high: UInt64, _ low: UInt64) -> Characteristic {
        Characteristic(uuid, BluetoothUUID(high: high, low: low))
    }
}
