import Catalogue
import Stations
import Tray
import TrayJournal
package import WorkOrders

extension TrayWork {
    /// How far the order has come; nil for none.
    package func state() async throws(WorkError) -> OrderState? {
        guard let order else { return nil }
        return try await source.claim(ClaimRequest(order, beacons: [], most: 0, for: lease)).order.state
    }

    /// The work with what the order's units get, after the station has told of itself. Nil for what the station's own tray says.
    func prepared(
        with journal: Journal, _ cache: FileCache?
    ) async throws -> (TrayWork, firmware: TrayFirmware?) {
        guard let order, let station else { return (self, nil) }
        let standing = try await journal.standing(ofOutbox: StationResults.kind)
        let greeting = try await source.greet(
            StationReport(
                StationIdentity(
                    name: station, incarnation: journal.incarnation, machine: StationResults.machine),
                program: BeaconDFU.version, lastSequence: standing.last, waiting: standing.open,
                oldestWaiting: standing.since, clock: .now))
        if let reason = greeting.mayNotClaim { throw reason }
        let look = try await source.claim(ClaimRequest(order, beacons: [], most: 0, for: lease))
        guard let cache else { return (self, nil) }
        switch look.order.firmware {
        case .ofTray: return (self, nil)
        case .file(let name, let sha256):
            return (self, .file(try await cache.path(of: sha256, called: name, from: source)))
        case .catalogue(let version, let withBeta):
            let catalogue = try await source.catalogue(version: version)
            let folder = try await cache.folder(of: catalogue, from: source)
            let work = TrayWork(
                source, order: order, lease: lease, most: most, station: station,
                catalogue: version, pace: pace)
            return (work, .catalogue(folder: folder, channel: withBeta ? .beta : .release))
        }
    }
}
