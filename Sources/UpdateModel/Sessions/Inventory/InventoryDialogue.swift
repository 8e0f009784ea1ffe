public import Bluetooth

/// The requests of an inventory in sequence: services, the characteristics of each, and for every characteristic its
/// value, descriptors and description.
struct InventoryDialogue: Dialogue {
    typealias Ending = DeviceInventory
    typealias Notice = Never
    typealias Failure = GATTError
    typealias Step = DialogueStep<Ending, Notice>

    private enum Request: Equatable {
        case services
        case characteristics(of: Int)
        case value
        case descriptors
        case userDescription
    }

    private static let userDescription = BluetoothUUID(0x2901)

    private let limit: Duration
    private var spent = Duration.zero
    private var request = Request.services
    private var inventory = DeviceInventory()
    /// Number of services that the device has declared.
    private var declared = 0
    /// Characteristics of the current service still to be read, in reverse order.
    private var waiting: [CharacteristicDeclaration] = []
    private var current: DeviceInventory.CharacteristicEntry?
    /// Index of the current service.
    private var place = 0

    init(within limit: Duration) { self.limit = limit }

    /// The inventory up to the loss of the link or a missing response.
    func interrupted(by reason: String) -> DeviceInventory {
        var found = self
        if request == .value { found.current?.reading = .unread(reason) }
        return found.inventory(without: reason)
    }

    private func inventory(without reason: String) -> DeviceInventory {
        var found = self
        found.keepCurrent()
        found.inventory.omission = reason
        return found.inventory
    }

    mutating func begin(on link: LinkFacts) -> Step { ask(.services) }

    mutating func note(_ times: CommandTimes) { spent += times.ended - times.started }

    mutating func advance(after outcome: DialogueOutcome) throws(GATTError) -> Step {
        if outcome == .timedOut { return stop("the beacon responds too slowly, or has too many attributes") }
        switch (request, outcome) {
        case (.services, .failed(let error)): throw error
        case (.services, .services(let services)):
            declared = services.count
            inventory.services = services.prefix(InventoryReader.mostServices)
                .map { DeviceInventory.ServiceEntry(declaration: $0) }
            return look(into: 0)
        case (.characteristics(let place), .characteristics(let found)):
            waiting = found.reversed()
            return nextCharacteristic(of: place)
        case (.characteristics(let place), .failed(let error)):
            inventory.services[place].problem = Self.words(error)
            return look(into: place + 1)
        case (.value, .value(let bytes)): current?.reading = .value(bytes)
        case (.value, .failed(let error)): current?.reading = .unread(Self.words(error))
        case (.descriptors, .descriptors(let found)):
            current?.descriptors = Array(found.prefix(InventoryReader.mostDescriptors))
            if current?.descriptors.contains(where: { $0.uuid == Self.userDescription }) == true {
                return ask(.userDescription)
            }
            return nextCharacteristic(of: place)
        case (.userDescription, .value(let text)):
            current?.userDescription = String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
            return nextCharacteristic(of: place)
        default: return nextCharacteristic(of: place)
        }
        return ask(.descriptors)
    }

    private mutating func look(into place: Int) -> Step {
        self.place = place
        if place < inventory.services.count { return ask(.characteristics(of: place)) }
        return declared > inventory.services.count
            ? stop("the beacon has \(declared) services; only the first are listed") : Step(.end(inventory))
    }

    private mutating func nextCharacteristic(of place: Int) -> Step {
        keepCurrent()
        guard let next = waiting.popLast() else { return look(into: place + 1) }
        guard inventory.characteristics.count < InventoryReader.mostCharacteristics else {
            return stop("the beacon has more characteristics than \(InventoryReader.mostCharacteristics)")
        }
        let isReadable = next.properties.contains(.read)
        current = DeviceInventory.CharacteristicEntry(
            declaration: next, reading: isReadable ? .unread("out of time") : .unreadable)
        return ask(isReadable ? .value : .descriptors)
    }

    private mutating func keepCurrent() {
        guard let current else { return }
        inventory.services[place].characteristics.append(current)
        self.current = nil
    }

    private mutating func ask(_ request: Request) -> Step {
        self.request = request
        let left = limit - spent
        guard left > .zero else { return stop("the beacon responds too slowly, or has too many attributes") }
        switch request {
        case .services: return Step(.list(.services, within: left))
        case .characteristics(let place):
            return Step(.list(.characteristics(of: inventory.services[place].declaration), within: left))
        case .value:
            guard let wanted = current?.declaration else { break }
            return Step(.readHandle(wanted.valueHandle, of: wanted.characteristic.uuid, within: left))
        case .descriptors:
            guard let wanted = current?.declaration else { break }
            return Step(.list(.descriptors(of: wanted), within: left))
        case .userDescription:
            let wanted = current?.descriptors.first { $0.uuid == Self.userDescription }
            guard let wanted else { break }
            return Step(.readHandle(wanted.handle, of: wanted.uuid, within: left))
        }
        return nextCharacteristic(of: place)
    }

    private func stop(_ reason: String) -> Step { Step(.end(inventory(without: reason))) }

    private static func words(_ error: GATTError) -> String {
        if case .refused(let status, _, _) = error { return "\(status)" }
        return "\(error)"
    }
}

/// Reads what a device offers, up to a deadline and to limits for services and characteristics that no real beacon
/// reaches.
public struct InventoryReader: Sendable {
    public static let mostServices = 64
    public static let mostCharacteristics = 256
    /// The most descriptors of a characteristic to list.
    public static let mostDescriptors = 16

    private let client: any GATTClient
    private let time: Timekeeper
    private let limit: Duration

    public init(_ client: any GATTClient, time: Timekeeper, within limit: Duration) {
        (self.client, self.time, self.limit) = (client, time, limit)
    }

    /// Reads everything. Throws (`GATTError`) only if the services cannot be listed.
    public func read() async throws -> DeviceInventory {
        var dialogue = InventoryDialogue(within: limit)
        var runner = SessionRunner(with: client, time: time)
        var observer = SilentObserver<Never>()
        do {
            return try await runner.run(&dialogue, &observer)
        } catch let error as GATTError where error.endsLink {
            // The result so far counts, even if the link is lost.
            try Task.checkCancellation()
            return dialogue.interrupted(by: "\(error)")
        }
    }
}

/// Reads values one after the other. Its result has the values found: absent and protected ones are missing.
public struct ValuesDialogue: Dialogue {
    public typealias Ending = [Characteristic: [UInt8]]
    public typealias Notice = Never
    /// It never fails: refusals are skipped.
    public typealias Failure = Never

    private let sources: [Characteristic]
    private var place = 0
    private var values: Ending = [:]

    public init(of sources: [Characteristic]) { self.sources = sources }

    /// Starts with the first value again: values read over an earlier link may have changed.
    public mutating func begin(on link: LinkFacts) -> DialogueStep<Ending, Never> {
        (place, values) = (0, [:])
        return step
    }

    public mutating func note(_ times: CommandTimes) {}

    public mutating func advance(after outcome: DialogueOutcome) -> DialogueStep<Ending, Never> {
        if case .value(let value) = outcome { values[sources[place]] = value }
        place += 1
        return step
    }

    private var step: DialogueStep<Ending, Never> {
        DialogueStep(place < sources.count ? .readIfAllowed(sources[place]) : .end(values))
    }
}
