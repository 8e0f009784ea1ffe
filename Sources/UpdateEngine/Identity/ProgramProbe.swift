import Bluetooth
import UpdateModel

/// Finds out what program a device runs, by its services and its version. It is the first dialogue of a link.
///
/// Its notices are the primary services; its result is nil if these could not be listed in time.
struct ProgramProbe: Dialogue {
    typealias Ending = Program?
    typealias Notice = [BluetoothUUID]
    typealias Failure = GATTError
    typealias Step = DialogueStep<Ending, Notice>

    private enum Request {
        /// The list of the services.
        case services
        /// Whether the device has `TargetSignature.control`, and the value of `TargetSignature.version`.
        case control, version
        /// The firmware revision, and the software revision.
        case firmware, software
        /// Whether the device has the entry characteristic at this index.
        case entry(Int)
    }

    private let options: ProbeOptions
    private let limit: Duration
    private let readsOnlyVersion: Bool
    private var request = Request.services
    private var services: [BluetoothUUID] = []
    private var receiver: Receiver?
    private var revision: Revision?

    /// A probe with these options. Service discovery must finish within `limit`. With `readsOnlyVersion` it reads the
    /// version only, which is all that distinguishes one application from another.
    init(_ options: ProbeOptions, within limit: Duration, readsOnlyVersion: Bool = false) {
        (self.options, self.limit, self.readsOnlyVersion) = (options, limit, readsOnlyVersion)
    }

    mutating func begin(on link: LinkFacts) -> Step { ask(readsOnlyVersion ? .firmware : .services) }

    mutating func note(_ times: CommandTimes) {}

    mutating func advance(after outcome: DialogueOutcome) throws(GATTError) -> Step {
        switch (request, outcome) {
        case (.services, .services(let found)):
            services = found.map(\.uuid)
            var step = ask(.control)
            step.notices = [services]
            return step
        case (.services, .failed(let error)): throw error
        case (.services, _): return Step(.end(nil))
        case (.control, .done): return options.targetSignature.version == nil ? judge(nil) : ask(.version)
        case (.control, _): return ask(.firmware)
        case (.version, .value(let bytes)): return judge(bytes)
        case (.version, _): return judge(nil)
        case (.firmware, let outcome):
            revision = Self.revision(in: outcome, of: .firmwareRevision)
            return needsSoftwareRevision ? ask(.software) : conclude()
        case (.software, let outcome):
            let software = Self.revision(in: outcome, of: .softwareRevision)
            if revision == nil || isExpected(software) { revision = software }
            return conclude()
        case (.entry(let place), .done):
            return end(.application(entryCharacteristic: entries[place], revision: revision))
        case (.entry(let place), _): return enter(by: place + 1)
        }
    }

    private var entries: [Characteristic] { options.entryCharacteristics }

    /// The step once the device is known to have `control`; `version` is the value of `TargetSignature.version`.
    private mutating func judge(_ version: [UInt8]?) -> Step {
        let signature = options.targetSignature
        let sign = TargetSignature.Sign(version: version, services: services)
        receiver = signature.receiver(sign)
        if options.isAssumed, receiver != nil, !signature.isAboveApplication(sign) {
            return end(.unrelated)
        }
        // Bootloaders have no version text.
        if let receiver, options.knowsVersion || receiver == .bootloader {
            return end(.receiver(receiver, revision: nil))
        }
        return ask(.firmware)
    }

    /// Whether to read the software revision, too, because the firmware revision is not the expected version: in a
    /// program built with the vendor's SDK, only the software revision may be the program's own version.
    private var needsSoftwareRevision: Bool {
        (receiver != nil || readsOnlyVersion) && options.expectedVersion != nil && !isExpected(revision)
    }

    private func isExpected(_ revision: Revision?) -> Bool {
        guard let revision else { return false }
        return options.expectedVersion?.isMet(by: revision.text) ?? false
    }

    private mutating func conclude() -> Step {
        if let receiver { return end(.receiver(receiver, revision: revision)) }
        return readsOnlyVersion
            ? end(.application(entryCharacteristic: nil, revision: revision)) : enter(by: 0)
    }

    private mutating func enter(by place: Int) -> Step {
        guard place < entries.count else {
            return end(.application(entryCharacteristic: nil, revision: revision))
        }
        return ask(.entry(place))
    }

    private mutating func ask(_ request: Request) -> Step {
        self.request = request
        let signature = options.targetSignature
        switch request {
        case .services: return Step(.list(.services, within: limit))
        case .control: return Step(.find(signature.control))
        case .version: return Step(.read(signature.version ?? signature.control))
        case .firmware: return Step(.readIfAllowed(.firmwareRevision))
        case .software: return Step(.readIfAllowed(.softwareRevision))
        case .entry(let place): return Step(.find(entries[place]))
        }
    }

    private func end(_ program: Program) -> Step { Step(.end(program)) }

    private static func revision(in outcome: DialogueOutcome, of source: Characteristic) -> Revision? {
        guard case .value(let bytes) = outcome else { return nil }
        return String(characteristicValue: bytes).map { Revision(text: $0, source: source.uuid) }
    }
}

extension ApplicationFacts {
    /// Characteristics with an application's facts other than the version (Device Information Service 1.1; Battery
    /// Service 1.1).
    static let sources: [Characteristic] = [.hardwareRevision, .modelNumber, .batteryLevel]

    /// The facts of an application that shows `version` and the `values` of ``sources``.
    init(version: String?, values: [Characteristic: [UInt8]]) {
        self.init(
            version: version,
            hardware: values[.hardwareRevision].flatMap { String(characteristicValue: $0) },
            model: values[.modelNumber].flatMap { String(characteristicValue: $0) },
            battery: values[.batteryLevel]?.first)
    }
}
