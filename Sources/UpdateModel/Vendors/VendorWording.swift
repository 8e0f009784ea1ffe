/// What programs say of a vendor in sentences of their own.
public struct VendorWording: Sendable {
    /// What its files are for, in a word; nil for the vendor's name.
    public let files: String?
    /// The path of a file among the samples, for examples; nil for none.
    public let sample: String?
    /// The programs of its devices that take packets of 244 bytes; nil if that is not known.
    public let longPackets: String?
    /// The protocols in which there are risks, or what the risks are in its protocols.
    public let risks: [Risk: String]
    /// The names of recipes to build files.
    public let recipes: [FirmwareKind: String]

    public init(
        files: String? = nil, sample: String? = nil, longPackets: String? = nil, risks: [Risk: String] = [:],
        recipes: [FirmwareKind: String] = [:]
    ) {
        self.files = files
        self.sample = sample
        self.longPackets = longPackets
        self.risks = risks
        self.recipes = recipes
    }
}
