public import Bluetooth

/// The target of a SUOTA client's write (dialog-suota.md, Layout).
public enum SUOTATarget: Hashable, Sendable {
    /// MEM_DEV: memory and bank, end, abort, reboot.
    case memoryDevice
    /// GPIO_MAP: the pins of the memory.
    case pinMap
    /// PATCH_LEN: the block length in bytes.
    case patchLength
    /// PATCH_DATA: bytes of the image.
    case patchData

    /// The target with the characteristic `uuid`; nil for any other.
    public init?(_ uuid: BluetoothUUID) {
        switch uuid {
        case AttributeTable.suotaMemoryDevice: self = .memoryDevice
        case AttributeTable.suotaPinMap: self = .pinMap
        case AttributeTable.suotaPatchLength: self = .patchLength
        case AttributeTable.suotaPatchData: self = .patchData
        default: return nil
        }
    }
}
