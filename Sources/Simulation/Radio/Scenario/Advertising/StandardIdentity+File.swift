import Bluetooth
import Bytes

extension StandardIdentity {
    /// Reads the keys of the frames that belong to no vendor.
    mutating func read(_ entry: inout BeaconEntry) throws(YAMLProblem) {
        if let value = entry["uuid"] {
            let text = try value.text()
            guard text.count == 36, let uuid = BluetoothUUID(text) else {
                throw value.problem("'\(text)' is not a 128-bit UUID")
            }
            self.uuid = uuid
        }
        major = try entry.number("major") ?? major
        minor = try entry.number("minor") ?? minor
        measuredPower = try entry.number("measured_power") ?? measuredPower
        powerAtZero = try entry.number("power_at_0m") ?? powerAtZero
        namespace = try entry["namespace"]?.bytes(10) ?? namespace
        instance = try entry["instance"]?.bytes(6) ?? instance
        ephemeralID = try entry["ephemeral_id"]?.bytes(8) ?? ephemeralID
        if let value = entry["id_period_s"] { idPeriod = try value.seconds(from: 1) }
        if let value = entry["url"] {
            let text = try value.text()
            guard let encoded = Self.encoded(text), encoded.count <= 18 else {
                throw value.problem(
                    "an Eddystone URL must begin with http:// or https:// and have at most 17 characters after "
                        + "that, where a common ending counts as one")
            }
            url = text
        }
        batteryMillivolts = try entry.number("battery_mv") ?? batteryMillivolts
        altBeaconCompany = try entry.number("altbeacon_company") ?? altBeaconCompany
        if let value = entry["temperature"] {
            let isUnknown = try value.text() == "none"
            temperature = isUnknown ? nil : try value.decimal(in: -127...127)
        }
    }
}

extension YAMLValue {
    /// `count` bytes in hexadecimal; if nil, any number up to 64.
    func bytes(_ count: Int? = nil) throws(YAMLProblem) -> [UInt8] {
        let words = try text()
        let decoded = try? HexText.decode(words)
        guard let bytes = decoded, count.map({ $0 == bytes.count }) ?? (bytes.count <= 64) else {
            throw problem(
                "\(count.map { "\($0) bytes" } ?? "at most 64 bytes") in hexadecimal are expected here")
        }
        return bytes
    }

    /// Seconds, optionally with a fraction.
    func seconds(from least: Double = 0, upTo most: Double = 86_400) throws(YAMLProblem) -> Duration {
        .seconds(try decimal(in: least...most))
    }

    func milliseconds(from least: Int = 0, upTo most: Int = 60_000) throws(YAMLProblem) -> Duration {
        .milliseconds(try number(in: least...most))
    }

    func period() throws(YAMLProblem) -> Duration { try milliseconds(from: 20, upTo: 3_600_000) }

    func twoParts() throws(YAMLProblem) -> TwoPartVersion {
        let words = try text()
        guard let version = TwoPartVersion(words) else {
            throw problem("'\(words)' is not a version: it must be two numbers up to 255, such as 6.20")
        }
        return version
    }

    func numbers<T: FixedWidthInteger>(_ count: Int) throws(YAMLProblem) -> [T] {
        let values = try list()
        guard values.count == count else { throw problem("\(count) numbers are expected here") }
        var numbers: [T] = []
        for value in values { numbers.append(try value.number()) }
        return numbers
    }
}
