import Bluetooth
package import Bytes
import CommandKit
import Firmware

/// Looks up updates in a catalogue, by what beacons advertise and by what was read over connections.
struct CatalogueLookup: Sendable {
    private struct Answer: Sendable {
        /// The beacon's known properties, advertised and read.
        let device: CatalogueDevice
        /// What was read; nil if reading failed.
        let reading: DeviceReading?
    }

    private let catalogue: Catalogue
    private let channels: Set<CatalogueChannel>
    private let secrets: SecretStore
    private var answers: [DeviceAddress: Answer] = [:]
    private(set) var hasConnected = false

    init(_ catalogue: Catalogue, channels: Set<CatalogueChannel> = [.release], by secrets: SecretStore) {
        (self.catalogue, self.channels, self.secrets) = (catalogue, channels, secrets)
    }

    func match(_ beacon: BeaconSighting) -> CatalogueMatch {
        catalogue.match(answers[beacon.address]?.device ?? CatalogueDevice(beacon), channels: channels)
    }

    /// What was read from `beacon` over a connection; nil without a connection or an answer.
    func reading(of beacon: BeaconSighting) -> DeviceReading? { answers[beacon.address]?.reading }

    /// The installed version of `beacon`, if it was read over a connection.
    func version(of beacon: BeaconSighting) -> String? { answers[beacon.address]?.device.version }

    func hasConnected(to beacon: BeaconSighting) -> Bool { answers[beacon.address] != nil }

    /// Whether `beacon` has to be read over a connection for a lookup, and the connection does no harm. A beacon that
    /// may still advertise the missing value is not connected to.
    func needsReading(_ beacon: BeaconSighting) -> Bool {
        beacon.identity.isComplete && ShortReading.isNeeded(for: match(beacon), of: beacon, by: secrets)
    }

    /// Reads those of `beacons` that need it, one after the other. For a beacon that cannot be read, the advertised
    /// values stay, and a warning gives the reason.
    mutating func read(
        _ beacons: [BeaconSighting], with adapter: some Adapter, telling console: Console
    ) async throws {
        hasConnected = true
        let silent = beacons.filter(needsReading)
        for (number, beacon) in silent.enumerated() {
            let words: TerminalText = "reading \(beacon.address), \(number + 1) of \(silent.count)"
            if console.style.isTerminal {
                console.draw(bar: words)
            } else if !console.style.isJSON {
                console.notice(words)
            }
            answers[beacon.address] = try await ask(beacon, with: adapter, telling: console)
        }
        console.draw(lines: [])
    }

    private func ask(
        _ beacon: BeaconSighting, with adapter: some Adapter, telling console: Console
    ) async throws -> Answer {
        do {
            let known = try await ShortReading(with: adapter).complete(
                beacon, for: catalogue, channels: channels, by: secrets)
            for warning in known.warnings {
                console.warn(warning.code, "\(beacon.address): \(warning.words)")
            }
            return Answer(device: known.device, reading: known.reading)
        } catch let failure as CommandFailure {
            console.warn(failure.code, "\(beacon.address): \(failure.message)")
            return Answer(device: CatalogueDevice(beacon), reading: nil)
        }
    }
}

extension DeviceReading {
    package var members: [String: JSONValue] {
        [
            "name": .optional(name), "model": .optional(model), "serial": .optional(serial),
            "hardware": .optional(hardware), "firmware": .optional(firmware), "software": .optional(software),
            "battery": .optional(battery), "session": session.map { .object($0.members) } ?? .null,
        ]
    }
}

extension DeviceReading.Session {
    fileprivate var members: [String: JSONValue] {
        [
            "model": .optional(model), "hardware": .optional(hardware), "version": .optional(version),
            "battery": .optional(battery),
        ]
    }
}
