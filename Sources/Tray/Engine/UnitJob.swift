public import Bluetooth
public import UpdateEngine
public import UpdateModel

/// The update of one unit: the arguments of `Updater.run`, and what is recorded of them.
public struct UnitJob: Sendable {
    /// The update protocol to run with the unit.
    public var procedure: any UpdateProcedure
    /// How its application is switched to its bootloader; nil if the bootloader already runs, or the application is not
    /// to be left.
    public var entry: (any BootloaderEntry)?
    /// The firmware to install.
    public var firmware: FirmwareRecord
    /// The installed version; nil if it is not known.
    public var versionBefore: String?
    /// How often its link may be lost without progress before an attempt ends.
    public var fruitlessLinks: Int
    /// Accepted risks that weaken verification.
    public var risks: Set<Risk>
    /// How its frames show its version; nil if they are not to be used.
    public var frames: FrameVersion?
    /// The identity query to its application; nil if any client can read its identity.
    public var identifying: IdentityQueryFactory?
    /// Throws the blocker for an update that the unit's advertisements show.
    public var admit: @Sendable (Advertisement) throws(UpdateFailure) -> Void
    /// Throws the blocker for an update that the application's facts show.
    public var inspect: @Sendable (ApplicationFacts) throws(UpdateFailure) -> Void

    /// Creates a job with these values.
    public init(
        _ procedure: any UpdateProcedure, entering entry: (any BootloaderEntry)?, firmware: FirmwareRecord,
        versionBefore: String? = nil, fruitlessLinks: Int = 5, accepting risks: Set<Risk> = [],
        blinking frames: FrameVersion? = nil, identifying: IdentityQueryFactory? = nil,
        admit: @escaping @Sendable (Advertisement) throws(UpdateFailure) -> Void = { _ in },
        inspect: @escaping @Sendable (ApplicationFacts) throws(UpdateFailure) -> Void = { _ in }
    ) {
        self.procedure = procedure
        self.entry = entry
        self.firmware = firmware
        self.versionBefore = versionBefore
        self.fruitlessLinks = fruitlessLinks
        self.risks = risks
        self.frames = frames
        self.identifying = identifying
        self.admit = admit
        self.inspect = inspect
    }
}
