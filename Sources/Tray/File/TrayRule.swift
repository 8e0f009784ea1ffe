import Bytes
import Firmware
import Identity
import UpdateModel

/// Selects beacons without slots: all that match every condition here.
public struct TrayRule: Hashable, Sendable {
    /// The vendor, as `scan` names vendors.
    public let vendor: String?
    /// The model, as `scan` shows it; a pattern with `*` and `?`.
    public let model: String?
    /// The advertised name; a pattern with `*` and `?`.
    public let name: String?
    /// Received louder than this, in dBm: beacons of other benches are farther away.
    public let rssiAbove: Int?
    /// The number of beacons, so that a missing or an extra one is noticed; nil if they are not counted.
    public let expected: Int?

    /// Requires at least one of `vendor`, `model` and `name`: loudness alone would select any beacon nearby.
    public init(
        vendor: String? = nil, model: String? = nil, name: String? = nil, rssiAbove: Int? = nil,
        expected: Int? = nil
    ) throws(TrayFileError) {
        guard vendor != nil || model != nil || name != nil else {
            throw TrayFileError("rule", "a rule needs at least one of 'vendor', 'model' and 'name'")
        }
        if let vendor, !Self.vendors.contains(vendor) {
            let list = "; there are \(Self.vendors.joined(separator: ", "))"
            throw TrayFileError(
                "vendor",
                "there is no vendor '\(vendor)'"
                    + Spelling.hint(for: vendor, in: Self.vendors, otherwise: list)
            )
        }
        try TrayText.check(model, of: "model")
        try TrayText.check(name, of: "name")
        try rssiAbove.check(in: Self.rssi, of: "rssi_above")
        try expected.check(in: TrayFile.counts, of: "expected")
        self.vendor = vendor
        self.model = model
        self.name = name
        self.rssiAbove = rssiAbove
        self.expected = expected
    }

    /// Every vendor that adverts can identify.
    static var vendors: [String] {
        Set(Maker.allCases.map(\.rawValue) + KnownVendors.all.map(\.name)).sorted()
    }

    /// The range that controllers report, in dBm (Vol 4, Part E, 7.7.65.2).
    static let rssi = -127...20
}

extension Int? {
    /// Throws for a number of the key `key` that is out of `range`.
    func check(in range: ClosedRange<Int>, of key: String) throws(TrayFileError) {
        guard let number = self, !range.contains(number) else { return }
        throw TrayFileError(key, "'\(key)' is a number from \(range.lowerBound) to \(range.upperBound)")
    }
}
