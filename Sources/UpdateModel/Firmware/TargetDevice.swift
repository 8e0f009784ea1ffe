import Bytes

/// The known facts of a device that a file is meant for, by the vendors' ``DeviceKey``s.
public struct TargetDevice: Hashable, Sendable {
    private var facts: [String: String]

    /// A device with known `facts`, by the names of their keys.
    public init(_ facts: [String: String] = [:]) { self.facts = facts }

    public subscript(key: String) -> String? {
        get { facts[key] }
        set { facts[key] = newValue }
    }

    /// The fact `key` as a number, decimal or hexadecimal after 0x; nil if it is unknown or not a number.
    public func number(_ key: String) -> UInt32? { facts[key].flatMap(Self.number) }

    /// A number, decimal or hexadecimal after 0x; nil for anything else.
    public static func number(in text: String) -> UInt32? {
        UInt32(decimalOrHexadecimal: text)
    }

    /// The model, by its name in the catalogue or the vendor's name for it.
    public var model: String? { self["model"] }
    public var version: String? { self["version"] }
    /// The installed version, if versions are numbers.
    public var versionNumber: UInt32? { number("version") }
    /// The answer if ``versionNumber`` is nil: it names the missing fact.
    public var versionAnswer: Answer { .needs(version == nil ? "version" : "a version that is a number") }
}

/// A device model, by its name in a catalogue or the vendor's name for it.
public struct DeviceModel: Hashable, Sendable {
    public let name: String
    public let kind: FirmwareKind
    /// The common facts of all its devices, such as their hardware version.
    public let facts: TargetDevice

    public init(name: String, kind: FirmwareKind, facts: TargetDevice = TargetDevice()) {
        (self.name, self.kind, self.facts) = (name, kind, facts)
    }
}

/// A fact about devices that a vendor uses, in a ``TargetDevice`` or in a catalogue's models.
public struct DeviceKey: Sendable {
    public let name: String
    /// The allowed values, in words for messages; empty if any text is allowed.
    public let allowed: [String]
    public let takes: @Sendable (String) -> Bool

    public init(_ name: String, allowed: [String], takes: @escaping @Sendable (String) -> Bool) {
        (self.name, self.allowed, self.takes) = (name, allowed, takes)
    }

    /// The message if `text` is not an allowed value; it lists the allowed values.
    public func refusal(of text: String) -> String {
        "\(name) is '\(text)' but must be \(allowed.count > 1 ? "one of " : "")\(allowed.joined(separator: ", "))"
    }

    public static func text(_ name: String) -> DeviceKey { DeviceKey(name, allowed: []) { _ in true } }

    public static func word(_ name: String, of words: [String]) -> DeviceKey {
        DeviceKey(name, allowed: words) { words.contains($0) }
    }

    public static func number(_ name: String, upTo highest: UInt32 = .max) -> DeviceKey {
        DeviceKey(name, allowed: ["a number from 0 to \(highest)"]) {
            TargetDevice.number(in: $0).map { $0 <= highest } ?? false
        }
    }
}

/// What a device would do with a file.
public enum FileVerdict: Hashable, Sendable, CustomStringConvertible {
    case accepted
    /// The device would refuse the file, or never start it, by the rule `id`; `code` is the device's own; nil if none.
    case refused(id: FailureCode, code: String?, cause: String)
    /// The verdict depends on unknown facts about the device, which have these keys.
    case undecided([String])

    /// The name in JSON output.
    public var word: String {
        switch self {
        case .accepted: "accepted"
        case .refused: "refused"
        case .undecided: "undecided"
        }
    }

    public var description: String {
        switch self {
        case .accepted: "accepted"
        case .refused(_, let code?, let cause): "refused with \(code): \(cause)"
        case .refused(_, nil, let cause): "refused: \(cause)"
        case .undecided(let keys): "cannot be decided without \(keys.joined(separator: ", "))"
        }
    }
}

/// The result of one check of a device.
public enum Answer: Hashable, Sendable {
    case pass
    /// The device would refuse the file by the rule `id`; `code` is the device's own, nil if none; then the cause.
    case refuse(id: FailureCode, code: String?, String)
    /// The result depends on an unknown fact, which has this key in `--target`.
    case needs(String)
}

extension FileVerdict {
    /// The first refusal decides; without one, the result depends on all missing facts.
    public init(_ answers: [Answer]) {
        var missing: [String] = []
        for answer in answers {
            switch answer {
            case .pass: break
            case .refuse(let id, let code, let cause):
                self = .refused(id: id, code: code, cause: cause)
                return
            case .needs(let key): if !missing.contains(key) { missing.append(key) }
            }
        }
        self = missing.isEmpty ? .accepted : .undecided(missing)
    }
}

public enum RunningProgram: String, CaseIterable, Sendable {
    case bootloader
    case application
}
