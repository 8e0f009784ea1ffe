/// Options for one vendor's devices.
public protocol VendorOptions: Sendable {
    /// The default options.
    init()
}

/// A user's options for an update.
public struct UpdateOptions: Sendable {
    /// The version text that the new application has to report; nil to use the file's version.
    public var versionText: String?
    /// The risks that the user accepts.
    public var risks: Set<Risk>
    private var own: [ObjectIdentifier: any VendorOptions] = [:]

    /// The default options, or those given.
    public init(versionText: String? = nil, risks: Set<Risk> = []) {
        self.versionText = versionText
        self.risks = risks
    }

    /// The options for one vendor's devices.
    public subscript<Options: VendorOptions>(type: Options.Type) -> Options {
        get { own[ObjectIdentifier(type)] as? Options ?? Options() }
        set { own[ObjectIdentifier(type)] = newValue }
    }
}
