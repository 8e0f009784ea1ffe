public import BluetoothTypes

/// What a client of SUOTA writes to (dialog-suota.md, Layout).
public enum SUOTATarget: Hashable, Sendable {
    /// MEM_DEV: which memory and bank, end, abort, reboot.
    case memoryDevice
    /// GPIO_MAP: the pins of the memory.
    case pinMap
    /// PATCH_LEN: bytes of a block.
    case patchLength
    /// PATCH_DATA: bytes of the image.
    case patchData

    /// What the characteristic `uuid` is for; nil for any other.
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
