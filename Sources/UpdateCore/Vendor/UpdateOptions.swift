/// What only one vendor's devices can be asked for.
public protocol VendorOptions: Sendable {
    /// Nothing asked for.
    init()
}

/// What a user wants to be different in an update.
public struct UpdateOptions: Sendable {
    /// What the new application has to call itself; nil goes by what the file says.
    public var versionText: String?
    /// What is done whatever the running application says.
    public var risks: Set<Risk>
    private var own: [ObjectIdentifier: any VendorOptions] = [:]

    /// Nothing, or what is given.
    public init(versionText: String? = nil, risks: Set<Risk> = []) {
        self.versionText = versionText
        self.risks = risks
    }

    /// What one vendor's devices are asked for.
    public subscript<Options: VendorOptions>(type: Options.Type) -> Options {
        get { own[ObjectIdentifier(type)] as? Options ?? Options() }
        set { own[ObjectIdentifier(type)] = newValue }
    }
}
