public import FirmwareModel

/// What the gate says about one file.
public struct FileReport: Sendable {
    /// The file, as it was named.
    public let path: String
    /// Its bytes; nil when it could not be read.
    public let bytes: Int?
    /// Its SHA-256, in lower-case hexadecimal; nil when it could not be read.
    public let sha256: String?
    /// What it is, as `inspect` names it; nil when that could not be told.
    public let kind: String?
    /// What was found, errors first.
    public private(set) var findings: [Finding]
    /// What the target would do; nil when no target was given, or nothing could be asked.
    public let verdict: Verdict?
    /// What devices tell the image from others by; nil where they do not compare.
    public let image: ReleaseIdentity?

    /// A report.
    public init(
        path: String, bytes: Int? = nil, sha256: String? = nil, kind: String? = nil,
        isForeign: Bool = false, findings: [Finding], verdict: Verdict? = nil, image: ReleaseIdentity? = nil
    ) {
        self.path = path
        self.bytes = bytes
        self.sha256 = sha256
        self.kind = kind
        self.isForeign = isForeign
        self.findings = findings.errorsFirst
        self.verdict = verdict
        self.image = image
    }

    /// Whether the file is whole and of a kind that is not firmware for beacons.
    public let isForeign: Bool

    /// Whether the file could not be opened, so that nothing is known about it.
    public var isUnreadable: Bool { findings.contains { Self.unreadable.contains($0.id) } }

    private static let unreadable: Set = [
        "file-not-found", "file-not-readable", "file-is-directory", "link-not-followed",
    ]

    /// Whether the file may be released.
    public var isPassed: Bool { findings.firstError == nil }

    /// Adds what only a look at other files could find.
    public mutating func add(_ finding: Finding) { findings = (findings + [finding]).errorsFirst }
}
