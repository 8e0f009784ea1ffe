/// Where a Dialog unit's memory is, which it does not tell: as `--pins` and `--profile` say it.
public struct TrayMemory: Hashable, Sendable {
    /// The pins; nil for those of the profile, or the chip maker's.
    public let pins: String?
    /// The profile's name; nil for none.
    public let profile: String?

    /// Pins, a profile, or both; nil for neither.
    public init?(pins: String? = nil, profile: String? = nil) throws(TrayFlaw) {
        guard pins != nil || profile != nil else { return nil }
        try TrayText.check(pins, of: "pins")
        try TrayText.check(profile, of: "profile")
        (self.pins, self.profile) = (pins, profile)
    }
}
