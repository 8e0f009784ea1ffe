import Tray

/// A key of a terminal that a live view knows.
enum BoardKey: Equatable, Sendable {
    case up, down, pageUp, pageDown, home, end, enter, escape, backspace
    case character(Character)
}

/// What a key wants of the run.
enum BoardCommand: Equatable, Sendable {
    /// No further unit is begun.
    case pause
    /// They are again, also after a hold.
    case release
    case skip(UnitNumber)
    case retry(UnitNumber)
    case blink(UnitNumber)
    /// Units at work end, and none is begun.
    case quit
}
