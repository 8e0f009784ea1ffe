import BeaconIdentity
import Spelling
import UpdateCore
import Vendors

/// Which beacons are meant where they have no slots: all for which everything here holds.
public struct TrayRule: Hashable, Sendable {
    /// Who made them, as `scan` names vendors.
    public let vendor: String?
    /// The model, as `scan` shows it; a pattern with `*` and `?`.
    public let model: String?
    /// The advertised name; a pattern with `*` and `?`.
    public let name: String?
    /// Louder than this, in dBm: beacons of other benches are farther away.
    public let rssiAbove: Int?
    /// How many there are, so that one that is missing or too many is noticed; nil where they are not counted.
    public let expected: Int?

    /// A rule with at least one of `vendor`, `model` and `name`: by loudness alone it would mean whatever lies near.
    public init(
        vendor: String? = nil, model: String? = nil, name: String? = nil, rssiAbove: Int? = nil,
        expected: Int? = nil
    ) throws(TrayFlaw) {
        guard vendor != nil || model != nil || name != nil else {
            throw TrayFlaw("rule", "a rule needs at least one of 'vendor', 'model' and 'name'")
        }
        if let vendor, !Self.vendors.contains(vendor) {
            let list = "; there are \(Self.vendors.joined(separator: ", "))"
            throw TrayFlaw(
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

    /// Every vendor that a beacon can be heard to be of.
    static var vendors: [String] {
        Set(Maker.allCases.map(\.rawValue) + KnownVendors.all.map(\.name)).sorted()
    }

    /// What controllers report, in dBm (Vol 4, Part E, 7.7.65.2).
    static let rssi = -127...20
}

extension Int? {
    /// Refuses a number of the key `key` that is out of `range`.
    func check(in range: ClosedRange<Int>, of key: String) throws(TrayFlaw) {
        guard let number = self, !range.contains(number) else { return }
        throw TrayFlaw(key, "'\(key)' is a number from \(range.lowerBound) to \(range.upperBound)")
    }
}
