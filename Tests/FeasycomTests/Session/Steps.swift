import Bluetooth
import Bytes
import TestSupport
import UpdateModel

@testable import Feasycom

let requests = Characteristic(BluetoothUUID(0xFFF0), BluetoothUUID(0xFFF2))
let answers = Characteristic(BluetoothUUID(0xFFF0), BluetoothUUID(0xFFF1))

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

    mutating func hear(_ text: String) throws { try take(.value(Array(text.utf8))) }

    /// The last written text.
    var written: String? {
        switch command {
        case .request(let bytes, requests, answers, _), .write(let bytes, requests, _):
            String(decoding: bytes, as: UTF8.self)
        default: nil
        }
    }

    var isOver: Bool { if case .end = command { true } else { false } }
    /// The result.
    var ending: D.Ending? { if case .end(let ending) = command { ending } else { nil } }
    var waits: Bool { wait != nil }
    /// The remaining wait; nil if there is none.
    var wait: Duration? { if case .expect(answers, let limit) = command { limit } else { nil } }
}
