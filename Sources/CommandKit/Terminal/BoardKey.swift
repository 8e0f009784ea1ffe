package import Tray

/// A key that the live view handles.
package enum BoardKey: Equatable, Sendable {
    case up, down, pageUp, pageDown, home, end, enter, escape, backspace
    case character(Character)
}

/// What a key requests of the run.
package enum BoardCommand: Equatable, Sendable {
    /// Starts no further unit.
    case pause
    /// Starts units again, also after a hold.
    case release
    case skip(UnitNumber)
    case retry(UnitNumber)
    case blink(UnitNumber)
    /// Finishes the running units, and starts no others.
    case quit
}
