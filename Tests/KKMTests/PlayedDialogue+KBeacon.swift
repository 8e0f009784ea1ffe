import Bluetooth
import TestSupport
import UpdateModel

@testable import KKM

let requests = Characteristic(BluetoothUUID(0xFEA0), BluetoothUUID(0xFEA1))
let answers = Characteristic(BluetoothUUID(0xFEA0), BluetoothUUID(0xFEA2))

extension PlayedDialogue {
    mutating func hear(_ hex: String) throws { try take(.value([UInt8](hex: hex))) }

    /// The last written value, in hexadecimal.
    var written: String? {
        switch command {
        case .request(let bytes, requests, answers, _), .write(let bytes, requests, _): bytes.hex
        default: nil
        }
    }

    var waits: Bool { if case .expect(answers, _) = command { true } else { false } }
}
