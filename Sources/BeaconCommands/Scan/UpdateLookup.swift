import BeaconIdentity
import BluetoothTypes
import Catalogue
import Radio

/// What a catalogue has for beacons: by what they advertise, and by what was read of those that were connected to.
struct UpdateLookup: Sendable {
    /// A beacon that was connected to.
    private struct Answer: Sendable {
        /// What is known of it now.
        let device: CatalogueDevice
        /// What it said; nil where it could not be read.
        let reading: DeviceReading?
    }

    private let catalogue: Catalogue
    private let channels: Set<CatalogueChannel>
    private let secrets: SecretKeeper
    private var answers: [DeviceAddress: Answer] = [:]
    /// Whether some were to be connected to.
    private(set) var hasConnected = false

    /// What `catalogue` has; beacons with a session are asked with the passwords of `secrets`.
    init(
        _ catalogue: Catalogue, channels: Set<CatalogueChannel> = [.release], by secrets: SecretKeeper
    ) {
        (self.catalogue, self.channels, self.secrets) = (catalogue, channels, secrets)
    }

    /// What the catalogue has for `beacon`.
    func match(_ beacon: BeaconSighting) -> CatalogueMatch {
        catalogue.match(answers[beacon.address]?.device ?? CatalogueDevice(beacon), channels: channels)
    }

    /// What `beacon` has said over a connection; nil where there was none, or it said nothing.
    func reading(of beacon: BeaconSighting) -> DeviceReading? { answers[beacon.address]?.reading }

    /// The installed version of `beacon`, where it is known over a connection.
    func version(of beacon: BeaconSighting) -> String? { answers[beacon.address]?.device.version }

    /// Whether `beacon` was connected to.
    func isConnected(to beacon: BeaconSighting) -> Bool { answers[beacon.address] != nil }

    /// Whether only a connection to `beacon` tells what the catalogue has for it, and does no harm. One that may still
    /// advertise what is missing is not connected to.
    func needsReading(_ beacon: BeaconSighting) -> Bool {
        beacon.identity.isComplete && ShortReading.isNeeded(for: match(beacon), of: beacon, by: secrets)
    }

    /// Reads those of `beacons` that need it, one after the other. One that cannot be read stays what it is by its
    /// advertisements, and a warning says why.
    mutating func read(
        _ beacons: [BeaconSighting], with adapter: some Adapter, telling console: Console
    ) async throws {
        hasConnected = true
        let silent = beacons.filter(needsReading)
        for (number, beacon) in silent.enumerated() {
            let words: TerminalText = "asking \(beacon.address) what it is, \(number + 1) of \(silent.count)"
            if console.style.isTerminal {
                console.draw(bar: words)
            } else if !console.style.isJSON {
                console.talk(words)
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
    /// The members of `read` in a `beacon` event.
    var members: [String: JSONValue] {
        [
            "name": .optional(name), "model": .optional(model), "serial": .optional(serial),
            "hardware": .optional(hardware), "firmware": .optional(firmware),
            "software": .optional(software), "battery": battery.map(JSONValue.integer) ?? .null,
            "session": session.map { .object($0.members) } ?? .null,
        ]
    }
}

extension DeviceReading.Session {
    fileprivate var members: [String: JSONValue] {
        [
            "model": .optional(model), "hardware": .optional(hardware), "version": .optional(version),
            "battery": battery.map(JSONValue.integer) ?? .null,
        ]
    }
}
