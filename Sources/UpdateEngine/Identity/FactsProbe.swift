import BluetoothTypes
import GATT
import Sessions
import UpdateCore

/// What an application says of itself beside its version (Device Information Service 1.1; Battery Service 1.1).
struct FactsProbe: Dialogue {
    typealias Ending = ApplicationFacts
    typealias Notice = Never
    typealias Failure = Never

    private static let hardwareRevision = Characteristic(BluetoothUUID(0x180A), BluetoothUUID(0x2A27))
    private static let modelNumber = Characteristic(BluetoothUUID(0x180A), BluetoothUUID(0x2A24))
    private static let batteryLevel = Characteristic(BluetoothUUID(0x180F), BluetoothUUID(0x2A19))
    private static let sources = [hardwareRevision, modelNumber, batteryLevel]

    let version: String?
    private var values: [Characteristic: [UInt8]] = [:]
    private var place = 0

    init(version: String?) { self.version = version }

    mutating func begin(on link: LinkFacts) -> DialogueStep<Ending, Never> {
        place = 0
        return DialogueStep(.readIfAllowed(Self.sources[place]))
    }

    mutating func note(_ times: CommandTimes) {}

    mutating func advance(after outcome: DialogueOutcome) -> DialogueStep<Ending, Never> {
        if case .value(let value) = outcome { values[Self.sources[place]] = value }
        place += 1
        return DialogueStep(place < Self.sources.count ? .readIfAllowed(Self.sources[place]) : .end(facts))
    }

    private var facts: ApplicationFacts {
        ApplicationFacts(
            version: version,
            hardware: values[Self.hardwareRevision].flatMap { String(characteristicValue: $0) },
            model: values[Self.modelNumber].flatMap { String(characteristicValue: $0) },
            battery: values[Self.batteryLevel]?.first)
    }
}
