/// A scenario as its file has it: YAML, JSON is a subset. Everything but the beacons' addresses may be left
/// out; a key that is not listed here is an error, so that a typing mistake does not pass for a setting.
struct ScenarioFile: Decodable {
    /// The link: a model, or the text `instant` for one without air time.
    enum LinkChoice: Decodable {
        case modelled(Link)
        case instant

        init(from decoder: any Decoder) throws {
            guard let word = try? decoder.singleValueContainer().decode(String.self) else {
                self = .modelled(try Link(from: decoder))
                return
            }
            guard word == "instant" else {
                throw DecodingError.dataCorrupted(
                    DecodingError.Context(
                        codingPath: decoder.codingPath,
                        debugDescription: "link is a mapping, or the word instant, not '\(word)'"))
            }
            self = .instant
        }
    }

    /// The settings of a modelled link.
    struct Link: Decodable {
        var intervalMilliseconds: Double?
        var eventMilliseconds: Double?
        var dataLength: Int?
        var phy: String?
        var packetsPerEvent: Int?
        var isEncrypted: Bool?
        var loss: Double?
        var seed: UInt64?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case intervalMilliseconds = "interval_ms"
            case eventMilliseconds = "event_ms"
            case dataLength = "data_length"
            case phy
            case packetsPerEvent = "packets_per_event"
            case isEncrypted = "encrypted"
            case loss, seed
        }

        init(from decoder: any Decoder) throws {
            let keys = try decoder.strictContainer(keyedBy: CodingKeys.self)
            intervalMilliseconds = try keys.decodeIfPresent(Double.self, forKey: .intervalMilliseconds)
            eventMilliseconds = try keys.decodeIfPresent(Double.self, forKey: .eventMilliseconds)
            dataLength = try keys.decodeIfPresent(Int.self, forKey: .dataLength)
            phy = try keys.decodeIfPresent(String.self, forKey: .phy)
            packetsPerEvent = try keys.decodeIfPresent(Int.self, forKey: .packetsPerEvent)
            isEncrypted = try keys.decodeIfPresent(Bool.self, forKey: .isEncrypted)
            loss = try keys.decodeIfPresent(Double.self, forKey: .loss)
            seed = try keys.decodeIfPresent(UInt64.self, forKey: .seed)
        }
    }

    /// One beacon.
    struct Beacon: Decodable {
        var kind: String?
        var address: String
        var name: String?
        var bootloaderName: String?
        var personality: String?
        var mode: String?
        var key: String?
        var hardware: UInt32?
        var softDevice: UInt16?
        var applicationVersion: UInt32?
        var bootloaderVersion: UInt32?
        var flash: String?
        var flashKilobytes: Int?
        var rssi: Int8?
        var faults: [[String: Int]]?
        var buttonless: String?
        var bootloaderAddress: String?
        var crashesOnName: Bool?
        var bootloaderTakesName: Bool?
        var deviceType: UInt16?
        var deviceRevision: UInt16?
        var imageCheck: String?
        var handover: String?
        var answersEntry: Bool?
        var firmwareRevision: String?
        var bonded: Bool?
        var version: String?
        var memory: String?
        var pins: String?
        var wrongPinsStatus: Int?
        var battery: Int?
        var signatureCheckMilliseconds: Int?
        var refusesSignature: Bool?
        var batteryMillivolts: Int?
        var receiver: Receiver?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case kind, address, name, personality, mode, key, hardware, flash, rssi, faults, buttonless
            case bootloaderAddress = "bootloader_address"
            case crashesOnName = "crashes_on_name"
            case bootloaderTakesName = "bootloader_takes_name"
            case bootloaderName = "bootloader_name"
            case softDevice = "softdevice"
            case applicationVersion = "application_version"
            case bootloaderVersion = "bootloader_version"
            case flashKilobytes = "flash_kb"
            case deviceType = "device_type"
            case deviceRevision = "device_revision"
            case imageCheck = "image_check"
            case handover
            case answersEntry = "answers_entry"
            case firmwareRevision = "firmware_revision"
            case bonded, version, memory, pins
            case wrongPinsStatus = "wrong_pins_status"
            case battery
            case signatureCheckMilliseconds = "signature_check_ms"
            case refusesSignature = "refuses_signature"
            case batteryMillivolts = "battery_mv"
            case receiver
        }

        init(from decoder: any Decoder) throws {
            let keys = try decoder.strictContainer(keyedBy: CodingKeys.self)
            kind = try keys.decodeIfPresent(String.self, forKey: .kind)
            address = try keys.decode(String.self, forKey: .address)
            name = try keys.decodeIfPresent(String.self, forKey: .name)
            bootloaderName = try keys.decodeIfPresent(String.self, forKey: .bootloaderName)
            personality = try keys.decodeIfPresent(String.self, forKey: .personality)
            mode = try keys.decodeIfPresent(String.self, forKey: .mode)
            key = try keys.decodeIfPresent(String.self, forKey: .key)
            hardware = try keys.decodeIfPresent(UInt32.self, forKey: .hardware)
            softDevice = try keys.decodeIfPresent(UInt16.self, forKey: .softDevice)
            applicationVersion = try keys.decodeIfPresent(UInt32.self, forKey: .applicationVersion)
            bootloaderVersion = try keys.decodeIfPresent(UInt32.self, forKey: .bootloaderVersion)
            flash = try keys.decodeIfPresent(String.self, forKey: .flash)
            flashKilobytes = try keys.decodeIfPresent(Int.self, forKey: .flashKilobytes)
            rssi = try keys.decodeIfPresent(Int8.self, forKey: .rssi)
            faults = try keys.decodeIfPresent([[String: Int]].self, forKey: .faults)
            buttonless = try keys.decodeIfPresent(String.self, forKey: .buttonless)
            bootloaderAddress = try keys.decodeIfPresent(String.self, forKey: .bootloaderAddress)
            crashesOnName = try keys.decodeIfPresent(Bool.self, forKey: .crashesOnName)
            bootloaderTakesName = try keys.decodeIfPresent(Bool.self, forKey: .bootloaderTakesName)
            deviceType = try keys.decodeIfPresent(UInt16.self, forKey: .deviceType)
            deviceRevision = try keys.decodeIfPresent(UInt16.self, forKey: .deviceRevision)
            imageCheck = try keys.decodeIfPresent(String.self, forKey: .imageCheck)
            handover = try keys.decodeIfPresent(String.self, forKey: .handover)
            answersEntry = try keys.decodeIfPresent(Bool.self, forKey: .answersEntry)
            firmwareRevision = try keys.decodeIfPresent(String.self, forKey: .firmwareRevision)
            bonded = try keys.decodeIfPresent(Bool.self, forKey: .bonded)
            version = try keys.decodeIfPresent(String.self, forKey: .version)
            memory = try keys.decodeIfPresent(String.self, forKey: .memory)
            pins = try keys.decodeIfPresent(String.self, forKey: .pins)
            wrongPinsStatus = try keys.decodeIfPresent(Int.self, forKey: .wrongPinsStatus)
            battery = try keys.decodeIfPresent(Int.self, forKey: .battery)
            signatureCheckMilliseconds = try keys.decodeIfPresent(
                Int.self, forKey: .signatureCheckMilliseconds)
            refusesSignature = try keys.decodeIfPresent(Bool.self, forKey: .refusesSignature)
            batteryMillivolts = try keys.decodeIfPresent(Int.self, forKey: .batteryMillivolts)
            receiver = try keys.decodeIfPresent(Receiver.self, forKey: .receiver)
        }
    }

    var link: LinkChoice?
    var beacons: [Beacon]
    var state: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case link, beacons, state
    }

    init(from decoder: any Decoder) throws {
        let keys = try decoder.strictContainer(keyedBy: CodingKeys.self)
        link = try keys.decodeIfPresent(LinkChoice.self, forKey: .link)
        beacons = try keys.decode([Beacon].self, forKey: .beacons)
        state = try keys.decodeIfPresent(String.self, forKey: .state)
    }
}

extension Decoder {
    /// A container that has no other keys than those of `Keys`.
    func strictContainer<Keys: CodingKey & CaseIterable>(
        keyedBy type: Keys.Type
    ) throws -> KeyedDecodingContainer<Keys> {
        let known = Set(Keys.allCases.map(\.stringValue))
        for key in try container(keyedBy: AnyKey.self).allKeys where !known.contains(key.stringValue) {
            let list = known.sorted().joined(separator: ", ")
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: codingPath,
                    debugDescription: "there is no key '\(key.stringValue)' here; the keys are \(list)"))
        }
        return try container(keyedBy: type)
    }
}

private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
