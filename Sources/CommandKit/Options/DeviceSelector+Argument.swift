import ArgumentParser
public import Identity

extension DeviceSelector: ExplainedArgument {
    /// Parses a selector from the command line.
    public init?(argument: String) { self.init(argument) }

    /// The trigger that explains why `beacon` advertises another iBeacon identity than the selected one; nil if it is
    /// not the selected beacon.
    package func trigger(of beacon: BeaconSighting) -> IBeaconTrigger? {
        // Only KKM's beacons: consecutive UUIDs of others may be configured on purpose.
        guard case .iBeacon(let wanted) = self, beacon.identity.maker == .kkm else { return nil }
        return beacon.identity.numbers.compactMap { IBeaconTrigger(of: wanted, seenAs: $0.number) }.first
    }
}
