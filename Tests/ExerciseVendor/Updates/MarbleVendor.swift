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
        MarbleService.request.uuid: "Marble Request", MarbleService.answer.uuid: "Marble Answer",
    ]
    /// Its own codes.
    public let failureCodes: [any FailureCodeGroup] = [FailureCode.marble]
    /// How its files are sent.
    public let options: [any VendorOptions.Type] = [MarbleOptions.self]
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

/// The codes that only Marble has.
struct MarbleCodes: FailureCodeGroup {
    static let topic = FailureTopic("Marble")

    let boardOpen = FailureCode(
        "board-open", .failed, "The file names no board, so that any beacon of Marble's takes it.",
        next: "build the file for the board that it is for", rule: .compatibility, .warning,
        prevents: "A program for one board is installed on another.")
    let beaconSealed = FailureCode(
        "beacon-sealed", .failed, "The settings of this Marble beacon were sealed in the factory.",
        next: "use a beacon that is not sealed")
}

extension FailureCode {
    static let marble = MarbleCodes()
}

extension ByteError {
    /// The code for tools.
    fileprivate var code: FailureCode {
        switch (reason, field) {
        case (.truncated, _): .file.fileTruncated
        case (_, "header crc"): .file.headerCRCMismatch
        default: .file.unsupportedContainerVersion
        }
    }
}
