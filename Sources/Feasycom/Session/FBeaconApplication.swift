public import UpdateModel

/// Opens the session with a Feasycom beacon's application. Its identity is readable without one.
public typealias FBeaconApplication = SessionQuery<FBeaconQuery, FBeaconSettings>

extension FBeaconApplication {
    /// Runs `identityQuery`, and reads the settings if `readsSettings`.
    public init(_ identityQuery: FBeaconQuery, readingSettings readsSettings: Bool = false) {
        self.init(
            by: identityQuery, pausing: FBeaconSession.leastInterval, readingSettings: readsSettings
        ) { ApplicationFacts() }
    }
}
