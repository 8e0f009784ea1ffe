package import UpdateModel

/// What is known of a beacon that needs firmware; nil for what was not heard.
package struct CatalogueDevice: Hashable, Sendable {
    package var maker: String?
    package var family: String?
    /// Whether it may turn out to belong to another family: identifying frames may not have been heard yet.
    package var familyMayChange = false
    package var model: String?
    /// Whether it reports its model in its vendor's session: until then, a family that is recognised by the
    /// model may match.
    package var reportsModelInSession = false
    /// The number of its model, as in its frames.
    package var number: Int?
    /// The maker's id, which is unique among units of its model.
    package var id: String?
    package var name: String?
    package var hardware: String?
    package var version: String?
    /// Where it reports the version; nil if the user gave it, or it was read where the family reports it.
    package var versionSource: VersionSource?
    /// Its charge in percent.
    package var battery: Int?
    package var millivolts: Int?
    /// The kind of firmware that it accepts, according to its own report.
    package var kind: FirmwareKind?
    /// Whether its bootloader runs, which reports nothing about the application.
    package var isBootloader = false

    package init() {}
}
