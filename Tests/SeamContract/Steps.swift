import Bluetooth

extension Adapter {
    /// The next report of `peer`.
    func report(of peer: DeviceAddress, _ peers: Peers) async throws -> Advertisement {
        guard let report = try await firstHeard(of: [peer], within: peers.timeout) else {
            throw BrokenFact("\(peer) was not heard for \(peers.timeout)")
        }
        return report
    }

    /// A fresh attribute channel to `peer`.
    func attributes(of peer: DeviceAddress, _ peers: Peers) async throws -> Channel {
        try await open(.attributes, to: peer, asking: LinkRequest(), within: peers.timeout)
    }

    /// Reports a violation unless `peer` can be connected to and read.
    func requireUsable(_ peer: DeviceAddress, _ peers: Peers) async throws {
        _ = try await withConnection(to: peer, within: peers.timeout) { try await $0.revision() }
    }
}

extension ATTClient {
    /// The firmware revision, which is never empty.
    func revision() async throws -> [UInt8] {
        let value = try await read(Peers.revision)
        try require(!value.isEmpty, "the firmware revision is empty")
        return value
    }

    /// The characteristic of the DFU service that notifies or indicates.
    func speaker() async throws -> CharacteristicDeclaration {
        let found = try await discoverCharacteristics(of: Peers.dfuService).first {
            !$0.properties.isDisjoint(with: [.notify, .indicate])
        }
        guard let found else { throw BrokenFact("the DFU service has nothing that notifies or indicates") }
        return found
    }

    /// The peer's stored value of the client configuration of `declaration`.
    func configuration(of declaration: CharacteristicDeclaration) async throws -> [UInt8] {
        let descriptor = try await discoverDescriptors(of: declaration).first {
            $0.uuid == Peers.clientConfiguration
        }
        guard let descriptor else { throw BrokenFact("\(declaration.characteristic) has no configuration") }
        return try await read(at: descriptor.handle, of: descriptor.uuid)
    }
}
