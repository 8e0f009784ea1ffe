import Bluetooth
import CommandKit
import Firmware
import Tray
import UpdateEngine
import UpdateModel

/// Finds the one beacon that a selector matches.
struct DeviceSearch: Sendable {
    let selector: DeviceSelector
    let limit: Duration
    var status: SearchStatus?
    /// Whether to decide on the first frames, without waiting for those with version and battery.
    var decidesOnFirstFrames = false
    /// Whether to wait until the beacon accepts connections, and return at once then.
    var isWaiting = false
    /// Whether the operation is also possible in the unit's bootloader.
    var takesBootloaders = true
    /// Whether the search is for an update. A beacon that only its maker can update is then not waited for,
    /// nor asked for its identity.
    var isForUpdate = false
    /// The bootloader that the user has chosen; nil for the one by the address rule.
    var chosenBootloader: BootloaderSelector?

    func find(with adapter: some Adapter) async throws -> BeaconSighting {
        try await findUnit(with: adapter, inItsBootloader: false).beacon
    }

    /// Finds the unit in its application or its bootloader, so that the same command resumes an interrupted
    /// update although the application's address is silent. The address rule gives the bootloader's address.
    func findUnit(with adapter: some Adapter, inItsBootloader: Bool = true) async throws -> Result {
        // A beacon that is in use does not advertise, so there is no point in a search.
        for address in selector.addresses { _ = try adapter.claim(address) }
        let since = adapter.time.now
        let deafBefore = adapter.deafTime
        let (heard, asked) = try await listen(with: adapter)
        let deafness = adapter.deafTime - deafBefore
        let matching = selected(among: heard, asked)
        guard matching.count <= 1 else { throw ambiguous(matching) }
        let addresses = Set(heard.byStrength.map(\.address))
        guard let first = matching.first, isReady(first) else {
            if inItsBootloader, let bootloader = bootloader(among: heard.byStrength),
                let silentApplication = application(of: bootloader)
            {
                return Result(
                    beacon: bootloader, silentApplication: silentApplication,
                    isChosen: chosenBootloader != nil,
                    deafness: deafness, heard: addresses, since: since)
            }
            for address in selector.addresses where await adapter.isHeldElsewhere(address) {
                throw AdapterError.held(address)
            }
            throw notFound(heard.byStrength, deafness, with: adapter)
        }
        return Result(
            beacon: first, deafness: deafness, heard: addresses, since: since,
            trigger: selector.trigger(of: first))
    }

    /// The selected beacons, the strongest first: those that match, or were `asked` and identified; else those that
    /// advertise another identity because of a trigger.
    private func selected(among heard: BeaconSightings, _ asked: DeviceAddress?) -> [BeaconSighting] {
        let matching = heard.byStrength.filter { $0.address == asked || selector.matches($0) }
        return matching.isEmpty ? heard.byStrength.filter { selector.trigger(of: $0) != nil } : matching
    }

    /// Whether `beacon` is selected, and accepts connections if that is waited for.
    func isFound(_ beacon: BeaconSighting) -> Bool {
        (selector.matches(beacon) || selector.trigger(of: beacon) != nil) && isReady(beacon)
    }

    /// Whether the search need not wait any longer for `beacon`, which is selected.
    private func isReady(_ beacon: BeaconSighting) -> Bool {
        !isWaiting || beacon.isConnectable == true || cannotBeUpdated(beacon)
    }

    /// Whether the search is for an update, and only its maker can update `beacon`.
    func cannotBeUpdated(_ beacon: BeaconSighting) -> Bool { isForUpdate && beacon.vendorWay != nil }

    /// Returns what was heard, and the address of a beacon that was identified over a connection; nil if none was.
    private func listen(with adapter: some Adapter) async throws -> (BeaconSightings, DeviceAddress?) {
        var heard: BeaconSightings
        var asked: DeviceAddress?
        if isWaiting, selector.canBeAsked {
            (heard, asked) = try await listenAndAsk(with: adapter)
        } else {
            heard = try await adapter.listen(for: limit, isSearch: true, showing: status) {
                isWaiting ? isFound($0) : selector.names($0.address)
            }
        }
        if let time = secondListeningTime, heard.all.contains(where: { isFound($0) }) {
            heard = try await adapter.listen(for: time, after: heard, restarting: false) { _ in false }
        }
        return (try await listenForMissingFrames(heard, asked, with: adapter), asked)
    }

    /// Listens on until the selected beacon, if it is only one, has advertised what an update depends on.
    private func listenForMissingFrames(
        _ heard: BeaconSightings, _ asked: DeviceAddress?, with adapter: some Adapter
    ) async throws -> BeaconSightings {
        var heard = heard
        func only() -> BeaconSighting? {
            let found = selected(among: heard, asked)
            return found.count == 1 ? found.first : nil
        }
        // Also if `decidesOnFirstFrames`: the maker has to be known before a connection, after which some of Kontakt.io's beacons
        // refuse all others for 20 minutes (`LockRisk`). Some beacons advertise their maker only once their button is
        // pressed.
        if let beacon = only(), !(isWaiting && isFound(beacon) ? beacon.isKnown : beacon.isHeardOut) {
            heard = try await adapter.listen(
                for: Self.makerWait, after: heard, showing: continuedStatus(of: beacon)
            ) { $0.address == beacon.address && (isWaiting ? $0.isKnown : $0.isHeardOut) }
        }
        guard !decidesOnFirstFrames, let beacon = only(), beacon.isKnown, !beacon.isDecidable else {
            return heard
        }
        return try await adapter.listen(
            for: isWaiting ? .seconds(1) : Self.allFramesWait, after: heard,
            showing: continuedStatus(of: beacon)
        ) { $0.address == beacon.address && $0.isDecidable }
    }

    private func continuedStatus(of beacon: BeaconSighting) -> SearchStatus? {
        var status = status
        status?.goal = "more frames of \(beacon.address)"
        return status
    }

    /// The maker may be in the scan response only, which is sometimes lost: 2 s until the next, and 1 s as a margin.
    static let makerWait = Duration.seconds(3)

    /// Four kinds of frames of 2 s each take 8 s (beacon-frames.md, One identity of many frames); 2 s are a margin.
    private static let allFramesWait = Duration.seconds(10)

    /// How long to listen for another matching beacon; nil if there can be none, or the scan took all its time.
    private var secondListeningTime: Duration? {
        // Another beacon may have the same address with the other type. Most beacons advertise more often than this.
        if !selector.addresses.isEmpty { return selector.isUnique ? nil : .milliseconds(200) }
        return isWaiting ? .seconds(1) : nil
    }

    /// The heard beacon whose address is `step` above one of the selected addresses, below if negative. By the address
    /// rule, 1 leads from an application to its bootloader, and -1 back.
    func neighbour(_ step: Int8, among heard: [BeaconSighting], isBootloader: Bool) -> BeaconSighting? {
        let places = selector.addresses.map { $0.neighbour(step) }
        return heard.first { places.contains($0.address) && $0.isBootloader == isBootloader }
    }

    /// The unit's bootloader: the only one that matches the user's choice, nil if several do; without a choice, the one
    /// by the address rule.
    func bootloader(among heard: [BeaconSighting]) -> BeaconSighting? {
        guard let chosenBootloader else { return neighbour(1, among: heard, isBootloader: true) }
        let chosen = heard.filter {
            $0.isBootloader && chosenBootloader.matches($0.address, named: $0.data.name)
        }
        return chosen.count == 1 ? chosen.first : nil
    }

    /// The address of the silent application whose bootloader is `bootloader`; nil if that may be another unit's.
    private func application(of bootloader: BeaconSighting) -> DeviceAddress? {
        guard chosenBootloader != nil else {
            return bootloader.mayBeAboveItsApplication ? bootloader.address.neighbour(-1) : nil
        }
        return selector.likelyAddress
    }

    struct Result: Sendable {
        let beacon: BeaconSighting
        /// The address of the selected application, if it was not heard and `beacon` is its bootloader.
        var silentApplication: DeviceAddress?
        /// Whether the user has chosen the bootloader.
        var isChosen = false
        /// How long another program's scan hid beacons.
        var deafness = Duration.zero
        var heard: Set<DeviceAddress> = []
        /// When the search began, on the adapter's clock.
        let since: Duration
        /// The trigger that makes an iBeacon advertise an identity other than the selected one.
        var trigger: IBeaconTrigger?

        /// The address of the unit while it runs its application.
        var application: DeviceAddress { silentApplication ?? beacon.address }

        var nearbyScan: EarlierScan {
            EarlierScan(
                heard: heard, since: since, silentApplication: silentApplication,
                version: beacon.identity.version)
        }

        var warnings: [(code: FailureCode, words: String)] {
            let address = beacon.address
            func unheard(_ part: AdvertisedPart) -> String? {
                beacon.identity.missing.contains(part)
                    ? "\(address) did not advertise its \(part.rawValue), which beacons of its kind do" : nil
            }
            let hidden = Quantities.seconds(deafness.seconds)
            let deaf =
                "another program's scan hid beacons for \(hidden); that time did not count as search time"
            let triggered = trigger.map {
                "\(address) currently advertises a UUID other than the selected one, because of \($0.words)"
            }
            let role = isChosen ? "was chosen as its bootloader" : "is the address of its bootloader"
            let assumed = silentApplication.map { "\($0) is silent; \(address) \(role), and is a bootloader" }
            let all: [(FailureCode, String?)] = [
                (.command.adapterDeaf, deafness < .seconds(1) ? nil : deaf),
                (.command.batteryUnknown, unheard(.battery)), (.command.versionUnknown, unheard(.version)),
                (.command.iBeaconTrigger, triggered), (.device.bootloaderAssumed, assumed),
            ]
            return all.compactMap { code, words in words.map { (code, $0) } }
        }
    }
}
