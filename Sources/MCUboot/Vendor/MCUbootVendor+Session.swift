package import Bluetooth
package import UpdateModel

/// Not an `IdentityVendor`: an update reads the list of images itself, which tells more than a version.
extension MCUbootVendor: SessionVendor {
    package var beaconNoun: String { "SMP beacon" }

    /// Many beacons with SMP do not advertise it: then only a connection shows it.
    package func recognises(_ beacon: HeardBeacon) -> Bool { beacon.services.contains(SMPService.uuid) }

    package func isOffered(by device: DeviceInventory, heardAs beacon: HeardBeacon) -> Bool {
        device.offers(SMPService.uuid)
    }

    package func reportedFacts(hasSecret: Bool) -> Set<String> { ["version", "hardware"] }

    package func session(
        with beacon: HeardBeacon, at address: DeviceAddress, by secret: Secret?
    ) -> SMPSession { SMPSession() }

    package func reading(of peer: SMPPeer) -> MappedDialogue<SMPReading, SessionReading> {
        MappedDialogue(SMPReading(of: peer)) { (report) throws(SessionFailure) in report.reading }
    }
}
