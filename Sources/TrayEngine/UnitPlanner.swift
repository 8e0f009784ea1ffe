public import BeaconIdentity
public import BluetoothTypes
public import Radio
public import Tray
public import UpdateCore

/// Decides what a unit gets, and what an ending means to people.
public protocol UnitPlanner: Sendable {
    /// The job for the unit that was found; throws why there is none. `adapter` is there to ask the unit what it is; `warn`
    /// takes what is to be known and stops nothing.
    func job(
        for target: TrayTarget, found beacon: BeaconSighting, with adapter: some Adapter,
        warning warn: @escaping @Sendable (AttemptRecord.Warning) -> Void
    ) async throws -> UnitJob
    /// Brings the unit, which has its firmware and was found as `beacon`, to its settings; its application is at `address`.
    /// Nothing is written to it before `willWrite`. Gives what was changed, in words; nil where it is to get no settings.
    func configure(
        _ target: TrayTarget, found beacon: BeaconSighting, at address: DeviceAddress,
        with adapter: some Adapter,
        warning warn: @escaping @Sendable (AttemptRecord.Warning) -> Void,
        willWrite: @escaping @Sendable () async throws -> Void
    ) async throws -> [String]?
    /// Whether it is known how a beacon that was heard so shows a person where it is.
    func canShow(_ beacon: BeaconSighting) -> Bool
    /// Has a beacon do that for `length`, over one link, and returns when it has; `begin` is called when it is about to.
    func show(
        _ beacon: BeaconSighting, for length: Duration, with adapter: some Adapter,
        begin: @escaping @Sendable () -> Void
    ) async throws
    /// What an update that has ended well says of the unit.
    func verdict(for report: UpdateReport) -> Verdict
    /// What an error says of the unit, and of the bench.
    func verdict(for error: any Error) -> Verdict
    /// What a person can do about a unit that has ended with `code`, which the run itself has given.
    func nextStep(after code: String) -> String?
    /// Whether another attempt may help after this verdict.
    func mayHelp(after verdict: Verdict) -> Bool
}

extension UnitPlanner {
    /// There is nothing to be set.
    public func configure(
        _ target: TrayTarget, found beacon: BeaconSighting, at address: DeviceAddress,
        with adapter: some Adapter,
        warning warn: @escaping @Sendable (AttemptRecord.Warning) -> Void,
        willWrite: @escaping @Sendable () async throws -> Void
    ) async throws -> [String]? { nil }

    /// It is known of none.
    public func canShow(_ beacon: BeaconSighting) -> Bool { false }

    /// Nothing is shown.
    public func show(
        _ beacon: BeaconSighting, for length: Duration, with adapter: some Adapter,
        begin: @escaping @Sendable () -> Void
    ) async throws {}
}
