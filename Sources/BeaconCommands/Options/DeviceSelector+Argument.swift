import ArgumentParser
public import BeaconIdentity

extension DeviceSelector: ExplainedArgument {
    /// The selector of a value on the command line.
    public init?(argument: String) { self.init(argument) }

    /// The trigger for which `beacon` advertises another iBeacon identity than the selected one; nil where it is not it.
    func trigger(of beacon: BeaconSighting) -> IBeaconTrigger? {
        // Anybody may have configured two beacons with UUIDs in a row.
        guard case .iBeacon(let wanted) = self, beacon.identity.maker == .kkm else { return nil }
        return beacon.identity.numbers.compactMap { IBeaconTrigger(of: wanted, seenAs: $0.number) }.first
    }
}
