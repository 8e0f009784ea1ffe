public import Bluetooth
import Bytes
public import UpdateModel

/// Marble, an invented maker of beacons for this exercise.
public struct MarbleVendor: Vendor {
    /// The vendor.
    public init() {}

    /// Its name.
    public let name = "marble"
    /// Its kind of firmware.
    public let kinds = [FirmwareKind.marble]
    /// The extensions of its files.
    public let fileExtensions = [".marble"]
    /// What its beacons advertise.
    public let advertised = [
        AdvertisedUpdate(MarbleService.uuid, .marble, word: "marble", isBootloader: false)
    ]
    /// The names of its characteristics.
    public let characteristicNames = [
        MarbleService.header.uuid: "Marble Header", MarbleService.data.uuid: "Marble Data",
        MarbleService.command.uuid: "Marble Command", MarbleService.state.uuid: "Marble State",
    ]
    /// The rules about its files only.
    public let rules = [
        Rule("board-open", .compatibility, .warning, "A program for one board is installed on another.")
    ]
    /// The properties of a target device that can be given.
    public let targetKeys = [DeviceKey.number("board")]
    /// The properties that distinguish its models.
    public let modelKeys = [DeviceKey.number("board", upTo: UInt32(UInt8.max))]

    /// The content of a file; nil if it is not a Marble file.
    public func recognise(_ file: [UInt8]) throws(FirmwareFileError) -> PackageFile? {
        guard MarbleFile.isMeant(file) else { return nil }
        do throws(ByteError) { return .firmware(try MarbleFile(parsing: file)) } catch {
            throw FirmwareFileError(
                error.code, at: Finding.Place(offset: error.offset, field: error.field),
                "Marble file: \(error)")
        }
    }

    /// The update procedure for a device with the service.
    public func updates(offeredBy device: DeviceInventory) -> [OfferedUpdate] {
        device.offers(MarbleService.uuid)
            ? [OfferedUpdate(.marble, "Marble", .application, MarbleService.uuid)] : []
    }
}

extension ByteError {
    /// The name for tools.
    fileprivate var code: String {
        switch (reason, field) {
        case (.truncated, _): "file-truncated"
        case (_, "header crc"): "header-crc-mismatch"
        default: "unsupported-container-version"
        }
    }
}
