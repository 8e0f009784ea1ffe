public import UpdateCore

/// Makes a Feasycom beacon's application listen to us. What it is it tells everybody.
public typealias FBeaconApplication = SessionQuery<FBeaconQuery, FBeaconSettings>

extension FBeaconApplication {
    /// What `identityQuery` does, and the settings where `readsSettings`.
    public init(_ identityQuery: FBeaconQuery, readingSettings readsSettings: Bool = false) {
        self.init(
            by: identityQuery, pausing: FBeaconSession.leastInterval, readingSettings: readsSettings
        ) { ApplicationFacts() }
    }
}
