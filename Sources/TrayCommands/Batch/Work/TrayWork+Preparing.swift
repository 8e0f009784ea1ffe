import Bluetooth
import Firmware
import Tray
import TrayJournal
package import Work

extension TrayWork {
    /// The state of the order; nil if there is no order.
    package func state() async throws(WorkError) -> OrderState? {
        guard let order else { return nil }
        return try await source.claim(ClaimRequest(order, beacons: [], most: 0, for: lease)).order.state
    }

    /// Work that is ready to start or to resume.
    struct Prepared: Sendable {
        let work: TrayWork
        /// The firmware of the order; nil if the station's own tray names it.
        let firmware: TrayFirmware?
        /// Why nothing new can be claimed: the work server does not answer, and the order is cached. Nil if
        /// it answers.
        let away: WorkError?
    }

    /// The work with the firmware of the order. Waiting results are sent first: a new claim would replace the
    /// one that they belong to, and make them late.
    func prepared(
        with journal: Journal, _ cache: FileCache?,
        telling tell: @escaping @Sendable (ResultSender.Event) -> Void
    ) async throws -> Prepared {
        let time = try EventLoop.shared.get().keeper
        guard let order, let sender = sender(from: journal, time: time, telling: tell) else {
            return Prepared(work: self, firmware: nil, away: nil)
        }
        var away: WorkError?
        var known: CachedOrder
        do throws(WorkError) {
            _ = try await sender.handInOnce()
            known = try await look(at: order)
        } catch {
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

    /// Reads an order from the work server.
    private func look(at order: String) async throws(WorkError) -> CachedOrder {
        let look = try await source.claim(ClaimRequest(order, beacons: [], most: 0, for: lease))
        guard case .catalogue(let version, _) = look.order.firmware else { return CachedOrder(look.order) }
        return CachedOrder(look.order, by: try await source.catalogue(version: version))
    }
}
