/// The result of a reset.
public struct Restart: Hashable, Sendable {
    /// The program that a device runs.
    public enum Program: String, Codable, Sendable {
        /// The application.
        case application
        /// The bootloader.
        case bootloader
    }

    /// The program that starts.
    public let program: Program
    /// The time to install a new image before the start (nordic-secure.md, Timing).
    public let time: Duration
    /// The number of resets until the start.
    public let resets: Int
    /// Whether a second part may follow, because a SoftDevice was replaced.
    public let continues: Bool

    init(program: Program, time: Duration, resets: Int = 1, continues: Bool) {
        self.program = program
        self.time = time
        self.resets = resets
        self.continues = continues
    }
}
