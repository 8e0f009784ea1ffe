import BluetoothTypes
import UpdateCore

/// Where a unit may be heard while it is being updated. The lock on its identity: nothing else that answers
/// is taken for it.
struct CandidateAddresses: Equatable, Sendable {
    /// The address of the program that takes the update, a bootloader or not; the only one that is written to.
    let target: DeviceAddress
    /// Where that may be besides, after a restart.
    let alternative: DeviceAddress?
    /// The application's possible addresses.
    let application: Set<DeviceAddress>
    /// The application's address where it is known for certain: there it may be sent to its bootloader.
    let certain: DeviceAddress?

    /// A unit that was selected by `address`, which may be its bootloader's or its application's. Who else
    /// was heard before is not it.
    init(selected address: DeviceAddress, of procedure: any UpdateProcedure, others: Set<DeviceAddress>) {
        target = address
        alternative = nil
        application = Set(procedure.applicationAddresses.map { $0.address(from: address) })
            .subtracting(others)
        certain = nil
    }

    /// A unit whose application was selected at `application`; its bootloader is at `bootloader`.
    init(application: DeviceAddress, bootloader: DeviceAddress) {
        target = bootloader
        alternative = nil
        self.application = [application]
        certain = application
    }

    /// The same after a restart: a bootloader that had kept its application's address may be at the next one, if
    /// nobody else is. One that was selected itself may have kept it.
    func afterRestart(others: Set<DeviceAddress>) -> CandidateAddresses {
        guard certain ?? target == target, application.contains(target),
            !others.contains(target.neighbour(1))
        else { return self }
        return CandidateAddresses(
            target: target, alternative: target.neighbour(1), application: application,
            certain: certain)
    }

    /// The same, with the program that takes the update at `address`; nil where it cannot be.
    func receiver(at address: DeviceAddress) -> CandidateAddresses? {
        if address == target || address == certain { return self }
        guard address == alternative else { return nil }
        if let certain { return CandidateAddresses(application: certain, bootloader: address) }
        return CandidateAddresses(target: address, alternative: nil, application: [target], certain: nil)
    }

    /// The same, without addresses at which other units were found.
    func without(_ others: Set<DeviceAddress>) -> CandidateAddresses {
        CandidateAddresses(
            target: target, alternative: alternative,
            application: application.subtracting(others.subtracting(certain.map { [$0] } ?? [])),
            certain: certain)
    }

    /// The same, where nobody else may be the program that takes the update.
    var withoutAlternative: CandidateAddresses {
        CandidateAddresses(target: target, alternative: nil, application: application, certain: certain)
    }

    private init(
        target: DeviceAddress, alternative: DeviceAddress?, application: Set<DeviceAddress>,
        certain: DeviceAddress?
    ) {
        self.target = target
        self.alternative = alternative
        self.application = application
        self.certain = certain
    }

    var all: Set<DeviceAddress> { application.union([target]).union(alternative.map { [$0] } ?? []) }
}
