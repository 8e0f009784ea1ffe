public import Bluetooth
public import UpdateModel

extension FirmwareKind {
    /// A Feasycom file, or an open container with the same fields.
    public static let fbeacon = FirmwareKind(rawValue: "fbeacon")
}

/// Feasycom: upgrade files of FBeacon, and the open container.
public struct FeasycomVendor: Vendor {
    /// The vendor.
    public init() {}

    /// Its name.
    public let name = "feasycom"
    /// Its kinds of firmware.
    public let kinds = [FirmwareKind.fbeacon]
    /// Beacons on Dialog chips take SUOTA images.
    public var kindsTaken: [FirmwareKind] { kinds + [FirmwareKind(rawValue: "suota")] }
    /// The file extensions of its files.
    public let fileExtensions = [".dfu", ".fbu"]
    /// The names of its characteristics.
    public let characteristicNames = [FBeaconService.openMark.uuid: "FBeacon Open Mark"]
    /// The facts about a device.
    public let targetKeys = [DeviceKey.number("bootloader")]
    /// The facts about a model in a catalogue.
    public let modelKeys = [DeviceKey.number("number", upTo: UInt32(UInt16.max))]

    /// Only a device with the mark of open containers takes them.
    public func updates(offeredBy device: DeviceInventory) -> [OfferedUpdate] {
        device.offers(FBeaconService.openMark)
            ? [OfferedUpdate(.fbeacon, "FBeacon open container", .application, FBeaconService.uuid)] : []
    }

    /// Parses a file; nil if it is none of these.
    public func recognise(_ file: [UInt8]) throws(FirmwareFileError) -> PackageFile? {
        do { return .firmware(try FBeaconFile(parsing: file)) } catch {
            if error == .notFBeacon { return nil }
            throw FirmwareFileError(error.code, "\(error)")
        }
    }

    /// Why a file that begins like one of these is not one.
    public func lookalike(_ file: [UInt8]) -> String? {
        switch Array(file.prefix(2)) {
        case [0xDD, 0x07], [0x46, 0x42]:
            "begins like a Feasycom file, but has no end mark, or nothing after its header"
        default: nil
        }
    }
}
