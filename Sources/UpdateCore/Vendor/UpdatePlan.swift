public import BluetoothTypes
public import FirmwareModel

/// How a file gets into a device.
public struct UpdatePlan: Sendable {
    /// The service that a device for such files has while it takes them.
    public let service: BluetoothUUID
    /// How the application is sent to its bootloader; nil where it takes updates itself.
    public let entry: (any BootloaderEntry)?
    /// The conversation that installs it, with its own checks and what proves in the end that it runs.
    public let procedure: any UpdateProcedure
    /// What is to be known of how the file will be sent.
    public let advice: [Finding]

    /// A plan as described.
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
    /// Something in the file.
    case file(Finding)
    /// Files of this kind are read, and not sent; why, where there is a reason of this file's own.
    case notSent(because: String?)
    /// What was asked for.
    case options(UpdateFailure)
    /// The device takes updates of another kind.
    case device(AdvertisedUpdate)
}
