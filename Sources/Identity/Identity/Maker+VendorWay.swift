extension Maker {
    /// How its beacons are updated, if only the maker can do that; nil otherwise.
    public var vendorWay: String? {
        switch self {
        case .estimote: "update it with Estimote's application, signed in with the account that owns it"
        case .kontakt: "update it with Kontakt.io's application, signed in with the account that owns it"
        case .orange: "there is no public update; ask the operator who sold it"
        case .kkm, .feasycom, .aprilBrother: nil
        }
    }
}
