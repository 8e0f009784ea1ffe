import BluetoothTypes
import NordicDFU

/// A beacon as a scan has heard it, all its reports together.
struct Sighting: Equatable, Sendable {
    let address: DeviceAddress
    var rssi: Int8?
    var isConnectable: Bool
    var data: AdvertisingData

    init(_ report: Advertisement) {
        address = report.address
        rssi = report.rssi
        isConnectable = report.isConnectable
        data = report.data
    }

    mutating func add(_ report: Advertisement) {
        rssi = report.rssi ?? rssi
        isConnectable = isConnectable || report.isConnectable
        data = data.merged(with: report.data)
    }

    /// Whether it offers Nordic's DFU service to whoever scans, which bootloaders do.
    var isBootloader: Bool { data.services.contains(SecureService.uuid) }

    /// The members of a `beacon` event. What a beacon does not say is null, never a guess.
    var members: [String: JSONValue] {
        [
            "address": .text(address.description), "address_type": .text(address.kind.rawValue),
            "name": .optional(data.name), "vendor": isBootloader ? .text("nordic") : .null, "model": .null,
            "identity": .null, "version": .null, "battery": .null,
            "rssi": rssi.map { .integer(Int($0)) } ?? .null, "connectable": .bool(isConnectable),
            "mode": .text(isBootloader ? "bootloader" : "application"),
        ]
    }

    /// Columns for people.
    var line: String {
        func column(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(1, width - text.count))
        }
        return column(address.description, 19) + column(data.name ?? "-", 24)
            + column(isBootloader ? "bootloader" : "application", 13)
            + (rssi.map { "\($0) dBm" } ?? "-")
    }

    static let heading = "ADDRESS            NAME                    MODE         RSSI"
}
