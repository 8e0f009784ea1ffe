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

    /// Work that can begin, or go on.
    struct Prepared: Sendable {
        let work: TrayWork
        /// What the order's units get; nil for what the station's own tray says.
        let firmware: TrayFirmware?
        /// Why nothing new can be claimed: nobody answers. What is known of the order is from an earlier answer.
        let away: WorkError?
    }

    /// The work with what the order's units get, after the station has told of itself.
    func prepared(with journal: Journal, _ cache: FileCache?) async throws -> Prepared {
        guard let order, let station else { return Prepared(work: self, firmware: nil, away: nil) }
        let standing = try await journal.standing(ofOutbox: StationResults.kind)
        let report = StationReport(
            StationIdentity(
                name: station, incarnation: journal.incarnation, machine: StationResults.machine),
            program: BeaconDFU.version, lastSequence: standing.last, waiting: standing.open,
            oldestWaiting: standing.since, clock: .now)
        var away: WorkError?
        var known: KnownOrder
        do throws(WorkError) { known = try await look(at: order, telling: report) } catch {
            guard error.mayPass, let earlier = cache?.known(order) else { throw error }
            (known, away) = (earlier, error)
        }
        if away == nil { try cache?.remember(known) }
        guard let cache else { return Prepared(work: self, firmware: nil, away: away) }
        switch known.firmware {
        case .ofTray: return Prepared(work: self, firmware: nil, away: away)
        case .file(let name, let sha256):
            let path = try await cache.path(of: sha256, called: name, from: source)
            return Prepared(work: self, firmware: .file(path), away: away)
        case .catalogue(let version, let withBeta):
            let folder = try await cache.folder(
                of: PublishedCatalogue(version: version, files: known.files), from: source)
            return Prepared(
                work: working(by: version),
                firmware: .catalogue(folder: folder, channel: withBeta ? .beta : .release),
                away: away)
        }
    }

    /// What the engine says of an order.
    private func look(
        at order: String, telling report: StationReport
    ) async throws(WorkError) -> KnownOrder {
        let greeting = try await source.greet(report)
        if let reason = greeting.mayNotClaim { throw reason }
        let look = try await source.claim(ClaimRequest(order, beacons: [], most: 0, for: lease))
        guard case .catalogue(let version, _) = look.order.firmware else { return KnownOrder(look.order) }
        return KnownOrder(look.order, by: try await source.catalogue(version: version))
    }
}
