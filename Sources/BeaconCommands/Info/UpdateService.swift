import BeaconIdentity
import BluetoothTypes
import DialogSUOTA
import GATT
import NordicDFU
import Radio
import Sessions

/// A way to update a device, known by its attributes.
struct UpdateService: Equatable, Sendable {
    /// As in the `kind` of a firmware file; `nordic-buttonless` and `smp` have no file of their own.
    let kind: String
    /// In words.
    let name: String
    /// What runs on the device while it has these attributes; nil where that could not be read.
    let mode: BeaconSighting.Mode?
    /// The service.
    let uuid: BluetoothUUID
}

extension UpdateService {
    /// nRF5 SDK 13 and later: Buttonless DFU without and with bonds (Nordic, `ble_dfu.h`).
    private static let buttonless = nordic(0x8EC9_0003)
    private static let bondedButtonless = nordic(0x8EC9_0004)
    /// nRF5 SDK 12: the experimental buttonless service, service and characteristic of one UUID.
    private static let oldButtonless = nordic(0x8E40_0001)
    /// nRF5 SDK 4 to 11 (Nordic, `ble_dfu.h` of SDK 11): service, control point and revision.
    private static let legacy = legacyUUID(0x1530)
    private static let legacyControlPoint = Characteristic(legacy, legacyUUID(0x1531))
    private static let legacyRevision = Characteristic(legacy, legacyUUID(0x1534))
    /// Dialog (Renesas) software update over the air.
    private static let suota = SUOTAService.uuid
    /// Simple Management Protocol, of MCUboot and Zephyr.
    private static let smp = BluetoothUUID(high: 0x8D53_DC1D_1DB7_4CD3, low: 0x868B_8A52_7460_AA84)

    private static func nordic(_ number: UInt64) -> BluetoothUUID {
        BluetoothUUID(high: number << 32 | 0xF315_4F60, low: 0x9FB8_8388_30DA_EA50)
    }

    private static func legacyUUID(_ number: UInt64) -> BluetoothUUID {
        BluetoothUUID(high: number << 32 | 0x1212_EFDE, low: 0x1523_785F_EABC_D123)
    }

    /// What the makers of update services call their characteristics.
    static let characteristicNames: [BluetoothUUID: String] = [
        SecureService.controlPoint.uuid: "DFU Control Point", SecureService.packet.uuid: "DFU Packet",
        buttonless: "Buttonless DFU", bondedButtonless: "Buttonless DFU with bonds",
        oldButtonless: "Buttonless DFU of SDK 12", legacyUUID(0x1531): "DFU Control Point",
        legacyUUID(0x1532): "DFU Packet", legacyUUID(0x1534): "DFU Revision",
        SUOTAService.memoryDevice.uuid: "SUOTA Memory Device", SUOTAService.pins.uuid: "SUOTA GPIO Map",
        SUOTAService.memoryInformation.uuid: "SUOTA Memory Information",
        SUOTAService.patchLength.uuid: "SUOTA Patch Length", SUOTAService.patchData.uuid: "SUOTA Patch Data",
        SUOTAService.status.uuid: "SUOTA Status", SUOTAService.psm.uuid: "SUOTA L2CAP PSM",
        SUOTAService.version.uuid: "SUOTA Version",
        SUOTAService.patchDataSize.uuid: "SUOTA Patch Data Size", SUOTAService.mtu.uuid: "SUOTA MTU",
    ]

    /// What `inventory` offers. None of it is proof that an update works; it is what a client would look for.
    static func list(in inventory: DeviceInventory) -> [UpdateService] {
        var list: [UpdateService] = []
        func add(_ kind: String, _ name: String, _ mode: BeaconSighting.Mode?, _ uuid: BluetoothUUID) {
            list.append(UpdateService(kind: kind, name: name, mode: mode, uuid: uuid))
        }
        let secure = SecureService.uuid
        if inventory.offers(SecureService.controlPoint), inventory.offers(SecureService.packet) {
            add("nordic-secure", "Nordic Secure DFU", .bootloader, secure)
        }
        if inventory.offers(Characteristic(secure, buttonless)) {
            add("nordic-buttonless", "Nordic Buttonless DFU, without bonds", .application, secure)
        }
        if inventory.offers(Characteristic(secure, bondedButtonless)) {
            add("nordic-buttonless", "Nordic Buttonless DFU, with bonds", .application, secure)
        }
        if inventory.offers(Characteristic(oldButtonless, oldButtonless)) {
            add("nordic-buttonless", "Nordic Buttonless DFU of SDK 12", .application, oldButtonless)
        }
        if inventory.offers(legacyControlPoint) {
            add("nordic-legacy", "Nordic Legacy DFU", legacyMode(inventory), legacy)
        }
        let services = inventory.services.map(\.declaration.uuid)
        if services.contains(suota) { add("suota", "Dialog SUOTA", .application, suota) }
        if services.contains(smp) { add("smp", "MCUmgr SMP", .application, smp) }
        return list
    }

    /// The revision 0001 is the application's, which can only change over; bootloaders have 0005 and later,
    /// and those before SDK 7 have none, nor other services (nordic-legacy.md, Checks).
    private static func legacyMode(_ inventory: DeviceInventory) -> BeaconSighting.Mode? {
        let revision = inventory.characteristics.first { $0.declaration.characteristic == legacyRevision }
        switch revision?.reading {
        case .value([1, 0]): return .application
        case .value: return .bootloader
        // GAP, GATT and DFU.
        case nil: return inventory.services.count > 3 ? .application : .bootloader
        case .unread, .unreadable: return nil
        }
    }
}

extension DeviceInventory.CharacteristicEntry {
    /// What the Bluetooth SIG or the maker of an update service calls it.
    var assignedName: String? {
        let uuid = declaration.characteristic.uuid
        return uuid.characteristicName ?? UpdateService.characteristicNames[uuid]
    }
}
