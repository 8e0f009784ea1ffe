package import Bluetooth
import Bytes
package import UpdateModel

extension FirmwareKind {
    package static let suota = FirmwareKind(rawValue: "suota")
}

package struct DialogVendor: Vendor {
    private let largestFile: Int

    /// A truncated file whose header announces more than `largestFile` bytes counts as another kind of file, not as a
    /// damaged image.
    package init(largestFile: Int = 16 << 20) { self.largestFile = largestFile }

    package let name = "dialog"
    package let kinds = [FirmwareKind.suota]
    package var failureCodes: [any FailureCodeGroup] { [FailureCode.dialogFile, FailureCode.suota] }
    package let fileExtensions = [".img"]
    package let advertised = [AdvertisedUpdate(SUOTAService.uuid, .suota, word: "suota", isBootloader: false)]
    package let characteristicNames = [
        SUOTAService.memoryDevice.uuid: "SUOTA Memory Device", SUOTAService.pins.uuid: "SUOTA GPIO Map",
        SUOTAService.memoryInformation.uuid: "SUOTA Memory Information",
        SUOTAService.patchLength.uuid: "SUOTA Patch Length", SUOTAService.patchData.uuid: "SUOTA Patch Data",
        SUOTAService.status.uuid: "SUOTA Status", SUOTAService.psm.uuid: "SUOTA L2CAP PSM",
        SUOTAService.version.uuid: "SUOTA Version",
        SUOTAService.patchDataSize.uuid: "SUOTA Patch Data Size", SUOTAService.mtu.uuid: "SUOTA MTU",
    ]
    package let wording = VendorWording(
        files: "SUOTA", longPackets: "SUOTA 1.3",
        risks: [.runningBank: "SUOTA: the bank may be the running image's"], recipes: [.suota: "suota"])
    package let options: [any VendorOptions.Type] = [SUOTAPreferences.self]
    package let targetKeys = [
        DeviceKey("chip", allowed: HeaderFamily.allCases.map(\.rawValue) + ["531"]) {
            HeaderFamily(chip: $0) != nil
        },
        .number("bank"), .number("timestamp"),
    ]
    package let modelKeys = [DeviceKey.word("header", of: HeaderFamily.allCases.map(\.rawValue))]

    private static let flashOfDA1468x = UnsupportedFile(
        .dialogFlashImage,
        hint: "this is the flash content of a DA1468x, with the chip's boot header; SUOTA takes the image "
            + "(.img) that mkimage makes")

    /// Whether `file` begins with 71 51 00 00 80 and the program's size in three bytes, most significant first.
    private static func isFlashOfDA1468x(_ file: [UInt8]) -> Bool {
        guard file.starts(with: [0x71, 0x51, 0, 0, 0x80]), file.count > 8 else { return false }
        let length = file[5..<8].reduce(0) { $0 << 8 | Int($1) }
        return length > 0 && length <= file.count - 8
    }

    /// Two bytes of signature prove little, so an unreadable file that is text, or whose header has a size that no real
    /// firmware has, is not reported as a damaged image.
    package func recognise(_ file: [UInt8]) throws(FirmwareFileError) -> PackageFile? {
        guard HeaderFamily(signatureOf: file) != nil else {
            if let flash = FlashImage(recognising: file) { return .unsupported(flash.unsupported) }
            return Self.isFlashOfDA1468x(file) ? .unsupported(Self.flashOfDA1468x) : nil
        }
        do { return .firmware(try SUOTAImage(parsing: file)) } catch {
            if PlainText.begins(file) { return nil }
            if case .bytes(let flaw) = error, case .truncated(let size, _) = flaw.reason, size > largestFile {
                return nil
            }
            throw FirmwareFileError(error.code, "\(error)")
        }
    }

    package func lookalike(_ file: [UInt8]) -> String? {
        switch Array(file.prefix(2)) {
        case [0x70, 0x51], [0x70, 0x61], [0x51, 0x71]:
            "begins like a Dialog SUOTA image, but with impossible sizes"
        case [0x70, 0x52], [0x70, 0x62], [0x50, 0x70]:
            "begins like a Dialog product header, but has none of its offsets"
        case [0x70, 0x50]: "begins like a Dialog multi-part image, but has no boot header"
        default: nil
        }
    }

    package func updates(offeredBy device: DeviceInventory) -> [OfferedUpdate] {
        device.offers(SUOTAService.uuid)
            ? [OfferedUpdate(.suota, "Dialog SUOTA", .application, SUOTAService.uuid)] : []
    }
}

extension HeaderFamily {
    /// The family for the value of the target key `chip`; the DA14531 (`531`) has the header of DA1458x.
    init?(chip: String) { self.init(rawValue: chip == "531" ? "58x" : chip.lowercased()) }
}
