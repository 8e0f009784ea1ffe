import BluetoothTypes
import Spelling
import YAMLText

/// What a scenario's file says of one beacon: none but the keys of its kind, each with its place.
struct BeaconEntry {
    /// What a beacon speaks.
    enum Kind: String, CaseIterable {
        case secure = "nordic-secure"
        case legacy = "nordic-legacy"
        case suota
    }

    /// The names of the settings.
    enum Key: String, CaseIterable {
        case kind, address, name, flash, rssi, faults, personality
        case batteryMillivolts = "battery_mv"
        // Both kinds of Nordic's.
        case mode, key, buttonless, receiver
        case bootloaderName = "bootloader_name"
        case softDevice = "softdevice"
        case applicationVersion = "application_version"
        case flashKilobytes = "flash_kb"
        case bootloaderAddress = "bootloader_address"
        // Secure.
        case hardware, bonded
        case bootloaderVersion = "bootloader_version"
        case crashesOnName = "crashes_on_name"
        case bootloaderTakesName = "bootloader_takes_name"
        case firmwareRevision = "firmware_revision"
        // Legacy.
        case handover
        case deviceType = "device_type"
        case deviceRevision = "device_revision"
        case imageCheck = "image_check"
        case answersEntry = "answers_entry"
        // SUOTA.
        case version, memory, pins, battery
        case wrongPinsStatus = "wrong_pins_status"
        case signatureCheckMilliseconds = "signature_check_ms"
        case refusesSignature = "refuses_signature"

        /// Which beacons have it.
        var kinds: Set<Kind> {
            switch self {
            case .kind, .address, .name, .flash, .rssi, .faults, .personality, .batteryMillivolts:
                Set(Kind.allCases)
            case .mode, .key, .buttonless, .bootloaderName, .softDevice, .applicationVersion, .flashKilobytes,
                .bootloaderAddress, .receiver:
                [.secure, .legacy]
            case .hardware, .bonded, .bootloaderVersion, .crashesOnName, .bootloaderTakesName,
                .firmwareRevision:
                [.secure]
            case .handover, .deviceType, .deviceRevision, .imageCheck, .answersEntry: [.legacy]
            case .version, .memory, .pins, .battery, .wrongPinsStatus, .signatureCheckMilliseconds,
                .refusesSignature:
                [.suota]
            }
        }
    }

    let kind: Kind
    let address: DeviceAddress
    /// The entry as a whole, for problems with what it is not.
    let place: YAMLValue
    private let values: [Key: YAMLValue]

    init(_ value: YAMLValue) throws(YAMLProblem) {
        place = value
        let members = try value.members()
        let word = members.first { $0.key == Key.kind.rawValue }
        kind = try word?.value.choice(of: Kind.allCases.named) ?? .secure
        var values: [Key: YAMLValue] = [:]
        for member in members {
            guard let key = Key(rawValue: member.key) else {
                throw member.unknown(
                    Key.allCases.filter { [kind] in $0.kinds.contains(kind) }.map(\.rawValue))
            }
            guard key.kinds.contains(kind) else {
                throw member.place.problem("a beacon of kind \(kind.rawValue) has no \(member.key)")
            }
            values[key] = member.value
        }
        self.values = values
        guard let address = values[.address] else { throw value.problem("'address' is missing") }
        self.address = try address.address()
    }

    /// The value of `key`, where it is given.
    subscript(key: Key) -> YAMLValue? { values[key] }

    /// The text of `key`.
    func text(_ key: Key) throws(YAMLProblem) -> String? { try values[key]?.text() }

    /// The number of `key`.
    func number<T: FixedWidthInteger>(
        _ key: Key, in range: ClosedRange<T> = T.min...T.max
    ) throws(YAMLProblem) -> T? {
        try values[key]?.number(in: range)
    }

    /// Whether `key` is true.
    func truth(_ key: Key) throws(YAMLProblem) -> Bool? { try values[key]?.truth() }

    /// What the name at `key` stands for.
    func choice<Value>(_ key: Key, of known: [String: Value]) throws(YAMLProblem) -> Value? {
        try values[key]?.choice(of: known)
    }
}

extension YAMLValue {
    /// The address of a beacon.
    func address() throws(YAMLProblem) -> DeviceAddress {
        let words = try text()
        guard let address = DeviceAddress(words) else {
            throw problem("'\(words)' is not an address; it looks like F0:0D:BE:AC:01:00")
        }
        return address
    }
}

extension Sequence where Element: RawRepresentable<String> {
    /// All of them by their names.
    var named: [String: Element] { Dictionary(map { ($0.rawValue, $0) }) { first, _ in first } }
}
