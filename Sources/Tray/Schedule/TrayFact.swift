/// An event on a tray, for `TraySchedule`.
package enum TrayFact: Hashable, Sendable {
    /// Time has passed, at least up to `TraySchedule.nextMoment`.
    case timePassed
    /// An adapter has heard a unit, with this strength in dBm if known.
    case heard(UnitNumber, by: AdapterNumber, dBm: Int8?)
    /// The unit's update, or its blink, is ready to connect: the unit was heard, and all needed facts are known.
    case wantsLink(UnitNumber)
    case connected(UnitNumber)
    /// The permitted link was not made. After `.noAnswer`, the update has to ask again; after `.tooManyLinks`, its request
    /// is still valid.
    case notConnected(UnitNumber, ConnectionRefusal)
    /// The unit has accepted more data.
    case progressed(UnitNumber)
    /// The unit has accepted all data that was to be sent over this link: silence no longer counts as a stall.
    case sentAll(UnitNumber)
    /// The unit's link is gone; its update continues.
    case disconnected(UnitNumber)
    case finished(UnitNumber, UnitVerdict)
    /// The unit's adapter is gone: the unit starts again with any adapter that hears it.
    case adapterLost(UnitNumber)
    /// A unit that has ended is to be tried again. It has to be heard again first.
    case retried(UnitNumber)
    /// An adapter was unplugged or switched off, or is back.
    case adapter(AdapterNumber, isThere: Bool)
    case blinkRequested(UnitNumber)
    /// The unit no longer blinks, or could not be made to.
    case blinkEnded(UnitNumber)
    /// The operator pauses the run: no further unit is to start for now.
    case paused
    /// No further unit is to start, for an external reason.
    case held(HoldReason)
    /// This external reason has passed. Other reasons remain.
    case holdPassed(HoldReason)
    case released
    /// The operator stops the run: no further unit is to start. Units that have had a link continue.
    case stopped
}

/// A unit of a tray, by its place in the tray's order, counted from 0.
package typealias UnitNumber = SerialNumber<UnitRecord>

/// An adapter of a tray, by its number: 0 is `hci0`.
package typealias AdapterNumber = SerialNumber<RunAdapter>

/// The number of a `Subject`, as a type that cannot be mistaken for the number of something else.
package struct SerialNumber<Subject>: Hashable, Comparable, Sendable {
    package let value: Int

    package init(_ value: Int) { self.value = value }

    package static func < (one: Self, other: Self) -> Bool { one.value < other.value }
}

/// The next step on a tray, for the driver of `TraySchedule`.
package enum TrayStep: Hashable, Sendable {
    /// Start the unit's update over this adapter. The update may listen; before each link it has to ask
    /// (`TrayFact.wantsLink`).
    case begin(UnitNumber, on: AdapterNumber)
    case connect(ConnectionPlan)
    /// The unit gets no link: its adapter is gone.
    case refuse(UnitNumber)
    /// Make the unit blink over this adapter: ask (`TrayFact.wantsLink`) before its link, and report
    /// `TrayFact.blinkEnded`.
    case blink(UnitNumber, on: AdapterNumber)
    case endBlink(UnitNumber)
    /// Report why the unit does not blink.
    case refuseBlink(UnitNumber, BlinkRefusal)
    /// Set another interval on all links of the adapter, if the adapter can.
    case retune(AdapterNumber, interval: Duration)
    /// Listen for units that were not heard yet.
    case listen(AdapterNumber)
    /// Stop listening, to leave the air to the links.
    case stopListening(AdapterNumber)
    /// Show that the unit has made no progress for a while. Its update continues, with time limits of its own.
    case stalled(UnitNumber)
    /// Show that no further unit starts until the tray is released, and why.
    case hold(HoldReason)
    /// End the unit's update at a safe point, if it has begun, and report `TrayFact.finished`.
    case giveUp(UnitNumber, GiveUpReason)
}

package enum BlinkRefusal: Hashable, Sendable {
    /// The unit's update has begun and not ended.
    case atWork
    /// The unit already blinks, or is about to.
    case alreadyBlinking
    case notHeard
    case stopped
}

/// Why a unit ends before its update has finished.
package enum GiveUpReason: Hashable, Sendable {
    case unitTime
    case trayTime
    /// No adapter has heard the unit, and no other work is left.
    case notHeard
    case noAdapter
    /// The run was stopped before the unit had its first link.
    case stopped
}
