package import Bluetooth
import Bytes
package import CommandKit
import KKM

extension KBeaconEvent {
    /// The JSON event for an indication from `device` at the time `moment`.
    package func line(of device: DeviceAddress, at moment: String) -> JSONLine {
        var members: [String: JSONValue] = [
            "device": .text(device.description), "time": .text(moment), "type": .integer(Int(type)),
            "kind": .optional(name), "click": .optional(click), "bytes": .text(HexText.encode(bytes)),
        ]
        if let reading, case .climate(let temperature, let humidity) = reading.content {
            members["time_raw"] = .integer(Int(reading.time))
            members["temperature_celsius"] = .rounded(temperature)
            members["humidity_percent"] = .rounded(humidity)
        }
        return JSONLine("indication", members)
    }
}
