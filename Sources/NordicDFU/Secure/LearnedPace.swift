import UpdateCore

/// What an update has learned of a device's pace: worth keeping for the next device of that model with that
/// bootloader, and worth nothing for any other.
struct LearnedPace: Equatable, Sendable {
    /// Packets that the device was found to have room for; 16 where none was ever lost.
    var window: Int
    /// Packets per receipt (PRN) after losses; nil where none was lost.
    var receiptInterval: Int?
    /// How long an erased page can take, in microseconds.
    var eraseMicroseconds: Int
    /// How long writing 20 bytes can take, in microseconds.
    var writeMicroseconds: Int
    /// The longest packet that the device takes, in bytes, where longer ones never arrived; else nil.
    var payload: Int?
    /// How long the settings behind an init packet take, in microseconds, where nobody had to wait for them; else nil.
    var settingsMicroseconds: Int?
    /// Objects without a loss since the last one, or since what was lost was allowed a part of it again: a small image has
    /// too few of them for that by itself.
    var cleanObjects = 0
}

extension LearnedPace {
    private enum Name {
        static let window = "window"
        static let receiptInterval = "receipt_interval"
        static let erase = "erase_us"
        static let write = "write_us"
        static let payload = "payload"
        static let settings = "settings_us"
        static let clean = "clean_objects"
    }

    /// What a lesson says; nil when it lacks something.
    init?(_ lesson: Lesson) {
        guard let window = lesson.values[Name.window], let erase = lesson.values[Name.erase],
            let write = lesson.values[Name.write]
        else { return nil }
        self.init(
            window: window, receiptInterval: lesson.values[Name.receiptInterval], eraseMicroseconds: erase,
            writeMicroseconds: write, payload: lesson.values[Name.payload],
            settingsMicroseconds: lesson.values[Name.settings], cleanObjects: lesson.values[Name.clean] ?? 0)
    }

    /// The same, as a lesson about `bootloader`.
    func lesson(about bootloader: String) -> Lesson {
        var values = [Name.window: window, Name.erase: eraseMicroseconds, Name.write: writeMicroseconds]
        values[Name.receiptInterval] = receiptInterval
        values[Name.payload] = payload
        values[Name.settings] = settingsMicroseconds
        values[Name.clean] = cleanObjects > 0 ? cleanObjects : nil
        return Lesson(bootloader: bootloader, values: values)
    }
}
