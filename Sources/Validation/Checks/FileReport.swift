public import FirmwareModel

/// The release gate's report on one file.
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
    /// How long the check took; nil where that was not measured.
    public var seconds: Double?
    /// What devices tell images apart by; nil where they do not compare any.
    public let image: ReleaseIdentity?

    /// A report with `findings`, which are sorted by level.
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

    /// Whether the file is sound, but of a kind that is not firmware for beacons.
    public let isForeign: Bool

    /// Whether the file could not be opened, so that nothing is known about it.
    public var isUnreadable: Bool { findings.contains { Self.unreadable.contains($0.id) } }

    private static let unreadable: Set = [
        "file-not-found", "file-not-readable", "file-is-directory", "link-not-followed",
    ]

    /// Whether the file may be released.
    public var isPassed: Bool { findings.firstError == nil }

    /// Adds a finding that only a comparison with other files can make.
    public mutating func add(_ finding: Finding) { findings = (findings + [finding]).errorsFirst }
}
