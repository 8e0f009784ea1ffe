public import BluetoothTypes
import ByteCoding
public import FirmwareModel
public import Sessions
public import UpdateCore

/// Marble, which makes beacons for this exercise only.
public struct MarbleVendor: Vendor {
    /// The vendor.
    public init() {}

    /// Its name.
    public let name = "marble"
    /// Its kind of firmware.
    public let kinds = [FirmwareKind.marble]
    /// How names of its files end.
    public let fileExtensions = [".marble"]
    /// What its beacons advertise.
    public let advertised = [
        AdvertisedUpdate(MarbleService.uuid, .marble, word: "marble", isBootloader: false)
    ]
    /// What it calls its characteristics.
    public let characteristicNames = [
        MarbleService.header.uuid: "Marble Header", MarbleService.data.uuid: "Marble Data",
        MarbleService.command.uuid: "Marble Command", MarbleService.state.uuid: "Marble State",
    ]
    /// The rules about its files only.
    public let rules = [
        Rule("board-open", .compatibility, .warning, "A program for one board is installed on another.")
    ]
    /// What may be told of a device.
    public let targetKeys = [DeviceKey.number("board")]
    /// By what its models are told apart.
    public let modelKeys = [DeviceKey.number("board", upTo: UInt32(UInt8.max))]

    /// What a file is; nil where it is none of these.
    public func recognise(_ file: [UInt8]) throws(FirmwareFileError) -> PackageFile? {
        guard MarbleFile.isMeant(file) else { return nil }
        do throws(ByteError) { return .firmware(try MarbleFile(parsing: file)) } catch {
            throw FirmwareFileError(
                error.code, at: Finding.Place(offset: error.offset, field: error.field),
                "Marble file: \(error)")
        }
    }

    /// The way to update a device that has the service.
    public func updates(offeredBy device: DeviceInventory) -> [OfferedUpdate] {
        device.offers(MarbleService.uuid)
            ? [OfferedUpdate(.marble, "Marble", .application, MarbleService.uuid)] : []
    }
}

extension ByteError {
    /// What tools call it.
    fileprivate var code: String {
        switch (reason, field) {
        case (.truncated, _): "file-truncated"
        case (_, "header crc"): "header-crc-mismatch"
        default: "unsupported-container-version"
        }
    }
}
