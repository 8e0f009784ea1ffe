/// What of a request decides whether it is answered.
public struct RequestHead: Hashable, Sendable {
    /// Host, or the authority.
    public var host: String?
    /// Origin.
    public var origin: String?
    /// Sec-Fetch-Site.
    public var fetchSite: String?
    /// Content-Type.
    public var contentType: String?
    /// X-CSRF-Token.
    public var csrf: String?
    /// Authorization.
    public var authorization: String?
    /// The session that its cookie names.
    public var session: String?

    /// A head that says nothing.
    public init() {}
}
