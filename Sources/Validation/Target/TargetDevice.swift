import ByteCoding
public import DialogSUOTA
import NordicDFU

/// What is known of a device that a file is meant for; what is not known is nil.
public struct TargetDevice: Hashable, Sendable {
    /// The SoftDevice that a Nordic device has.
    public enum SoftDevice: Hashable, Sendable {
        case none
        case installed(UInt32)
    }

    /// The model, as the catalogue or the vendor calls it.
    public var model: String?
    /// Nordic's hardware version.
    public var hardware: UInt32?
    /// The installed version: of Nordic's and Feasycom's applications a number, of SUOTA images a text.
    public var version: String?
    /// When the installed SUOTA image was built, in seconds since 1970 in UTC.
    public var timestamp: UInt32?
    /// The bootloader's version.
    public var bootloader: UInt32?
    /// The installed SoftDevice.
    public var softDevice: SoftDevice?
    /// Which nRF5 SDK the bootloader is from.
    public var generation = BootloaderGeneration.sdk17
    /// The family of Dialog chips.
    public var chip: HeaderFamily?
    /// Bytes of a bank for SUOTA images, header included.
    public var bank: Int?
    /// Bytes of flash for a Nordic image.
    public var room: Int?
    /// Whether the bootloader takes unsigned applications.
    public var takesUnsigned = false

    /// A device of which nothing is known.
    public init() {}

    /// A device by a text such as `model=Blinker,hardware=52,version=10000,softdevice=0xB7`.
    public init(parsing text: String) throws(TargetProblem) {
        var seen: Set<String> = []
        for item in text.split(separator: ",", omittingEmptySubsequences: false) {
            let sides = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let words = sides.map { String($0).trimmingSpaces }
            guard words.count == 2, !words[1].isEmpty else { throw TargetProblem(.notAPair(String(item))) }
            let key = words[0].lowercased()
            guard seen.insert(key).inserted else { throw TargetProblem(.repeated(key)) }
            try set(key, to: words[1])
        }
    }

    /// The installed version where versions are numbers.
    var versionNumber: UInt32? { version.flatMap { try? Self.number($0, of: "version") } }

    /// What is missing where ``versionNumber`` is nil.
    var versionAnswer: Answer { .needs(version == nil ? "version" : "a version that is a number") }

    /// The keys of the text form, for messages.
    static let keys = [
        "model", "hardware", "version", "softdevice", "bootloader", "sdk", "signed", "room", "chip", "bank",
        "timestamp",
    ]

    private mutating func set(_ key: String, to value: String) throws(TargetProblem) {
        switch key {
        case "model": model = value
        case "hardware": hardware = try Self.number(value, of: key)
        case "version": version = value
        case "timestamp": timestamp = try Self.number(value, of: key)
        case "bootloader": bootloader = try Self.number(value, of: key)
        case "softdevice": softDevice = try Self.softDevice(value)
        case "room": room = Int(try Self.number(value, of: key))
        case "bank": bank = Int(try Self.number(value, of: key))
        case "sdk":
            guard let known = BootloaderGeneration(text: value) else {
                throw TargetProblem(.value(key, value, allowed: BootloaderGeneration.names))
            }
            generation = known
        case "signed":
            guard value == "yes" || value == "no" else {
                throw TargetProblem(.value(key, value, allowed: ["yes", "no"]))
            }
            takesUnsigned = value == "no"
        case "chip":
            guard let family = HeaderFamily(rawValue: value == "531" ? "58x" : value.lowercased()) else {
                throw TargetProblem(
                    .value(key, value, allowed: HeaderFamily.allCases.map(\.rawValue) + ["531"]))
            }
            chip = family
        default: throw TargetProblem(.unknownKey(key))
        }
    }

    private static func number(_ text: String, of key: String) throws(TargetProblem) -> UInt32 {
        let isHexadecimal = text.lowercased().hasPrefix("0x")
        guard let value = isHexadecimal ? UInt32(text.dropFirst(2), radix: 16) : UInt32(text) else {
            throw TargetProblem(.value(key, text, allowed: ["a number from 0 to 4294967295"]))
        }
        return value
    }

    /// `none`, an id, or a name such as `s132_7.2.0`.
    private static func softDevice(_ text: String) throws(TargetProblem) -> SoftDevice {
        if text.lowercased() == "none" { return .none }
        if let id = try? number(text, of: "softdevice"), id <= 0xFFFF {
            return id == 0 ? .none : .installed(id)
        }
        guard let id = SoftDeviceNames.id(of: text) else {
            throw TargetProblem(
                .value(
                    "softdevice", text, allowed: ["none", "an id such as 0xB7", "a name such as s132_6.1.1"])
            )
        }
        return .installed(id)
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}

/// What is wrong with the text form of a target.
public struct TargetProblem: Error, Hashable, Sendable {
    enum Reason: Hashable, Sendable {
        case notAPair(String)
        case unknownKey(String)
        case repeated(String)
        case value(String, String, allowed: [String])
    }

    let reason: Reason

    init(_ reason: Reason) { self.reason = reason }
}

extension TargetProblem: CustomStringConvertible {
    /// One line for people.
    public var description: String {
        switch reason {
        case .notAPair(let text): "'\(text)' is not of the form key=value"
        case .unknownKey(let key):
            "there is no key '\(key)'; the keys are \(TargetDevice.keys.joined(separator: ", "))"
        case .repeated(let key): "'\(key)' stands twice"
        case .value(let key, let text, let allowed):
            "\(key) is '\(text)' and should be \(allowed.joined(separator: ", "))"
        }
    }
}
