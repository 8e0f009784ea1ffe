import Bluetooth
public import Bytes
import Synchronization

/// A kind of beacon that a scenario's file can have.
public struct ScenarioKind: Sendable {
    /// Reads the beacon of an entry. It must read every key that the kind has, whatever the other values are: a key
    /// that was never read is refused.
    public typealias Reader = @Sendable (inout BeaconEntry) throws(YAMLProblem) -> any ScenarioBeacon

    /// The word that selects this kind at `kind`.
    public let name: String
    /// The faults that only this kind has, by name.
    let faults: [String: NamedFault]
    let read: Reader

    /// A kind whose beacons `read` creates, with additional `faults` by their names in a file.
    public init(name: String, faults: [String: NamedFault] = [:], read: @escaping Reader) {
        self.name = name
        self.faults = faults
        self.read = read
    }

    /// Adds a kind for all scenarios that this process reads from now on; a kind whose name exists already is ignored.
    public static func add(_ kind: ScenarioKind) { added.withLock { $0.append(kind) } }

    private static let added = Mutex<[ScenarioKind]>([])

    /// Every kind.
    static var all: [ScenarioKind] {
        [.secure, .legacy, .suota, .kbeacon, .fbeacon, .orangeTag] + advertisers + added.withLock(\.self)
    }
    /// Every kind by name.
    static var named: [String: ScenarioKind] {
        Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
    }

    /// The keys of its entries.
    var keys: [String] {
        guard let address = DeviceAddress([0xF0, 0x0D, 0xBE, 0xAC, 0, 0]) else { return [] }
        var entry = BeaconEntry(self, at: address)
        _ = try? read(&entry)
        return entry.keys
    }
}
