public import Bluetooth

/// How to install a file on a device.
public struct UpdatePlan: Sendable {
    /// The service that a device for such files has while it takes them.
    public let service: BluetoothUUID
    /// How to send the application to its bootloader; nil if it takes updates itself.
    public let entry: (any BootloaderEntry)?
    /// The conversation that installs the file, including its checks and the expected result.
    public let procedure: any UpdateProcedure
    /// Findings about the way the file will be sent.
    public let advice: [Finding]

    /// A plan with these properties.
    public init(
        _ procedure: any UpdateProcedure, entry: (any BootloaderEntry)?, over service: BluetoothUUID,
        advice: [Finding] = []
    ) {
        self.procedure = procedure
        self.entry = entry
        self.service = service
        self.advice = advice
    }
}

/// Why there is no plan for a file.
public enum PlanRefusal: Error, Equatable, Sendable {
    /// An error in the file.
    case file(Finding)
    /// Files of this kind are only read, not sent; with the reason, if this file has one of its own.
    case notSent(because: String?)
    /// Invalid options.
    case options(UpdateFailure)
    /// The device takes updates of another kind.
    case device(AdvertisedUpdate)
}
