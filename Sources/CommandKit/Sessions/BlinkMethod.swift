package import Bluetooth
package import Firmware
package import UpdateEngine
package import UpdateModel

package struct BlinkMethod: Sendable {
    package static var vendors: [any BlinkVendor] {
        KnownVendors.withSessions.compactMap { $0 as? any BlinkVendor }
    }
    package static var takingFlashes: [any BlinkVendor] { vendors.filter(\.takesFlashes) }

    private let vendor: any BlinkVendor
    private let request: BlinkRequest

    /// The method for a `request` to `beacon`, by its advertisements. Throws if none is known.
    package init(of beacon: BeaconSighting, _ request: BlinkRequest) throws(CommandFailure) {
        guard let vendor = KnownVendors.vendor(of: beacon) as? any BlinkVendor else {
            throw Self.refusal(
                "\(beacon.address) is of a kind that is not known to light up or beep on request")
        }
        if let obstacle = vendor.obstacle(to: request, for: HeardBeacon(beacon)) {
            throw Self.refusal("\(beacon.address) \(obstacle)")
        }
        guard request.flashes == nil || vendor.takesFlashes else {
            throw Self.refusal(
                "--led-on and --led-off are for \(Self.takingFlashes.map(\.beacons).joined(separator: " and ")), "
                    + "and \(beacon.address) is not one")
        }
        (self.vendor, self.request) = (vendor, request)
    }

    private static func refusal(_ message: String) -> CommandFailure {
        CommandFailure(.session.notSupported, during: "looking for the beacon", message: message)
    }

    /// Makes `beacon` light up, or beep if that is requested or it has no light, over a link of `adapter`. Calls `begin`
    /// just before the request, and returns when the beacon is done.
    package func show(
        _ beacon: BeaconSighting, with adapter: some Adapter, by secrets: SecretStore,
        telling tell: @escaping @Sendable (SessionEvent) -> Void = { _ in },
        begin: @escaping @Sendable () -> Void
    ) async throws { try await show(beacon, vendor, with: adapter, by: secrets, telling: tell, begin: begin) }

    private func show(
        _ beacon: BeaconSighting, _ vendor: some BlinkVendor, with adapter: some Adapter,
        by secrets: SecretStore, telling tell: @escaping @Sendable (SessionEvent) -> Void,
        begin: @escaping @Sendable () -> Void
    ) async throws {
        let heard = HeardBeacon(beacon)
        try await secrets.withSession(
            vendor, with: beacon, at: beacon.address, over: adapter, telling: tell
        ) { session in
            begin()
            try await session.perform { [request] (peer) throws(SessionFailure) in
                try vendor.blinking(request, of: peer, heardAs: heard)
            }
        }
    }
}
