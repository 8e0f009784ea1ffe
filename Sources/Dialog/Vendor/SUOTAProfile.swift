package import Bytes
import UpdateModel

/// The memory parameters that a vendor's devices have to be sent (docs/formats/suota-profiles.md).
package struct SUOTAProfile: Equatable {
    package let name: String
    let pins: PinMap
    var bank = ImageBank.oldest
    package var blockSize: Int?
    /// The largest payload in bytes that a bank holds; nil lets the device decide.
    package var bankSize: Int?
    /// Whether the devices check a signature after the transfer and report the result with a second status.
    var checksSignature = false
}

extension SUOTAProfile {
    static func named(_ name: String, in text: [UInt8]) throws(OptionFailure) -> SUOTAProfile {
        let profiles: [SUOTAProfile]
        do throws(YAMLProblem) { profiles = try reading(text) } catch {
            throw .invalid(.suota.profileInvalid, error)
        }
        guard let profile = profiles.first(where: { $0.name == name }) else {
            throw .missing(
                .suota.profileUnknown,
                "has no profile '\(name)'"
                    + Spelling.hint(
                        for: name, in: profiles.map(\.name),
                        otherwise: "; it has " + profiles.map(\.name).joined(separator: ", ")))
        }
        return profile
    }

    package static func reading(_ text: [UInt8]) throws(YAMLProblem) -> [SUOTAProfile] {
        let root = try YAMLValue(parsing: text)
        let values = try root.values(of: ["profiles", "suota"])
        guard let version = values["profiles"] else { throw root.problem("'profiles: 1' is missing") }
        guard try version.number(as: Int.self) == 1 else {
            throw version.problem("only version 1 of the format is supported")
        }
        guard let list = values["suota"] else { throw root.problem("'suota' is missing") }
        var profiles: [SUOTAProfile] = []
        for value in try list.list() {
            let profile = try SUOTAProfile(value)
            guard !profiles.contains(where: { $0.name == profile.name }) else {
                throw value.problem("profile '\(profile.name)' appears twice")
            }
            profiles.append(profile)
        }
        return profiles
    }

    private init(_ value: YAMLValue) throws(YAMLProblem) {
        let values = try value.values(
            of: ["name", "pins", "bank", "block_size", "bank_size", "checks_signature"])
        guard let name = values["name"] else { throw value.problem("'name' is missing") }
        guard let words = values["pins"] else { throw value.problem("'pins' is missing") }
        self.name = try name.text()
        let text = try words.text()
        do throws(PinMapError) { pins = try PinMap(text) } catch { throw words.problem("pins: \(error)") }
        if let value = values["bank"] {
            guard let bank = ImageBank(rawValue: try value.number()) else {
                throw value.problem("a bank is 0, 1 or 2")
            }
            self.bank = bank
        }
        if let value = values["block_size"] {
            let size: Int = try value.number()
            guard (1...0xFFFF).contains(size) else { throw value.problem("a block has 1 to 65535 bytes") }
            blockSize = size
        }
        if let value = values["bank_size"] {
            let size: Int = try value.number()
            guard size > 0 else { throw value.problem("a bank has at least 1 byte") }
            bankSize = size
        }
        if let value = values["checks_signature"] { checksSignature = try value.truth() }
    }
}
