import TestSupport
import Tray
import UpdateModel

/// Beacons and controllers of the model of a tray, driven by a schedule, whose steps it checks.
struct SimulatedTray {
    struct Conditions {
        var units = 8
        var adapters = 1
        /// The number of links that a controller holds, and whether the schedule knows it.
        var room = 4
        var isRoomKnown = true
        var model = TrayModel()
        /// Seconds between two adverts: a connect takes until the next one and one more; nil if it takes the model's
        /// time, and every unit is heard from the beginning.
        var advert: Double?
        /// Seconds that an update listens before it requests its first link.
        var preparation = 0.0
        /// Probabilities in per cent.
        var deaf = 0
        var lost = 0
        var fails = 0
        var vanishes = 0
        /// That a person makes a unit blink in the first minute.
        var shows = 0
        var rules = ScheduleRules(hasGolden: false, hold: [])
    }

    enum Event {
        case advert(UnitNumber)
        case asks(UnitNumber)
        case connected(UnitNumber)
        case refused(UnitNumber, ConnectionRefusal)
        case jumped(UnitNumber)
        case sends(UnitNumber)
        case lost(UnitNumber)
        case ended(UnitNumber, UnitVerdict)
        case blinking(UnitNumber, BlinkEventRecord)
    }

    enum State { case idle, away, asking, connecting, linked, sending, ended }

    struct Unit {
        var state = State.idle
        var adapter = AdapterNumber(0)
        /// Open links, with the kilobytes still to be sent.
        var links = 0
        var left = 0.0
        var isVanished = false
        var isHeard = false
        var isLeftAlone = false
        var blinking = State.idle
        var shownOver = AdapterNumber(0)
    }

    let conditions: Conditions
    var schedule: TraySchedule
    var random: Seed
    var units: [Unit]
    /// The units whose update has begun and not ended.
    var busy: [Int] = []
    /// Microseconds since the beginning.
    var now = 0
    private(set) var events: [(moment: Int, event: Event)] = []
    var listening: Set<AdapterNumber> = []
    var isHeld = false
    /// Violations, and missing events.
    var flaws: [String] = []
    var mostLinks = 0

    init(_ conditions: Conditions, seed: UInt64 = Seed.ofThisRun) {
        self.conditions = conditions
        let slots = conditions.isRoomKnown ? LinkSlots(permitted: conditions.room) : LinkSlots()
        schedule = TraySchedule(
            units: conditions.units,
            over: Dictionary(
                uniqueKeysWithValues: (0..<conditions.adapters).map { (AdapterNumber($0), slots) }),
            by: conditions.rules)
        random = Seed(seed)
        units = Array(repeating: Unit(), count: conditions.units)
        for index in units.indices {
            units[index].left = conditions.model.size
            units[index].isVanished = chance(conditions.vanishes)
        }
    }

    /// Seconds until every unit has ended.
    mutating func run() -> Double {
        tell(.timePassed)
        begin()
        while !schedule.isOver, flaws.isEmpty {
            let timer = schedule.nextMoment.map(Self.microseconds)
            guard let next = [events.last?.moment, nextSent?.moment, timer].compactMap(\.self).min() else {
                flaws.append(
                    "nothing ever happens again: \(units.indices.filter { units[$0].state != .ended })")
                break
            }
            advance(to: next)
            if let event = events.last, event.moment <= now {
                events.removeLast()
                occur(event.event)
            } else if let sent = nextSent, sent.moment <= now {
                complete(sent.unit)
            } else {
                tell(.timePassed)
            }
        }
        if flaws.isEmpty, units.contains(where: { $0.state != .ended }) {
            flaws.append("a unit was forgotten")
        }
        return Double(now) / 1e6
    }

    private mutating func begin() {
        for index in units.indices {
            let unit = UnitNumber(index)
            if chance(conditions.shows) {
                after(.random(in: 0..<60, using: &random), .blinking(unit, .wanted))
            }
            guard let advert = conditions.advert else {
                for adapter in 0..<conditions.adapters {
                    tell(.heard(unit, by: AdapterNumber(adapter), dBm: -60))
                }
                continue
            }
            after(.random(in: 0..<advert, using: &random), .advert(unit))
        }
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    /// Schedules `event` in `seconds` from now, after the events already due at that moment.
    mutating func after(_ seconds: Double, _ event: Event) {
        let moment = now + Int((seconds * 1e6).rounded())
        let place = events.firstIndex { $0.moment <= moment } ?? events.endIndex
        events.insert((moment, event), at: place)
    }

    mutating func tell(_ fact: TrayFact) {
        for step in schedule.apply(fact, at: .microseconds(now)) { carryOut(step) }
    }

    // MARK: the air

    func senders(over adapter: AdapterNumber) -> Int {
        busy.count { units[$0].state == .sending && units[$0].adapter == adapter }
    }

    /// Kilobytes per second for each sender on an adapter.
    private var rates: [Double] {
        (0..<conditions.adapters).map {
            let count = senders(over: AdapterNumber($0))
            return min(conditions.model.flash, conditions.model.air / Double(max(1, count)))
        }
    }

    private var nextSent: (unit: UnitNumber, moment: Int)? {
        let rates = rates
        return busy.lazy.filter { units[$0].state == .sending }
            .map { index in
                let seconds = max(0, units[index].left) / rates[units[index].adapter.value]
                return (unit: UnitNumber(index), moment: now + Int((seconds * 1e6).rounded(.up)))
            }
            .min { $0.moment < $1.moment }
    }

    private mutating func advance(to next: Int) {
        let (rates, seconds) = (rates, Double(next - now) / 1e6)
        for index in busy where units[index].state == .sending {
            units[index].left -= rates[units[index].adapter.value] * seconds
        }
        now = max(now, next)
    }

    static func microseconds(_ duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        return Int(seconds) * 1_000_000 + Int((attoseconds + 999_999_999_999) / 1_000_000_000_000)
    }
}
