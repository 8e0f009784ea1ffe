import Bluetooth
import Bytes
import UpdateModel

/// Finds the bootloader that a unit's application has just started, among all devices heard. It does no I/O.
///
/// It waits for the predicted device and accepts no other. If two match, the name that the bootloader was given
/// decides, or neither is accepted. On request, if neither name nor address matches a device, the only bootloader that
/// is new since the application left is taken (nordic-buttonless.md, Conversation). If the user has chosen the
/// bootloader, only that one is taken. Times count from the moment when the application left.
struct BootloaderLock: Sendable {
    enum Verdict: Equatable, Sendable {
        /// This is the unit. At the application's own address only a connection shows which program runs.
        case found(DeviceAddress)
        /// This is probably the unit, but nothing proves it; `because` is the reason.
        case assumed(DeviceAddress, because: String)
        /// The application still runs.
        case stayed
        case ambiguous(String)
        /// No device matches. These with the update service are new since the application left: one may be the unit.
        case missing([Arrival])
    }

    /// A device that is new since the application left, at an unexpected address.
    struct Arrival: Equatable, Sendable, CustomStringConvertible {
        let address: DeviceAddress
        let name: String?

        var description: String { name.map { "\(address) (\($0))" } ?? "\(address)" }
    }

    /// How long to wait, after the first match, for a second one or for an application that has stayed.
    static let secondMatchTimeout = Duration.seconds(1)
    /// How long to wait instead if the first match has the name that it was given: no other device has it by chance,
    /// and it shows that the application has left. Bootloaders advertise every 25 to 100 ms.
    static let secondNameTimeout = Duration.milliseconds(300)
    /// How long to wait for the given name: a bootloader older than its application does not support names.
    static let nameTimeout = Duration.seconds(5)
    /// An application heard this long after it was told to leave has stayed, or its bootloader has kept its address.
    static let leaveTimeout = Duration.seconds(3)

    /// How long to wait for a match by name or address before a new device is taken.
    static let newcomerTimeout = Duration.seconds(10)
    /// The lowest signal level in dBm of a new device that is taken: that of a device on the same bench.
    static let newcomerLevel: Int8 = -70

    private struct AddressRecord: Sendable {
        var first: Duration
        var last: Duration
        var names: [String: Duration] = [:]
    }

    private let application: DeviceAddress
    private let name: String?
    private let predicted: Set<DeviceAddress>
    private let mayKeepAddress: Bool
    private let others: Set<DeviceAddress>
    private let areOthersKnown: Bool
    /// The service of a new device that may be taken for the bootloader; nil if none may be.
    private let newcomerService: BluetoothUUID?
    private let pattern: Glob?
    /// New devices whose name matches the user's pattern, and whether they were heard with the update service.
    private var chosen: [DeviceAddress: (first: Duration, isBootloader: Bool)] = [:]
    private let isChosen: Bool
    private let updateService: BluetoothUUID?
    private var arrivals: [DeviceAddress: Arrival] = [:]
    private var records: [DeviceAddress: AddressRecord] = [:]
    /// Bootloaders not heard before, and when they were first heard.
    private var newcomers: [DeviceAddress: Duration] = [:]

    /// A lock for the bootloader of `application`. `others` were heard while it still ran; with `areAllKnown` these
    /// are all devices nearby. If the bootloader's address is `known` from an earlier entry, it has no other. The only
    /// new device that advertises `service` is taken; none if `service` is nil. Other new devices with
    /// `updateService` are recorded. `selector` is the user's choice, instead of what the handoff predicts.
    init(
        on application: DeviceAddress, _ handoff: BootloaderHandoff, others: Set<DeviceAddress>,
        areAllKnown: Bool, known: DeviceAddress? = nil, takingNewcomerWith service: BluetoothUUID? = nil,
        noting updateService: BluetoothUUID? = nil, choosing selector: BootloaderSelector? = nil
    ) {
        (self.updateService, self.application) = (updateService, application)
        newcomerService = known == nil && selector == nil ? service : nil
        isChosen = selector != nil
        pattern = if known == nil, case .name(let pattern)? = selector { pattern } else { nil }
        name = selector == nil ? handoff.name : nil
        let addresses =
            known.map { [$0] } ?? selector.map { Set($0.addresses) }
            ?? Set(handoff.expectedAddresses.map { $0.address(from: application) })
        mayKeepAddress = addresses.contains(application)
        predicted = addresses.subtracting([application])
        self.others = others
        areOthersKnown = areAllKnown
    }

    mutating func hear(_ report: Advertisement, at moment: Duration) {
        let isNew = report.address != application && !others.contains(report.address)
        if let updateService, isNew, report.data.services.contains(updateService) {
            arrivals[report.address] = Arrival(
                address: report.address, name: report.data.name ?? arrivals[report.address]?.name)
        }
        if let newcomerService, isNew, report.data.services.contains(newcomerService),
            newcomers[report.address] == nil,
            report.rssi.map({ $0 >= Self.newcomerLevel }) ?? false
        {
            newcomers[report.address] = moment
        }
        matchPattern(report, isNew: isNew, at: moment)
        let isOurName = name != nil && report.data.name == name
        guard isOurName || report.address == application || predicted.contains(report.address) else { return }
        var record = records[report.address] ?? AddressRecord(first: moment, last: moment)
        record.last = moment
        if let text = report.data.name, record.names[text] == nil { record.names[text] = moment }
        records[report.address] = record
    }

    /// Records a device whose name matches the user's pattern. Name and update service may be in different reports, and
    /// a bootloader may have kept its application's address.
    private mutating func matchPattern(_ report: Advertisement, isNew: Bool, at moment: Duration) {
        guard let pattern, isNew || report.address == application else { return }
        let isNamed = report.data.name.map(pattern.matches) ?? false
        guard isNamed || chosen[report.address] != nil else { return }
        var beacon = chosen[report.address] ?? (moment, false)
        beacon.isBootloader =
            beacon.isBootloader || arrivals[report.address] != nil
            || updateService.map(report.data.services.contains) ?? true
        chosen[report.address] = beacon
    }

    /// The verdict by the user's pattern: the only new bootloader whose name matches it.
    private func verdictByChoice(at now: Duration) -> Verdict? {
        let found = chosen.filter { $0.value.isBootloader }
        guard found.count < 2 else {
            let name = pattern?.pattern ?? ""
            return .ambiguous("\(Self.names(of: found.keys)) have appeared with a name like \(name)")
        }
        guard let (address, beacon) = found.first, now >= beacon.first + Self.secondMatchTimeout else {
            return nil
        }
        return .found(address)
    }

    /// The verdict from all reports up to `now`; nil if undecided.
    func verdict(at now: Duration) -> Verdict? {
        if pattern != nil, let verdict = verdictByChoice(at: now) { return verdict }
        if let verdict = verdictByName(at: now) { return verdict }
        guard !isNamed, name == nil || now >= Self.nameTimeout else { return nil }
        return verdictByAddress(at: now) ?? verdictByElimination(at: now)
    }

    /// The verdict if the search ends undecided; nil if no new device has appeared.
    var ending: Verdict? {
        guard !arrivals.isEmpty else { return nil }
        return .missing(arrivals.values.sorted { $0.address.description < $1.address.description })
    }

    /// Whether a device has the name that the bootloader was given.
    private var isNamed: Bool {
        name.map { name in records.values.contains { $0.names[name] != nil } } ?? false
    }

    /// When the verdict may change without another report; nil if it cannot.
    func nextDecision(after now: Duration) -> Duration? {
        let moments =
            [Self.nameTimeout, Self.leaveTimeout] + (newcomerService == nil ? [] : [Self.newcomerTimeout])
            + newcomers.values.map { $0 + Self.secondMatchTimeout }
            + chosen.values.map { $0.first + Self.secondMatchTimeout }
            + records.values.map { $0.first + Self.secondMatchTimeout }
            + records.values.flatMap { $0.names.values.map { $0 + Self.secondNameTimeout } }
        return moments.filter { $0 > now }.min()
    }

    private func verdictByName(at now: Duration) -> Verdict? {
        guard let name else { return nil }
        let named = records.filter { $0.value.names[name] != nil }
        guard named.count < 2 else {
            return .ambiguous("\(Self.names(of: named.keys)) all have the name \(name)")
        }
        guard let (address, record) = named.first, let heard = record.names[name] else { return nil }
        if let ambiguity = ambiguity(of: address) { return ambiguity }
        if address != application, let other = record.names.keys.first(where: { $0 != name }) {
            return .ambiguous("\(address) is heard as \(name) and as \(other)")
        }
        return now >= heard + Self.secondNameTimeout ? .found(address) : nil
    }

    private func verdictByAddress(at now: Duration) -> Verdict? {
        let heard = records.filter { predicted.contains($0.key) }
        let stillHeard = records[application]
        for (address, record) in heard {
            if let ambiguity = ambiguity(of: address) { return ambiguity }
            // A unit runs one program at a time: an application heard after the candidate is still there.
            if let stillHeard, stillHeard.last > record.first { return .stayed }
        }
        if heard.count == 1, let (address, record) = heard.first {
            guard now >= record.first + Self.secondMatchTimeout else { return nil }
            return areOthersKnown || isChosen
                ? .found(address)
                : .assumed(
                    address,
                    because: "it is at the expected address, and "
                        + (name == nil
                            ? "other beacons may have been there" : "lacks the name that it was given"))
        }
        guard let stillHeard, stillHeard.last >= Self.leaveTimeout else { return nil }
        return mayKeepAddress ? .found(application) : .stayed
    }

    /// The verdict if no device is where the unit's bootloader was expected: the only new bootloader.
    private func verdictByElimination(at now: Duration) -> Verdict? {
        guard areOthersKnown, now >= Self.newcomerTimeout, !records.keys.contains(where: predicted.contains)
        else { return nil }
        guard newcomers.count < 2 else {
            let names = Self.names(of: newcomers.keys)
            return .ambiguous("\(names) have all appeared since \(application) left its application")
        }
        guard let (address, first) = newcomers.first, now >= first + Self.secondMatchTimeout else {
            return nil
        }
        return .assumed(address, because: "it is the only new bootloader since then")
    }

    private static func names(of addresses: some Sequence<DeviceAddress>) -> String {
        addresses.map(\.description).sorted().joined(separator: " and ")
    }

    /// The verdict if a device was heard at `address` before the unit could be there: it may not be the unit.
    private func ambiguity(of address: DeviceAddress) -> Verdict? {
        guard address != application, others.contains(address) else { return nil }
        return .ambiguous("\(address) was heard before \(application) left its application")
    }
}
