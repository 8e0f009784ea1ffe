import Bluetooth
import UpdateModel

/// Addresses that the unit may have while it is being updated. A device at another address is never taken for it.
struct CandidateAddresses: Equatable, Sendable {
    /// The address of the program that takes the update, bootloader or not; nothing is written to any other.
    private(set) var target: DeviceAddress
    /// Another possible address of that program, after a restart.
    var alternativeTarget: DeviceAddress?
    /// Possible addresses of the application.
    private(set) var applicationAddresses: Set<DeviceAddress>
    /// The application's address if it is known for certain; then an application there may be told to start its bootloader.
    private(set) var knownApplication: DeviceAddress?

    /// A unit selected by `address`, which may be its bootloader's or its application's. `others`, heard before, are
    /// not this unit.
    init(selected address: DeviceAddress, of procedure: any UpdateProcedure, others: Set<DeviceAddress>) {
        target = address
        applicationAddresses = Set(procedure.applicationAddresses.map { $0.address(from: address) })
            .subtracting(others)
    }

    /// A unit whose application was selected at `application`; its bootloader is at `bootloader`.
    init(application: DeviceAddress, bootloader: DeviceAddress) {
        target = bootloader
        applicationAddresses = [application]
        knownApplication = application
    }

    /// The addresses after a restart: a bootloader that had kept its application's address may move to the next one,
    /// unless that belongs to one of `others`. A bootloader that was selected itself may have kept that address, too.
    func afterRestart(others: Set<DeviceAddress>) -> CandidateAddresses {
        guard knownApplication ?? target == target, applicationAddresses.contains(target),
            !others.contains(target.neighbour(1))
        else { return self }
        var moved = self
        moved.alternativeTarget = target.neighbour(1)
        return moved
    }

    /// The addresses if the program that takes the update is at `address`; nil if it cannot be there.
    func receiver(at address: DeviceAddress) -> CandidateAddresses? {
        if address == target || address == knownApplication { return self }
        guard address == alternativeTarget else { return nil }
        if let knownApplication {
            return CandidateAddresses(application: knownApplication, bootloader: address)
        }
        var moved = self
        (moved.target, moved.alternativeTarget, moved.applicationAddresses) = (address, nil, [target])
        return moved
    }

    /// Removes the addresses of other units.
    mutating func remove(_ others: Set<DeviceAddress>) {
        applicationAddresses.subtract(others.subtracting(knownApplication.map { [$0] } ?? []))
    }

    var all: Set<DeviceAddress> {
        applicationAddresses.union([target]).union(alternativeTarget.map { [$0] } ?? [])
    }
}
