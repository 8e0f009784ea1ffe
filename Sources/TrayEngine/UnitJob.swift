public import BluetoothTypes
public import Tray
public import UpdateCore
public import UpdateEngine

/// How one unit is brought onto its firmware: what `Updater.run` is told, and what is written down of it.
public struct UnitJob: Sendable {
    /// What is said to the unit.
    public var procedure: any UpdateProcedure
    /// How its application is sent to its bootloader; nil where that runs already, or is not to be left.
    public var entry: (any BootloaderEntry)?
    /// What the unit gets.
    public var firmware: FirmwareRecord
    /// The version that it has; nil where that is not known.
    public var versionBefore: String?
    /// How often its link may be lost without progress before an attempt ends.
    public var fruitlessLinks: Int
    /// What was accepted although it proves less.
    public var risks: Set<Risk>
    /// How its frames show its version; nil where they are not to be looked at.
    public var frames: FrameVersion?
    /// How its application is asked in a session; nil where it tells everybody what it is.
    public var identifying: IdentityQueryFactory?
    /// Throws what stands against an update, by the unit's advertisements.
    public var admit: @Sendable (Advertisement) throws(UpdateFailure) -> Void
    /// Throws what stands against an update, by what the application says of itself.
    public var inspect: @Sendable (ApplicationFacts) throws(UpdateFailure) -> Void

    /// A job as described.
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
