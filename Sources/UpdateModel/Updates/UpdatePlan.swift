public import Bluetooth

public struct UpdateOptions: Sendable {
    /// The version text that the new application has to report; nil to use the file's version.
    public var versionText: String?
    public var risks: Set<Risk>
    private var own: [ObjectIdentifier: any VendorOptions] = [:]

    public init(versionText: String? = nil, risks: Set<Risk> = []) {
        (self.versionText, self.risks) = (versionText, risks)
    }

    public subscript<Options: VendorOptions>(type: Options.Type) -> Options {
        get { own[ObjectIdentifier(type)] as? Options ?? Options() }
        set { own[ObjectIdentifier(type)] = newValue }
    }
}

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

    public init(
        _ procedure: any UpdateProcedure, entry: (any BootloaderEntry)?, over service: BluetoothUUID,
        advice: [Finding] = []
    ) {
        (self.procedure, self.entry, self.service, self.advice) = (procedure, entry, service, advice)
    }
}

public enum PlanRefusal: Error, Equatable, Sendable {
    case file(Finding)
    /// The file is only read, not sent; nil if the reason is that of all files of this kind.
    case notSent(because: String?)
    case options(UpdateFailure)
    /// The device takes updates of another kind.
    case device(AdvertisedUpdate)
}
