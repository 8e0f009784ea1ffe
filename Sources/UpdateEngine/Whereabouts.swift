import BluetoothTypes
import UpdateCore

/// Where a unit may be heard while it is being updated. The lock on its identity: nothing else that answers
/// is taken for it.
struct Whereabouts: Equatable, Sendable {
    /// The bootloader's address.
    let bootloader: DeviceAddress
    /// The application's possible addresses.
    let application: Set<DeviceAddress>
    /// The characteristic that only the bootloader has.
    let entrance: Characteristic

    init(bootloader: DeviceAddress, of procedure: any UpdateProcedure) {
        self.bootloader = bootloader
        entrance = procedure.entrance
        application = Set(
            procedure.applicationAppearances.map {
                switch $0 {
                case .sameAddress: bootloader
                case .previousAddress: bootloader.neighbour(-1)
                }
            })
    }

    var all: Set<DeviceAddress> { application.union([bootloader]) }
}
