public import UpdateCore

/// Makes a Feasycom beacon's application listen to us. What it is it tells everybody.
public typealias FBeaconApplication = SessionIntroduction<FBeaconIntroduction, FBeaconSettings>

extension FBeaconApplication {
    /// What `introduction` does, and the settings where `readsSettings`.
    public init(_ introduction: FBeaconIntroduction, readingSettings readsSettings: Bool = false) {
        self.init(
            by: introduction, pausing: FBeaconSession.leastInterval, readingSettings: readsSettings
        ) { ApplicationFacts() }
    }
}
