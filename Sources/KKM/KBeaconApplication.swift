package import UpdateModel

/// The identity query for a KBeacon's application, before and after an update (kbeacon.md, Update).
package typealias KBeaconApplication = SessionQuery<KBeaconQuery, KBeaconSettings>

extension KBeaconApplication {
    /// The result of `identityQuery`, and if `readsSettings`, the settings of a beacon that supports updates.
    package init(_ identityQuery: KBeaconQuery, readingSettings readsSettings: Bool = false) {
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
