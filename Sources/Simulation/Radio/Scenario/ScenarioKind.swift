import Bluetooth
public import Bytes
import Synchronization

/// A kind of beacon that a scenario's file can have.
public struct ScenarioKind: Sendable {
    /// Reads the beacon of an entry. It must read every key that the kind has, whatever the other values are: a key
    /// that was never read is refused.
    public typealias Reader = @Sendable (inout BeaconEntry) throws(YAMLProblem) -> any ScenarioBeacon

    /// The value of the key `kind` that selects this kind.
    public let name: String
    /// The faults that only this kind has, by name.
    let faults: [String: NamedFault]
    /// The beacons of this kind in the built-in tray.
    private(set) var tray: [any ScenarioBeacon] = []
    let read: Reader

    /// A kind whose beacons `read` creates, with additional `faults` by their names in a file.
    public init(name: String, faults: [String: NamedFault] = [:], read: @escaping Reader) {
        (self.name, self.faults, self.read) = (name, faults, read)
    }

    init(
        name: String, faults: [String: NamedFault] = [:], tray: [(any ScenarioBeacon)?],
        read: @escaping Reader
    ) {
        self.init(name: name, faults: faults, read: read)
        self.tray = tray.compactMap(\.self)
    }

    /// Adds a kind for all scenarios that this process reads from now on; a kind whose name exists already is ignored.
    public static func add(_ kind: ScenarioKind) { added.withLock { $0.append(kind) } }

    private static let added = Mutex<[ScenarioKind]>([])

    static var all: [ScenarioKind] { builtIn + added.withLock(\.self) }
    static var named: [String: ScenarioKind] { Dictionary(all.map { ($0.name, $0) }) { first, _ in first } }

    var keys: [String] {
        guard let address = DeviceAddress([0xF0, 0x0D, 0xBE, 0xAC, 0, 0]) else { return [] }
        var entry = BeaconEntry(self, at: address)
        _ = try? read(&entry)
        return entry.keys
    }
}
