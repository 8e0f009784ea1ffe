import Bluetooth
import Bytes
import Firmware
import UpdateModel

/// Selects beacons without slots: all beacons that match every condition that is not nil.
package struct TrayRule: Hashable, Sendable {
    /// The vendor, as `scan` names vendors.
    package let vendor: String?
    /// The model, as `scan` shows it; a pattern with `*` and `?`.
    package let model: String?
    /// The advertised name; a pattern with `*` and `?`.
    package let name: String?
    /// The signal strength in dBm that a beacon has to exceed: beacons of other benches are farther away.
    package let rssiAbove: Int?
    /// The number of beacons, so that a missing or an extra one is noticed; nil if they are not counted.
    package let expected: Int?

    /// Requires at least one of `vendor`, `model` and `name`: loudness alone would select any beacon nearby.
    package init(
        vendor: String? = nil, model: String? = nil, name: String? = nil, rssiAbove: Int? = nil,
        expected: Int? = nil
    ) throws(TrayFileError) {
        guard vendor != nil || model != nil || name != nil else {
            throw TrayFileError("rule", "a rule needs at least one of 'vendor', 'model' and 'name'")
        }
        if let vendor, !Self.vendors.contains(vendor) {
            let list = "; the vendors are \(Self.vendors.joined(separator: ", "))"
            let hint = Spelling.hint(for: vendor, in: Self.vendors, otherwise: list)
            throw TrayFileError("vendor", "there is no vendor '\(vendor)'" + hint)
        }
        try TrayText.check(model, of: "model")
        try TrayText.check(name, of: "name")
        try rssiAbove.check(in: Self.rssi, of: "rssi_above")
        try expected.check(in: TrayFile.counts, of: "expected")
        (self.vendor, self.model, self.name, self.rssiAbove) = (vendor, model, name, rssiAbove)
        self.expected = expected
    }

    static var vendors: [String] {
        Set(Maker.allCases.map(\.rawValue) + KnownVendors.all.map(\.name)).sorted()
    }

    /// The signal strengths that controllers report, in dBm (Bluetooth Core, Vol 4, Part E, 7.7.65.2).
    static let rssi = -127...20
}
