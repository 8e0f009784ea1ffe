/// What a firmware file installs.
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

/// The version in a field of a firmware file.
public struct FirmwareVersion: Hashable, Sendable {
    /// The field as text; a number as decimal digits.
    public let text: String
    public let place: Finding.Place
    private let isText: Bool

    /// The version in the field at `place`; `isText` is false if its bytes are not text.
    public init(_ text: String, isText: Bool = true, at place: Finding.Place) {
        (self.text, self.isText, self.place) = (text, isText, place)
    }

    /// The version for people; nil if the field is empty or not text.
    public var readable: String? { isText && !text.isEmpty ? text : nil }

    /// Whether a version in a name, such as 2.7.31, means this version: as the same numbers, without its points (2731),
    /// or as nrfutil encodes it (20731).
    public func agrees(with dotted: String) -> Bool {
        let parts = dotted.split(separator: ".").compactMap { Int($0) }
        var spellings = [parts.map(String.init).joined()]
        if parts.count == 3 { spellings.append(String(parts[0] * 10_000 + parts[1] * 100 + parts[2])) }
        return spellings.contains(text) || VersionOrder(dotted) == VersionOrder(text)
    }
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
