/// The parts of a request that determine access.
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
    /// The session id in its cookie.
    public var session: String?

    /// A head without values.
    public init() {}
}
