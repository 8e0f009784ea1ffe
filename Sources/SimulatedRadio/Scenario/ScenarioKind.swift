import BluetoothTypes
import YAMLText

/// A kind of beacon that a scenario's file can have.
struct ScenarioKind: Sendable {
    /// What `kind` says.
    let name: String
    /// The faults that it can have besides those of every kind, by their names.
    let faults: [String: NamedFault]
    /// The beacon of an entry; asks for every key that there is, whatever the others say.
    let read: @Sendable (inout BeaconEntry) throws(YAMLProblem) -> any ScenarioBeacon

    /// Every kind.
    static let all: [ScenarioKind] = [.secure, .legacy, .suota]
    /// Every kind by its name.
    static let named = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }

    /// The keys of its entries.
    var keys: [String] {
        guard let address = DeviceAddress([0xF0, 0x0D, 0xBE, 0xAC, 0, 0]) else { return [] }
        var entry = BeaconEntry(self, at: address)
        _ = try? read(&entry)
        return entry.keys
    }
}
