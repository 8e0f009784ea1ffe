package import Bluetooth
package import UpdateModel

extension FirmwareKind { package static let fbeacon = FirmwareKind(rawValue: "fbeacon") }

package struct FeasycomVendor: Vendor {
    package init() {}

    package let name = "feasycom"
    package let kinds = [FirmwareKind.fbeacon]
    package var failureCodes: [any FailureCodeGroup] { [FailureCode.fbeacon] }
    /// Beacons on Dialog chips take SUOTA images.
    package var kindsTaken: [FirmwareKind] { kinds + [FirmwareKind(rawValue: "suota")] }
    package let fileExtensions = [".dfu", ".fbu"]
    package let characteristicNames = [FBeaconService.openMark.uuid: "FBeacon Open Mark"]
    package let wording = VendorWording(
        files: "Feasycom", risks: [.lowerVersion: "FBeacon"], recipes: [.fbeacon: "fbeacon"])
    package let options: [any VendorOptions.Type] = [FBeaconPreferences.self]
    package let targetKeys = [DeviceKey.number("bootloader")]
    package let modelKeys = [DeviceKey.number("number", upTo: UInt32(UInt16.max))]

    /// Only a device with the mark of open containers is offered the update.
    package func updates(offeredBy device: DeviceInventory) -> [OfferedUpdate] {
        device.offers(FBeaconService.openMark)
            ? [OfferedUpdate(.fbeacon, "FBeacon open container", .application, FBeaconService.uuid)] : []
    }

    package func recognise(_ file: [UInt8]) throws(FirmwareFileError) -> PackageFile? {
        do { return .firmware(try FBeaconFile(parsing: file)) } catch {
            if error == .notFBeacon { return nil }
            throw FirmwareFileError(error.code, "\(error)")
        }
    }

    package func lookalike(_ file: [UInt8]) -> String? {
        switch Array(file.prefix(2)) {
        case [0xDD, 0x07], [0x46, 0x42]:
            "begins like a Feasycom file, but has no end mark, or nothing after its header"
        default: nil
        }
    }
}

extension FeasycomVendor {
    package var support: [MakerSupport] {
        let tried = MakerSupport.Answer.proven([.clients, .simulated, .peripheral])
        return [
            MakerSupport(
                "feasycom", title: "Feasycom FeasyBeacon",
                [
                    .scan: .proven([.document, .clients, .simulated, .peripheral]), .query: tried,
                    .settingsRead: tried, .settingsWritten: tried, .password: .notDone, .blink: tried,
                    .records: .notPublic, .updated: .proven([.simulated, .peripheral]),
                ],
                gaps: [
                    .init(
                        "frames of sensors (temperature, humidity, acceleration)",
                        needed: "a recording, with the values that the maker's application shows"),
                    .init(
                        "the power at 1 m that the maker measured for each model",
                        needed: "the maker's table, or a measurement"),
                    .init(
                        "the interval and the power of single broadcasts",
                        needed: "a recording of the maker's application setting them"),
                    .init(
                        "the exchange by which the maker's application proves a PIN",
                        needed: "the maker's description; a plain PIN works where a beacon takes one"),
                    .init(
                        "the contents of the maker's own .dfu files, which are encrypted",
                        needed:
                            "the maker's application; this program recognises them and never decrypts them"),
                ])
        ]
    }
}
