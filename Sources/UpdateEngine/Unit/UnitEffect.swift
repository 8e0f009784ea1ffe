import UpdateModel

/// An effect of a unit's update before its next step, without a result.
enum UnitEffect: Sendable {
    /// Report an event.
    case report(UpdateEvent)
    /// Report a notice, and count its content.
    case notice(UpdateNotice)
    /// Something starts again, at an offset in bytes.
    case retry(FailureCode, from: Int)
    /// Write to the log.
    case log(String)
    /// The unit has responded over the link: the devices heard up to now are not the unit.
    case answered
    /// The unit is in its application, and keeps its address until it is told to leave.
    case inApplication
    /// Devices heard from now on may be the unit itself.
    case closeNearbyScan
}
