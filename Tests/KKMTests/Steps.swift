import Bluetooth
import Bytes
import TestSupport
import UpdateModel

@testable import KKM

let requests = Characteristic(BluetoothUUID(0xFEA0), BluetoothUUID(0xFEA1))
let answers = Characteristic(BluetoothUUID(0xFEA0), BluetoothUUID(0xFEA2))

/// A dialogue played with a table of outcomes.
struct Held<D: Dialogue> {
    var dialogue: D
    /// The last command.
    private(set) var command: DialogueCommand<D.Ending>

    init(_ dialogue: D, writing length: Int = 20) throws {
        var dialogue = dialogue
        command = try dialogue.begin(on: LinkFacts(maximumWriteLength: length)).command
        self.dialogue = dialogue
    }

    mutating func take(_ outcome: DialogueOutcome) throws {
        command = try dialogue.advance(after: outcome).command
    }

    mutating func hear(_ hex: String) throws { try take(.value([UInt8](hex: hex))) }

    /// The last written value, in hexadecimal.
    var written: String? {
        switch command {
        case .request(let bytes, requests, answers, _), .write(let bytes, requests, _): bytes.hex
        default: nil
        }
    }

    /// The result.
    var ending: D.Ending? { if case .end(let ending) = command { ending } else { nil } }

    var waits: Bool { if case .expect(answers, _) = command { true } else { false } }
}

extension [UInt8] {
    var hex: String { HexText.encode(self) }
}
