/// What comes after a reset.
public struct Restart: Hashable, Sendable {
    /// What a device runs.
    public enum Program: String, Codable, Sendable {
        /// The application.
        case application
        /// The bootloader.
        case bootloader
    }

    /// What starts.
    public let program: Program
    /// How long putting a new image in its place takes first (nordic-secure.md, Timing).
    public let time: Duration
    /// How often the device resets on the way.
    public let resets: Int
    /// Whether a second part may follow: a SoftDevice was replaced.
    public let continues: Bool

    init(program: Program, time: Duration, resets: Int = 1, continues: Bool) {
        self.program = program
        self.time = time
        self.resets = resets
        self.continues = continues
    }
}
