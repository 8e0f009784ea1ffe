import BluetoothTypes
import FoundationEssentials
import SimulatedDevice
import Yams

extension Scenario {
    /// The scenario in the YAML file at `path`.
    public init(path: String) throws(ScenarioError) {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw ScenarioError(path: path, problem: "cannot be opened", isMissing: true)
        }
        let file: ScenarioFile
        do {
            file = try YAMLDecoder().decode(ScenarioFile.self, from: String(decoding: bytes, as: UTF8.self))
        } catch {
            throw ScenarioError(path: path, problem: Self.problem(in: error))
        }
        do throws(Flaw) {
            cast = []
            for beacon in file.beacons {
                if beacon.kind == ScenarioFile.Beacon.Kind.suota.rawValue {
                    suota.append(try SUOTACast(beacon))
                } else {
                    cast.append(try Cast(beacon))
                }
            }
            try refuseCollisions()
            switch file.link {
            case .modelled(let settings)?: link = try LinkModel(settings)
            case .instant?: link = nil
            case nil: break
            }
        } catch {
            throw ScenarioError(path: path, problem: error.text)
        }
        if let state = file.state {
            let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            statePath =
                state.hasPrefix("/") || folder.isEmpty ? state : folder.joined(separator: "/") + "/" + state
        }
    }

    /// Two beacons at one address would be one to everybody who listens.
    private func refuseCollisions() throws(Flaw) {
        var owners: [DeviceAddress: DeviceAddress] = [:]
        var places = cast.map(\.description).map { ($0.address, Set([$0.address, $0.bootloaderAddress])) }
        places += suota.map(\.description.address).map { ($0, [$0]) }
        for (member, addresses) in places {
            for address in addresses {
                if let owner = owners.updateValue(member, forKey: address) {
                    throw Flaw(
                        text: "\(owner) and \(member) would both be heard at \(address); "
                            + "a bootloader is at its application's address + 1")
                }
            }
        }
    }

    /// A value that means nothing.
    struct Flaw: Error { let text: String }

    private static func problem(in error: any Error) -> String {
        guard let error = error as? DecodingError else { return "\(error)" }
        switch error {
        case .dataCorrupted(let context), .typeMismatch(_, let context), .valueNotFound(_, let context):
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            return (path.isEmpty ? "" : path + ": ") + context.debugDescription
        case .keyNotFound(let key, _): return "the key '\(key.stringValue)' is missing"
        @unknown default: return "\(error)"
        }
    }
}
