/// What an update has learned of a device's pace: worth keeping for the next device of that model with that
/// bootloader, and worth nothing for any other.
public struct LearnedPace: Codable, Hashable, Sendable {
    /// Packets that the device was found to have room for; 16 where none was ever lost.
    public var window: Int
    /// Packets per receipt (PRN) after losses; nil where none was lost.
    public var receiptInterval: Int?
    /// How long an erased page can take, in microseconds.
    public var eraseMicroseconds: Int
    /// How long writing 20 bytes can take, in microseconds.
    public var writeMicroseconds: Int
    /// The longest packet that the device takes, in bytes, where longer ones never arrived; else nil.
    public var payload: Int?

    /// A pace with the given values.
    public init(
        window: Int, receiptInterval: Int? = nil, eraseMicroseconds: Int, writeMicroseconds: Int,
        payload: Int? = nil
    ) {
        self.window = window
        self.receiptInterval = receiptInterval
        self.eraseMicroseconds = eraseMicroseconds
        self.writeMicroseconds = writeMicroseconds
        self.payload = payload
    }
}
