/// What devices compare to tell whether they already have an image.
public struct ReleaseIdentity: Hashable, Sendable {
    public let compared: [UInt8]
    /// The fields that contain them, for messages.
    public let field: String
    /// A checksum of the program, which devices do not compare.
    public let program: UInt32

    public init(compared: [UInt8], field: String, program: UInt32) {
        (self.compared, self.field, self.program) = (compared, field, program)
    }
}

/// The build time in a file.
public struct BuildMoment: Hashable, Sendable {
    /// Seconds since 1970 in UTC.
    public let seconds: UInt32
    public let place: Finding.Place
    /// Whether it orders releases of the same version.
    public let ordersReleases: Bool

    public init(_ seconds: UInt32, at place: Finding.Place, ordersReleases: Bool) {
        (self.seconds, self.place, self.ordersReleases) = (seconds, place, ordersReleases)
    }
}
