/// Decides which unit of a tray may connect next, with which adapter, and which units wait: a value.
///
/// `take` accepts an event and returns what to do. It awaits nothing and has no clock. It does not know how a unit is
/// updated, only that an update needs a link, has one, or has ended.
///
/// The first scarce resource is the connect queue: an adapter makes one link at a time, and a unit that has left for
/// its bootloader gets its link before others begin. The second is the number of links that a controller holds, which
/// is learnt. (docs/decisions/0042)
public struct TraySchedule: Sendable {
    let rules: ScheduleRules
    /// The moment of the last event, since the run began.
    var now = Duration.zero
    var units: [TrayUnit]
    var adapters: [TrayAdapter]
    /// Units whose update has not begun, in the order of the tray.
    var waiting: [UnitNumber]
    /// Units whose update has begun and not ended, in the order of their start.
    var active: [UnitNumber] = []
    /// Units that blink or are about to, with the state of their link: their update does not begin meanwhile.
    var shown: [UnitNumber: TrayUnit] = [:]
    /// Units that no adapter has heard.
    var unheard: Set<UnitNumber>
    /// Units that were heard but whose best adapter is not clear yet.
    var unsettled: Set<UnitNumber> = []
    var window = OutcomeWindow()
    /// The golden unit, which has to pass before others begin.
    public internal(set) var golden: UnitNumber?
    /// Whether the others may begin.
    var isProven: Bool
    var isStopped = false
    /// The minimum time to wait for units that no adapter has heard.
    var searchEnd: Duration
    /// Why no further unit starts; nil if units start.
    public var hold: HoldReason? { holds.first }
    /// All reasons, the oldest first: external ones may arrive while another is active.
    var holds: [HoldReason] = []
    private var steps: [TrayStep] = []

    /// A run of `count` units over `adapters`, each with its link slots. The run starts at moment zero.
    public init(
        units count: Int, over adapters: [AdapterNumber: LinkSlots], by rules: ScheduleRules = ScheduleRules()
    ) {
        self.rules = rules
        searchEnd = rules.search
        units = Array(repeating: TrayUnit(), count: max(0, count))
        waiting = units.indices.map { UnitNumber($0) }
        unheard = Set(waiting)
        self.adapters = adapters.sorted { $0.key < $1.key }.map { TrayAdapter($0.key, $0.value) }
        isProven = !rules.hasGolden
    }

    /// Whether every unit has ended and none blinks.
    public var isOver: Bool { waiting.isEmpty && active.isEmpty && shown.isEmpty }

    /// The units' outcomes in the tray's order; nil for those that have not ended.
    public var outcomes: [UnitOutcome?] {
        units.map { if case .ended(let outcome) = $0.phase { outcome } else { nil } }
    }

    /// Units without progress at the moment.
    public var stalled: [UnitNumber] { active.filter { self[$0].isStalled }.sorted() }

    /// Whether `adapter` can be used, as far as is known.
    public func isThere(_ adapter: AdapterNumber) -> Bool {
        index(of: adapter).map { adapters[$0].isThere } ?? false
    }

    /// Units that have a link over `adapter`, or are getting one.
    public func links(over adapter: AdapterNumber) -> [UnitNumber] {
        linking.filter { self[linking: $0].adapter == adapter && self[linking: $0].hasLink }.sorted()
    }

    /// The number of links over `adapter` that are up.
    public func standingLinks(over adapter: AdapterNumber) -> Int {
        linking.count { self[linking: $0].adapter == adapter && self[linking: $0].phase == .linked }
    }

    /// The link slots learnt for `adapter`, as the start value of another run; nil if it is not one of the tray's.
    public func slots(of adapter: AdapterNumber) -> LinkSlots? {
        index(of: adapter).map { adapters[$0].slots }
    }

    /// Returns the steps that follow from `fact`, at the moment `now` since the run began. Ignores an event that does
    /// not fit, for example one under way when the unit ended.
    public mutating func take(_ fact: TrayFact, at now: Duration) -> [TrayStep] {
        self.now = max(self.now, now)
        note(fact)
        watchTime()
        settle()
        beginUnits()
        connect()
        tune()
        listen()
        defer { steps = [] }
        return steps
    }

    mutating func tell(_ step: TrayStep) { steps.append(step) }

    subscript(_ unit: UnitNumber) -> TrayUnit {
        get { units[unit.value] }
        set { units[unit.value] = newValue }
    }

    func index(of adapter: AdapterNumber) -> Int? { adapters.firstIndex { $0.number == adapter } }
}
