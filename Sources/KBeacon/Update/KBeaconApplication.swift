public import UpdateCore

/// What a KBeacon's application says of itself before and after an update (kbeacon.md, Update).
public typealias KBeaconApplication = SessionQuery<KBeaconQuery, KBeaconSettings>

extension KBeaconApplication {
    /// What `identityQuery` finds out, and where `readsSettings`, the settings of a beacon that takes updates.
    public init(_ identityQuery: KBeaconQuery, readingSettings readsSettings: Bool = false) {
        self.init(
            by: identityQuery, pausing: KBeaconSession.leastInterval, readingSettings: readsSettings
        ) { peer in
            let identity = peer.identity
            return ApplicationFacts(
                version: identity.version, hardware: identity.hardware, model: identity.model,
                battery: identity.battery, updateRefusal: identity.updateRefusal)
        }
    }
}
