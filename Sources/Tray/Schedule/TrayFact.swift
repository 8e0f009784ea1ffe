/// What has happened on a tray, for `TraySchedule`.
public enum TrayFact: Hashable, Sendable {
    /// Time has passed, at least up to `TraySchedule.nextMoment`.
    case timePassed
    /// An adapter has heard a unit, with this strength in dBm where it is known.
    case heard(UnitNumber, by: AdapterNumber, dBm: Int8?)
    /// The unit's update, or what shows it, is about to connect: it was heard, and all that had to be known before is known.
    case wantsLink(UnitNumber)
    /// The link that was permitted stands.
    case connected(UnitNumber)
    /// The link that was permitted did not come about. After `.noAnswer` the unit's update asks again when it wants
    /// to; after `.tooManyLinks` it still waits, and need not.
    case notConnected(UnitNumber, ConnectionRefusal)
    /// The unit has accepted more firmware.
    case progressed(UnitNumber)
    /// The unit has accepted everything that this link was for: silence is no stall any more.
    case sentAll(UnitNumber)
    /// The unit's link is gone; its update goes on.
    case disconnected(UnitNumber)
    /// The unit's turn is over.
    case finished(UnitNumber, UnitOutcome)
    /// The unit's adapter is gone: its turn begins anew, with whichever adapter hears it then.
    case left(UnitNumber)
    /// A unit whose turn has ended gets another one: it has to be heard again.
    case retried(UnitNumber)
    /// An adapter was unplugged or switched off, or is back.
    case adapter(AdapterNumber, isThere: Bool)
    /// A person wants the unit to show itself.
    case blinkRequested(UnitNumber)
    /// The unit shows itself no longer, or does not come to do so.
    case blinkEnded(UnitNumber)
    /// A person wants no further unit to start for now.
    case paused
    /// No further unit is to start, for a reason from outside.
    case held(HoldReason)
    /// This reason from outside is over. What else holds the tray stays.
    case passed(HoldReason)
    /// A person lets a tray that is held go on.
    case released
    /// No further unit is to start in this run. Those that have had a link go on.
    case stopped
}
