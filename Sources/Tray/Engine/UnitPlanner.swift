package import Bluetooth
package import Firmware
package import UpdateEngine
package import UpdateModel

/// Chooses the firmware of a unit, and translates errors into verdicts.
package protocol UnitPlanner: Sendable {
    /// The job for the unit that was found; throws if there is none. `adapter` is for queries to the unit.
    func job(
        for target: TrayTarget, found beacon: BeaconSighting, with adapter: some Adapter,
        warning warn: @escaping WarningHandler
    ) async throws -> UnitJob
    /// Applies settings to a unit that already has its firmware; its application is at `address`. Calls `willWrite`
    /// before the first change. Returns the changes in words; nil if there are no settings for the unit.
    func configure(
        _ target: TrayTarget, found beacon: BeaconSighting, at address: DeviceAddress,
        with adapter: some Adapter, warning warn: @escaping WarningHandler,
        willWrite: @escaping @Sendable () async throws -> Void
    ) async throws -> [String]?
    /// Whether the program knows how to make a beacon with these adverts blink.
    func canBlink(_ beacon: BeaconSighting) -> Bool
    /// Makes a beacon blink for `length`, over one link; returns afterwards. Calls `begin` just before it blinks.
    func blink(
        _ beacon: BeaconSighting, for length: Duration, with adapter: some Adapter,
        begin: @escaping @Sendable () -> Void
    ) async throws
    /// Whether a unit passes that confirmed the image and came back, but does not report a new version.
    var acceptsReappearance: Bool { get }
    /// The verdict for an error of the unit that was selected at `address`, while `file` was sent, if known.
    func verdict(for error: any Error, at address: DeviceAddress, sending file: String?) -> UnitVerdict
    /// Advice for a unit at `address`, if known, that the run itself has ended with `code`.
    func nextStep(after code: String, at address: DeviceAddress?) -> String?
    func mayHelp(after verdict: UnitVerdict) -> Bool
}

/// The update of one unit: the arguments of `Updater.run`, and what is recorded of them.
package struct UnitJob: Sendable {
    package var procedure: any UpdateProcedure
    /// How the unit's application is switched to its bootloader; nil if the bootloader already runs, or the application
    /// itself receives the firmware.
    package var entry: (any BootloaderEntry)?
    package var firmware: FirmwareRecord
    package var versionBefore: String?
    /// How often the link may be lost without progress before an attempt ends.
    package var fruitlessLinks: Int
    /// The user's choices for links and bootloaders.
    package var choices: TransferOptions
    package var risks: Set<Risk>
    /// How the unit's frames show its version; nil if they are not to be used.
    package var frames: FrameVersion?
    /// The identity query to the unit's application; nil if any client can read the identity.
    package var identifying: IdentityQueryFactory?
    /// Throws if the unit's advertisements show a reason against the update.
    package var admit: @Sendable (Advertisement) throws(UpdateFailure) -> Void
    /// Throws if the application's facts show a reason against the update.
    package var inspect: @Sendable (ApplicationFacts) throws(UpdateFailure) -> Void

    package init(
        _ procedure: any UpdateProcedure, entering entry: (any BootloaderEntry)?, firmware: FirmwareRecord,
        versionBefore: String? = nil, fruitlessLinks: Int = 5,
        following choices: TransferOptions = TransferOptions(), accepting risks: Set<Risk> = [],
        showing frames: FrameVersion? = nil, identifying: IdentityQueryFactory? = nil,
        admit: @escaping @Sendable (Advertisement) throws(UpdateFailure) -> Void = { _ in },
        inspect: @escaping @Sendable (ApplicationFacts) throws(UpdateFailure) -> Void = { _ in }
    ) {
        (self.procedure, self.entry, self.firmware) = (procedure, entry, firmware)
        (self.versionBefore, self.fruitlessLinks) = (versionBefore, fruitlessLinks)
        (self.choices, self.risks) = (choices, risks)
        (self.frames, self.identifying, self.admit, self.inspect) = (frames, identifying, admit, inspect)
    }
}

package typealias WarningHandler = @Sendable (AttemptRecord.Warning) -> Void
