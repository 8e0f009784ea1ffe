/// Notes of a Legacy packager in the manifest, in addition to the names of files.
///
///     "sd_size": n, "bl_size": n                 of `softdevice_bootloader`: sent to the device
///     "init_packet_data": { "<field>": … }       a copy of the `.dat`'s fields; informational only
public struct LegacyNotes: Hashable, Sendable {
    /// A value of `init_packet_data`.
    public enum Value: Hashable, Sendable {
        /// A number.
        case number(Double)
        /// A list of numbers.
        case numbers([Double])
        /// Hexadecimal digits.
        case text(String)
        /// Any other JSON value.
        case other
    }

    /// Bytes of the bootloader in the image.
    public let bootloaderSize: Int?
    /// Bytes of the SoftDevice in the image.
    public let softdeviceSize: Int?
    /// The members of `init_packet_data`; nil if it is missing.
    public let initPacketData: [String: Value]?
}

extension LegacyNotes {
    /// The JSON object `init_packet_data`. Any value is accepted, because it is informational only.
    struct Object: Decodable {
        let values: [String: Value]

        init(from decoder: any Decoder) {
            var values: [String: Value] = [:]
            if let members = try? decoder.container(keyedBy: Key.self) {
                for key in members.allKeys {
                    guard (try? members.decodeNil(forKey: key)) != true else { continue }
                    values[key.stringValue] = Self.value(of: key, in: members)
                }
            }
            self.values = values
        }

        private static func value(of key: Key, in members: KeyedDecodingContainer<Key>) -> Value {
            if let number = try? members.decode(Double.self, forKey: key) { return .number(number) }
            if let text = try? members.decode(String.self, forKey: key) { return .text(text) }
            if let numbers = try? members.decode([Double].self, forKey: key) { return .numbers(numbers) }
            return .other
        }

        private struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
    }
}
