public struct PackageSummary: Hashable, Sendable {
    /// A part that is installed in one step.
    public struct Part: Hashable, Sendable {
        /// Its name within a sentence: `application`.
        public let title: String
        /// The number of bytes to send.
        public let bytes: Int
        /// Its version; nil if the file does not contain it.
        public let version: FirmwareVersion?
        /// Further properties, such as `signed`.
        public let remarks: [String]
        /// Whether it is the application, and not a bootloader or a protocol stack.
        public let isApplication: Bool

        public init(
            _ title: String, bytes: Int, version: FirmwareVersion?, remarks: [String] = [],
            isApplication: Bool = true
        ) {
            (self.title, self.bytes, self.version) = (title, bytes, version)
            (self.remarks, self.isApplication) = (remarks, isApplication)
        }
    }

    /// The parts in the order of sending.
    public let parts: [Part]

    public init(_ parts: [Part]) { self.parts = parts }

    /// The version of the application to install; nil if there is no application, or its version is not in the file.
    /// A bootloader's version is not used: the device reports its application's.
    public var version: FirmwareVersion? { parts.first(where: \.isApplication)?.version }
    public var bytes: Int { parts.reduce(0) { $0 + $1.bytes } }

    /// Whether the last part is an application.
    public var hasApplication: Bool { parts.last?.isApplication ?? false }
}

/// The fields by which devices recognise an image that they already have.
public struct ReleaseIdentity: Hashable, Sendable {
    /// The bytes of these fields, which devices compare with those of the installed image.
    public let compared: [UInt8]
    /// The names of the fields, for messages.
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
    /// Whether the later of two releases with the same version is the one that was built later.
    public let ordersReleases: Bool

    public init(_ seconds: UInt32, at place: Finding.Place, ordersReleases: Bool) {
        (self.seconds, self.place, self.ordersReleases) = (seconds, place, ordersReleases)
    }
}
