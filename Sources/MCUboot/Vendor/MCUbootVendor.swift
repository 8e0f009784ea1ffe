package import Bluetooth
package import UpdateModel

extension FirmwareKind {
    package static let mcuboot = FirmwareKind(rawValue: "mcuboot")
    /// The way to update over SMP, in the list of what a beacon offers.
    static let smp = FirmwareKind(rawValue: "smp")
}

/// MCUboot images and packages of the nRF Connect SDK, for beacons that take updates by SMP.
package struct MCUbootVendor: Vendor {
    package init() {}

    package let name = "mcuboot"
    package let kinds = [FirmwareKind.mcuboot]
    package let fileExtensions = [".bin", ".hex", ".zip"]
    package let advertised = [
        AdvertisedUpdate(SMPService.uuid, .mcuboot, word: "smp", isBootloader: false)
    ]
    package let characteristicNames = [SMPService.characteristic.uuid: "SMP"]

    package func recognise(_ file: [UInt8]) throws(FirmwareFileError) -> PackageFile? { nil }

    package func updates(offeredBy device: DeviceInventory) -> [OfferedUpdate] {
        device.offers(SMPService.uuid)
            ? [OfferedUpdate(.smp, "MCUmgr SMP", .application, SMPService.uuid)] : []
    }
}
