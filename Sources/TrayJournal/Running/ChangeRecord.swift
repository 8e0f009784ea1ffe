public import Tray

/// A step that was announced, and from then on may have been taken.
public struct ChangeRecord: Hashable, Codable, Sendable {
    /// The step.
    public var step: DeviceStep
    /// The device's address, with its kind after a slash.
    public var address: String
    /// The part to send or install, from 1; nil if there is only one.
    public var part: Int?
    /// The number of parts; nil if there is only one.
    public var parts: Int?
    /// The SHA-256 of the file, in lower-case hexadecimal.
    public var sha256: String?
    /// When it was recorded.
    public var at: RecordedTime

    /// Creates a step with these values.
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
