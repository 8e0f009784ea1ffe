package import Bluetooth
package import Firmware
import UpdateEngine
import UpdateModel

/// Connects to a beacon briefly to identify it, if its advertisements do not.
package struct ShortReading: Sendable {
    /// The time limit for connecting, unless the beacon advertises rarely, and again for reading. The beacons that
    /// disconnect earliest, Kontakt.io's, do so after 30 s.
    package static let limit = Duration.seconds(10)

    private let adapter: any Adapter

    package init(with adapter: any Adapter) { self.adapter = adapter }

    package struct Completed: Sendable {
        package var device: CatalogueDevice
        package var reading = DeviceReading()
        /// Contradictions between the read values and the advertisements.
        package var warnings: [CatalogueMatch.Warning] = []
    }

    /// Whether `match` lacks a value that `beacon` reports over a connection, and the connection does no harm.
    package static func isNeeded(
        for match: CatalogueMatch, of beacon: BeaconSighting, by secrets: SecretStore
    ) -> Bool {
        let sessionFacts = secrets.factsReported(by: beacon, taking: match.family?.device.kind)
        return match.nextReading(inSession: sessionFacts) != nil && isAllowed(of: beacon)
    }

    /// Reads `beacon` until `catalogue` can decide, or until there is nothing more to read: in a session, if the beacon
    /// has one, with its password, and from its services.
    package func complete(
        _ beacon: BeaconSighting, for catalogue: Catalogue, channels: Set<CatalogueChannel>,
        by secrets: SecretStore
    ) async throws -> Completed {
        var known = Completed(device: CatalogueDevice(beacon))
        var asked: Set<DeviceReading.Source> = []
        while true {
            let match = catalogue.match(known.device, channels: channels)
            let kind = match.family?.device.kind
            let sessionFacts = secrets.factsReported(by: beacon, taking: kind)
            guard let source = match.nextReading(inSession: sessionFacts, asked: asked) else { return known }
            asked.insert(source)
            switch source {
            case .session: known.reading.session = try await session(with: beacon, taking: kind, by: secrets)
            case .services:
                let session = known.reading.session
                known.reading = try await read(beacon)
                known.reading.session = session
            }
            (known.device, known.warnings) = catalogue.complete(CatalogueDevice(beacon), with: known.reading)
        }
    }

    private func session(
        with beacon: BeaconSighting, taking kind: FirmwareKind?, by secrets: SecretStore
    ) async throws -> DeviceReading.Session? {
        do { return try await secrets.facts(of: beacon, taking: kind, with: adapter) } catch {
            try Task.checkCancellation()
            throw CommandFailure(from: error)
        }
    }

    /// Whether `beacon` does not advertise that it refuses connections, and a connection does not lock it.
    package static func isAllowed(of beacon: BeaconSighting) -> Bool {
        guard beacon.isConnectable != false else { return false }
        do throws(CommandFailure) { try LockRisk.check(beacon, allowing: []) } catch { return false }
        return true
    }

    /// Reads the services of `beacon`. Nothing is written, and the link is not encrypted. Throws if a connection would
    /// lock the beacon (`would-lock-beacon`), and without a connection or an answer within ``limit``.
    package func read(_ beacon: BeaconSighting) async throws -> DeviceReading {
        try LockRisk.check(beacon, allowing: [])
        return try await Self.read(beacon.address, with: adapter)
    }

    private static func read(
        _ address: DeviceAddress, with adapter: some Adapter
    ) async throws -> DeviceReading {
        let step = "reading the beacon"
        do {
            let reading = try await adapter.withLink(to: address, within: limit, mayEncrypt: false) {
                client, _ in
                try await adapter.time.within(limit) {
                    try await client.exchangeMTU()
                    var dialogue = ValuesDialogue(of: DeviceReading.sources)
                    var runner = SessionRunner(with: client, time: adapter.time)
                    var observer = SilentObserver<Never>()
                    return DeviceReading(try await runner.run(&dialogue, &observer))
                }
            }
            if let reading { return reading }
        } catch {
            try Task.checkCancellation()
            throw CommandFailure(UpdateFailure(of: error, during: step))
        }
        throw CommandFailure(
            .device.noAnswer, during: step,
            message: "\(address) did not identify itself within \(Int(limit / .seconds(1))) s")
    }
}

extension DeviceReading {
    private static let texts = [
        (0x1800, 0x2A00), (0x180A, 0x2A24), (0x180A, 0x2A25), (0x180A, 0x2A27), (0x180A, 0x2A26),
        (0x180A, 0x2A28),
    ].map { (service: UInt16, uuid: UInt16) in Characteristic(service, uuid) }

    package static let sources = texts + [.batteryLevel]

    package init(_ values: [Characteristic: [UInt8]]) {
        self.init()
        let texts = Self.texts.map { values[$0].flatMap(Self.text) }
        (name, model, serial) = (texts[0], texts[1], texts[2])
        (hardware, firmware, software) = (texts[3], texts[4], texts[5])
        // In percent (Battery Service 1.1, 3.1); other values are invalid.
        battery = values[.batteryLevel]?.first.flatMap { $0 <= 100 ? Int($0) : nil }
    }

    /// The text in a value that may be padded with zeros, spaces or FF; nil for an empty text.
    private static func text(_ value: [UInt8]) -> String? {
        let text = String(decoding: value.prefix { $0 != 0 && $0 != 0xFF }, as: UTF8.self)
        let words = text.split(separator: " ").joined(separator: " ")
        return words.isEmpty ? nil : words
    }
}
