public import FirmwareModel

/// What is known of a beacon for which firmware is looked for; what is nil was not heard.
public struct CatalogueDevice: Hashable, Sendable {
    /// Who made it.
    public var maker: String?
    /// Its kind, as `scan` names kinds.
    public var family: String?
    /// Whether it may turn out to be of another kind: frames of its maker may not have been heard yet.
    public var familyMayChange = false
    /// Its model.
    public var model: String?
    /// Whether it tells its model in its vendor's session: until then a family may be its own that is recognised by that.
    public var tellsModelInSession = false
    /// The number of its model, as its frames have it.
    public var number: Int?
    /// What its maker tells it from others of its model by.
    public var id: String?
    /// Its name.
    public var name: String?
    /// Its hardware version.
    public var hardware: String?
    /// The installed version.
    public var version: String?
    /// What it says the version in; nil where a person says it, or it was read where the family has it.
    public var versionSource: VersionSource?
    /// Its charge in percent.
    public var battery: Int?
    /// The voltage of its battery, in millivolts.
    public var millivolts: Int?
    /// The kind of firmware that it says it takes.
    public var kind: FirmwareKind?
    /// Whether its bootloader runs, which says nothing about the application.
    public var isBootloader = false

    /// A beacon of which nothing is known.
    public init() {}
}
