public import Tray

/// A step that was about to be taken, and from then on may have been.
public struct ChangeRecord: Hashable, Codable, Sendable {
    /// What was to be done.
    public var step: DeviceStep
    /// The address of whom, with its kind after a slash.
    public var address: String
    /// The part that was to be sent or installed, from 1; nil where there is one.
    public var part: Int?
    /// How many parts there are; nil where there is one.
    public var parts: Int?
    /// The SHA-256 of the file, in lower-case hexadecimal.
    public var sha256: String?
    /// When it was written down.
    public var at: RecordedTime

    /// A step as described.
    public init(
        _ step: DeviceStep, address: String, part: Int? = nil, of parts: Int? = nil, sha256: String? = nil,
        at: RecordedTime
    ) {
        self.step = step
        self.address = address
        self.part = part
        self.parts = parts
        self.sha256 = sha256
        self.at = at
    }
}
