/// The keys of a device's bonds, as numbers: all that matters is whether both ends have the same.
public struct BondKeys: Codable, Hashable, Sendable {
    /// The application's bond with a central; nil without one.
    public var application: Int?
    /// The bond that the application has shared with the bootloader (nordic-buttonless.md, Bonds).
    public var bootloader: Int?

    /// Bonds with the given keys.
    public init(application: Int? = nil, bootloader: Int? = nil) {
        self.application = application
        self.bootloader = bootloader
    }
}
