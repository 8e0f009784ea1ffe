import Bytes
import TestSupport
import UpdateModel

@testable import MCUboot

/// A beacon that answers requests over SMP from a table of contents, byte by byte from the fact sheet: it
/// shares no code with the client.
struct ScriptedServer {
    /// The contents of answers in hexadecimal, by group, command and content of the request: `1 0`, `0 7
    /// a1…`.
    var contents: [String: String] = [:]
    /// The content for requests that are not in the table; nil to leave them unanswered. By default, not
    /// supported.
    var otherwise: String? = "a162726308"
    /// In the headers of answers: 0 for version 1.
    var version: UInt8 = 1
    /// The longest notification.
    var piece = 244
    /// How often each request is dropped before it is answered.
    var drops = 0

    private(set) var requests: [[UInt8]] = []
    private var pending: [[UInt8]] = []

    init(_ contents: [String: String] = [:], version: UInt8 = 1) {
        (self.contents, self.version) = (contents, version)
    }

    /// The bytes of a frame.
    static func frame(
        _ operation: UInt8, version: UInt8 = 1, group: UInt16, sequence: UInt8, command: UInt8,
        _ content: String
    ) -> [UInt8] {
        let content = [UInt8](hex: content)
        return [
            operation | version << 3, 0, UInt8(content.count >> 8), UInt8(content.count & 0xFF),
            UInt8(group >> 8),
            UInt8(group & 0xFF), sequence, command,
        ] + content
    }

    /// Plays `dialogue` to its end; silence takes as long as the dialogue waits.
    mutating func play<Subject: Dialogue>(
        _ dialogue: Subject, writing length: Int = 244
    ) throws(SessionFailure) -> PlayedDialogue<Subject> where Subject.Failure == SessionFailure {
        var played = try PlayedDialogue(dialogue, writing: length)
        while played.ending == nil {
            switch played.command {
            case .stream:
                receive(played.packet ?? [])
                try played.take(.done)
            case .expect(_, let limit):
                if pending.isEmpty {
                    try played.take(.timedOut, after: limit)
                } else {
                    try played.take(.value(pending.removeFirst()), after: .milliseconds(1))
                }
            default: try played.take(.done)
            }
        }
        return played
    }

    private mutating func receive(_ request: [UInt8]) {
        requests.append(request)
        guard request.count >= 8, requests.count(where: { $0.dropFirst(7) == request.dropFirst(7) }) > drops
        else {
            return
        }
        let name = "\(request[5]) \(request[7])"
        let detail = "\(name) \(HexText.encode(request.dropFirst(8)))"
        guard let content = contents[detail] ?? contents[name] ?? otherwise else { return }
        let answer = Self.frame(
            request[0] & 7 | 1, version: version, group: UInt16(request[5]), sequence: request[6],
            command: request[7], content)
        pending += stride(from: 0, to: answer.count, by: piece).map {
            Array(answer[$0..<min($0 + piece, answer.count)])
        }
    }
}

/// Contents of answers, made with independent tools.
enum Answers {
    /// Two slots; the second has an image that is pending. The version of the first is 1.2.3.4.
    static let pending =
        "a266696d6167657382a864736c6f74006776657273696f6e67312e322e332e3464686173685820841b7154f78e0f"
        + "28652c97bc057f7d4a1019828910f11fc8100e7bc3b2a4d01f68626f6f7461626c65f56770656e64696e67f46963"
        + "6f6e6669726d6564f566616374697665f5697065726d616e656e74f4a864736c6f74016776657273696f6e65312e"
        + "322e3464686173685820cd3bcfbcacefbf54a90aadc7d8847f478a27baf04372605c5a9ab4a52fffcdf068626f6f"
        + "7461626c65f56770656e64696e67f569636f6e6669726d6564f466616374697665f4697065726d616e656e74f46b"
        + "73706c697453746174757300"
    /// The same with lists and maps of indefinite length.
    static let indefinite =
        "bf66696d616765739fbf64736c6f74006776657273696f6e67312e322e332e3464686173685820841b7154f78e0f"
        + "28652c97bc057f7d4a1019828910f11fc8100e7bc3b2a4d01f68626f6f7461626c65f56770656e64696e67f46963"
        + "6f6e6669726d6564f566616374697665f5697065726d616e656e74f4ffbf64736c6f74016776657273696f6e6531"
        + "2e322e3464686173685820cd3bcfbcacefbf54a90aadc7d8847f478a27baf04372605c5a9ab4a52fffcdf068626f"
        + "6f7461626c65f56770656e64696e67f569636f6e6669726d6564f466616374697665f4697065726d616e656e74f4"
        + "ffff6b73706c697453746174757300ff"
    /// Image 0 in one slot, image 1 in two; flags that are false are left out.
    static let twoImages =
        "bf66696d616765739fbf65696d6167650064736c6f74006776657273696f6e65312e302e3064686173685820841b"
        + "7154f78e0f28652c97bc057f7d4a1019828910f11fc8100e7bc3b2a4d01f68626f6f7461626c65f569636f6e6669"
        + "726d6564f566616374697665f5ffbf65696d6167650164736c6f74006776657273696f6e65302e392e3064686173"
        + "685820841b7154f78e0f28652c97bc057f7d4a1019828910f11fc8100e7bc3b2a4d01f68626f6f7461626c65f569"
        + "636f6e6669726d6564f5ffbf65696d6167650164736c6f74016776657273696f6e65302e392e3164686173685820"
        + "841b7154f78e0f28652c97bc057f7d4a1019828910f11fc8100e7bc3b2a4d01f68626f6f7461626c65f56770656e"
        + "64696e67f5697065726d616e656e74f5ffffff"
    /// Two slots of 495616 bytes.
    static let sizes =
        "a166696d6167657381a365696d6167650065736c6f747382a264736c6f74006473697a651a00079000a364736c6f"
        + "74016473697a651a000790006f75706c6f61645f696d6167655f6964026e6d61785f696d6167655f73697a651a00"
        + "078000"
    static let parameters = "bf686275665f73697a651909ab696275665f636f756e7404ff"
    static let bootloader = "a16a626f6f746c6f61646572674d4355626f6f74"
    /// Swap with move, and lower versions are refused.
    static let mode = "a2646d6f6465036c6e6f2d646f776e6772616465f5"
    /// `output`: `nrf52840dk@1`.
    static let board = "a1666f75747075746c6e72663532383430646b4031"
    /// `output`: `Zephyr shelf 7`.
    static let application = "a1666f75747075746e5a6570687972207368656c662037"
    /// Version 1: not supported.
    static let refused = "a162726308"
    /// Version 2: no slot is free.
    static let noSlot = "a163657272a26567726f75700162726309"

    /// A beacon that reports everything.
    static let everything = [
        "1 0": pending, "0 6": parameters, "0 8": bootloader, "0 8 a1657175657279646d6f6465": mode,
        "1 6": sizes,
        "0 7 a166666f726d61746169": board, "0 7 a166666f726d61746161": application,
    ]
}
