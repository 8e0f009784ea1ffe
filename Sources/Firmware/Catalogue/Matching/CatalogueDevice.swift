public import UpdateModel

/// What is known of a beacon that needs firmware; nil for what was not heard.
public struct CatalogueDevice: Hashable, Sendable {
    /// Its maker.
    public var maker: String?
    /// Its kind, as `scan` names kinds.
    public var family: String?
    /// Whether it may turn out to belong to another family: identifying frames may not have been heard yet.
    public var familyMayChange = false
    /// Its model.
    public var model: String?
    /// Whether it reports its model in its vendor's session: until then, a family that is recognised by the
    /// model may match.
    public var tellsModelInSession = false
    /// The number of its model, as in its frames.
    public var number: Int?
    /// The maker's id, which is unique among units of its model.
    public var id: String?
    /// Its name.
    public var name: String?
    /// Its hardware version.
    public var hardware: String?
    /// The installed version.
    public var version: String?
    /// Where it reports the version; nil if the user gave it, or it was read where the family reports it.
    public var versionSource: VersionSource?
    /// Its charge in percent.
    public var battery: Int?
    /// The voltage of its battery, in millivolts.
    public var millivolts: Int?
    /// The kind of firmware that it accepts, according to its own report.
    public var kind: FirmwareKind?
    /// Whether its bootloader runs, which tells nothing about the application.
    public var isBootloader = false

    /// A beacon without known facts.
    public init() {}
}
