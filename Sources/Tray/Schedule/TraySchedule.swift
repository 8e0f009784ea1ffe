/// Who of a tray may connect next, with which adapter, and who waits: a value.
///
/// `take` accepts what has happened and gives what is to be done. It awaits nothing and has no clock. How a unit is
/// updated is not its business: it knows that an update wants a link, has one, or has ended.
///
/// What is scarce is the connector first: an adapter makes one link at a time, and a unit that has left for its bootloader
/// gets its link before others begin. Then the links that a controller holds, which are learnt. (docs/decisions/0042)
public struct TraySchedule: Sendable {
    let rules: ScheduleRules
    /// The moment of the last fact, since the run began.
    var now = Duration.zero
    var units: [TrayUnit]
    var adapters: [TrayAdapter]
    /// Whose update has not begun, in the order of the tray.
    var waiting: [UnitNumber]
    /// Whose update has begun and not ended, in the order of their beginning.
    var active: [UnitNumber] = []
    /// Who shows a person where it is, or is about to, with what its link is like: its update does not begin meanwhile.
    var shown: [UnitNumber: TrayUnit] = [:]
    /// Whom no adapter has heard.
    var unheard: Set<UnitNumber>
    /// Who was heard, where it is not clear yet by which adapter best.
    var unsettled: Set<UnitNumber> = []
    var window = OutcomeWindow()
    /// The unit that has to pass before others begin.
    public internal(set) var golden: UnitNumber?
    /// Whether the others may begin.
    var isProven: Bool
    var isStopped = false
    /// Until when units are waited for at least that no adapter has heard.
    var searchEnd: Duration
    /// Why no further unit starts; nil where they do.
    public var hold: HoldReason? { holds.first }
    /// All of them, the first first: several from outside may come while another stands.
    var holds: [HoldReason] = []
    private var steps: [TrayStep] = []

    /// A run of `count` units over `adapters`, each with its link slots. The run begins at the moment zero.
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

    /// Whether every unit has ended, and none is shown.
    public var isOver: Bool { waiting.isEmpty && active.isEmpty && shown.isEmpty }

    /// What the units have come to, in the tray's order; nil for those that have not ended.
    public var outcomes: [UnitOutcome?] {
        units.map { if case .ended(let outcome) = $0.phase { outcome } else { nil } }
    }

    /// Who makes no progress just now.
    public var stalled: [UnitNumber] { active.filter { self[$0].isStalled }.sorted() }

    /// Whether `adapter` can be used, as far as is known.
    public func isThere(_ adapter: AdapterNumber) -> Bool {
        index(of: adapter).map { adapters[$0].isThere } ?? false
    }

    /// Who has a link over `adapter`, or is getting one.
    public func links(over adapter: AdapterNumber) -> [UnitNumber] {
        linking.filter { self[linking: $0].adapter == adapter && self[linking: $0].hasLink }.sorted()
    }

    /// To how many units a link over `adapter` stands.
    public func standingLinks(over adapter: AdapterNumber) -> Int {
        linking.count { self[linking: $0].adapter == adapter && self[linking: $0].phase == .linked }
    }

    /// What was learnt of `adapter`, to begin with in another run; nil where it is not one of the tray's.
    public func slots(of adapter: AdapterNumber) -> LinkSlots? {
        index(of: adapter).map { adapters[$0].slots }
    }

    /// What follows from `fact`, at the moment `now` since the run began. A fact that does not fit is ignored: one that was
    /// under way when the unit ended, say.
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
