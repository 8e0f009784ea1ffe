public import BluetoothTypes
import Logging
import Radio
import UpdateCore

/// What an update carries from one link to the next.
struct Course: Sendable {
    var procedure: any UpdateProcedure
    /// How the application is sent to its bootloader; nil where it is not to be.
    var entry: (any BootloaderEntry)?
    var places: Whereabouts
    /// Who was heard beside the unit before anything was done to it.
    private(set) var others: Set<DeviceAddress>
    /// What the application called its firmware before anything was changed; nil when it did not say or was not
    /// asked.
    var revision: Revision?
    /// What the unit advertised of its firmware's version.
    var advertisedVersion: String?
    /// Which program takes the update, by what it showed first; nil before it has shown anything.
    var receiver: Receiver?
    /// What a program that may be a bootloader or an application called its firmware at first.
    var revisionOfEither: Revision?
    /// How often the application was told to go.
    var entries = 0
    /// Nothing was done yet; the unit was heard at the address by which it was selected.
    var isFirst = true
    /// The bootloader was heard a moment ago where it is supposed to be.
    var isJustHeard = true
    /// The bootloader was not heard, and may be there for its bonded peer alone: it is connected to all the same.
    var mayBeInaudible = false
    /// That is where it was found last, so there is nothing to be listened for.
    var isInaudible = false
    /// Why the device was restarted to begin again; nil once it has answered since.
    var repeating: UpdateFailure?
    /// Where the bootloader has answered; nil before it has.
    var proven: DeviceAddress?
    /// Whether a link to the unit has ever stood.
    var wasLinked = false
    /// What keeps other programs away from the unit, at every address that it has had or will have.
    var claims: [DeviceAddress: BeaconClaim] = [:]

    /// Keeps other programs away from `address` until the update is over.
    mutating func claim(_ address: DeviceAddress, with adapter: some Adapter) throws(AdapterError) {
        guard claims[address] == nil else { return }
        claims[address] = try adapter.claim(address)
    }

    /// Takes notice of who was heard meanwhile, and is not the unit.
    mutating func note(_ heard: Set<DeviceAddress>) {
        others.formUnion(heard)
        places = places.without(others)
    }

    /// Whether the application takes the update itself, and may be the old one when it is seen again. One that gave
    /// way has a bootloader, whatever that shows.
    var updatesInApplication: Bool { updatesInApplication(by: receiver) }

    /// The same of a unit that shows itself as `receiver`.
    func updatesInApplication(by receiver: Receiver?) -> Bool {
        procedure.entrance.isApplication || receiver == .application && entries == 0
    }

    /// Whether what shows itself as `found` after the update is an application by what it shows.
    func isApplication(_ found: Receiver) -> Bool {
        found == .application && (updatesInApplication || receiver != .application)
    }

    /// Whether the version of the program that takes the update is known, and cannot have changed since.
    var knowsVersion: Bool {
        if case .perhapsDone = procedure.linkEnded() { return false }
        return proven != nil
    }

    /// The program that takes the update has shown itself for the first time.
    mutating func note(_ receiver: Receiver, _ shown: Revision?) {
        self.receiver = receiver
        if updatesInApplication { revision = shown } else if receiver == .either { revisionOfEither = shown }
    }

    /// What was read before the update in the place of `revision`, which a program that is `found` shows.
    func revision(before found: Receiver?) -> Revision? {
        found == .either ? revisionOfEither : revision
    }

    /// Whether a program that is `found` shows another text than before.
    func isNews(_ shown: Revision?, from found: Receiver) -> Bool {
        guard let shown, let before = revision(before: found) else { return false }
        return shown.text != before.text
    }

    /// Whether the application at `address` is this unit's beyond doubt, and may be sent to its bootloader.
    func maySend(applicationAt address: DeviceAddress) -> Bool {
        if case .perhapsDone = procedure.linkEnded() { return false }
        // Between two parts the application may be back where its bootloader was, at the address that was selected.
        let isBetweenParts = (procedure.part?.number ?? 1) > 1
        return places.certain.map { $0 == address }
            ?? (address == places.bootloader && (proven == nil || isBetweenParts))
    }
}

extension Updater {
    /// The unit has to be heard at `address`.
    func course(
        of procedure: any UpdateProcedure, _ entry: (any BootloaderEntry)?, to address: DeviceAddress,
        _ neighbours: Neighbours
    ) async throws -> Course {
        let claim = try adapter.claim(address)
        let around = try await look(for: procedure, neighbours)
        if let refusal = around.refusal { throw refusal }
        if let application = neighbours.absent, around.others.contains(application) {
            throw UpdateFailure(
                .bootloaderAmbiguous, during: "looking for the device",
                message: "\(application) was selected and is heard after all, so \(address) is another device"
            )
        }
        let others = around.others.union(neighbours.heard.subtracting([address]))
        let places = Whereabouts(selected: address, of: procedure, others: others)
        guard around.selected == nil else {
            return Course(
                procedure: procedure, entry: entry, places: places, others: others,
                advertisedVersion: neighbours.version, claims: [address: claim])
        }
        let application = procedure.applicationAppearances.map { $0.address(from: address) }
            .first { others.contains($0) }
        if let application {
            throw UpdateFailure(
                .notInBootloader, during: "looking for the device",
                message: "\(address) was not heard for \(Int(policy.search.seconds)) s, but \(application), "
                    + "which is probably the same unit in its application")
        }
        throw UpdateFailure(
            .deviceNotFound, during: "looking for the device",
            message: "\(address) was not heard for \(Int(policy.search.seconds)) s")
    }

    /// Waits until the unit was heard, and as long as it has to be listened to before the first link.
    private func look(
        for procedure: any UpdateProcedure, _ neighbours: Neighbours
    ) async throws(AdapterError) -> Surroundings.State {
        let heard = try await surroundings.wait { $0.selected != nil }
        // An application that was selected and is silent has to be listened for.
        let isAssumed = neighbours.absent != nil
        // A bootloader always sends the same frame. What an application says of its battery may be in any of
        // several, and none of them is heard while a link stands.
        if heard.isBootloader, !isAssumed { return heard }
        let known = try await surroundings.wait { $0.hasShownFrames && !isAssumed || $0.refusal != nil }
        // It will be at the same address in every program.
        if procedure.applicationAppearances == [.sameAddress] { surroundings.close() }
        return known
    }

    /// Finds the unit again whose application at `address` was told to go.
    func follow(
        _ departure: Departure, from address: DeviceAddress, _ course: inout Course
    ) async throws {
        course.entries += 1
        trace.left()
        let found: DeviceAddress?
        do {
            found = try await bootloader(
                after: departure, of: address, others: course.others, known: course.proven)
            course.isInaudible = false
            course.isJustHeard = found != nil
        } catch let failure as UpdateFailure
            where failure.code == .bootloaderNotFound && departure.mayBeInaudible
        {
            // Only the unit itself can answer at its own address.
            found = address
            course.isInaudible = true
            course.mayBeInaudible = true
        }
        if let found { try course.claim(found, with: adapter) }
        log.info("the bootloader of \(address) \(found.map { "is at \($0)" } ?? "did not start")")
        course.places = Whereabouts(application: address, bootloader: found ?? address)
        if let found, found != address { trace.saw(.bootloader, at: found) }
    }

    /// The unit restarts, and its bootloader may come back elsewhere.
    func noteRestart(_ course: inout Course) {
        guard course.procedure.mayMove else { return }
        course.isInaudible = false
        course.places = course.places.afterRestart(others: course.others)
    }
}

/// What was heard of a unit's surroundings before its update begins.
public struct Neighbours: Equatable, Sendable {
    /// Who was heard, the unit included or not.
    public var heard: Set<DeviceAddress>
    /// Since when, by the adapter's time, the unit was looked for: what the adapter has heard from then on need not be
    /// heard again. Nil where it was not: earlier the unit itself may have been in another program.
    public var since: Duration?
    /// The address of the unit's application, where its bootloader was taken because that was silent.
    public var absent: DeviceAddress?
    /// What the unit's own frames call its firmware.
    public var version: String?

    /// Nobody was heard, or who is given.
    public init(
        heard: Set<DeviceAddress> = [], since: Duration? = nil, absent: DeviceAddress? = nil,
        version: String? = nil
    ) {
        self.heard = heard
        self.since = since
        self.absent = absent
        self.version = version
    }
}
