import Bluetooth
import FoundationEssentials
import Nordic
import TestSupport
import UpdateModel

/// Recorded traffic: writes, notifications, and the bytes that are sent as packets.
enum TrafficStep: Equatable {
    case write([UInt8])
    case notify([UInt8])
    case packets([[UInt8]])
}

/// A whole conversation of 4100 bytes, in which byte i is i mod 251.
struct GoldenTraffic: Sendable {
    let name: String
    let payload: Int
    let receipts: Int
    let initPacket: [UInt8]
    let lines: [String]

    /// `> 0601` is a request, `< 600201` a notification, `= init` all packets of the init packet, `= 0 2928` those of
    /// the image from 0 up to 2928.
    var steps: [TrafficStep] {
        lines.compactMap { line in
            let words = line.split(separator: " ").map(String.init)
            switch words.first {
            case ">": return .write([UInt8](hex: words[1]))
            case "<": return .notify([UInt8](hex: words[1]))
            case "=" where words[1] == "init": return .packets(cut(initPacket[...]))
            case "=":
                let range = (Int(words[1]) ?? 0)..<(Int(words[2]) ?? 0)
                return .packets(cut(SecureSubject.image(4100)[range]))
            default: return nil
            }
        }
    }

    private func cut(_ bytes: ArraySlice<UInt8>) -> [[UInt8]] {
        stride(from: bytes.startIndex, to: bytes.endIndex, by: payload).map {
            Array(bytes[$0..<min($0 + payload, bytes.endIndex)])
        }
    }

    /// The procedure's commands when it receives the notifications of this traffic.
    func replay() throws -> [TrafficStep] {
        var procedure = SecureProcedure(
            SecureSubject.firmware(initPacket: initPacket), receiptInterval: receipts)
        var heard = steps.compactMap { if case .notify(let value) = $0 { value } else { nil } }[...]
        var seen: [TrafficStep] = []
        var packets: [[UInt8]] = []
        func flush() {
            if !packets.isEmpty { seen.append(.packets(packets)) }
            packets = []
        }
        func listen() -> DialogueOutcome {
            guard let value = heard.popFirst() else { return .timedOut }
            seen.append(.notify(value))
            return .value(value)
        }
        var step = try procedure.begin(on: LinkFacts(maximumWriteLength: payload))
        while true {
            let outcome: DialogueOutcome
            switch step.command {
            case .subscribe, .rest: outcome = .done
            case .stream(let run):
                packets += stride(
                    from: run.bytes.startIndex, to: run.bytes.endIndex, by: run.packetLength
                ).map { Array(run.bytes[$0..<min($0 + run.packetLength, run.bytes.endIndex)]) }
                outcome = .done
            case .request(let bytes, _, _, _):
                flush()
                seen.append(.write(bytes))
                outcome = listen()
            case .expect:
                flush()
                outcome = listen()
            case .end, .write, .read, .open, .list, .find, .readHandle, .readIfAllowed: return seen
            }
            step = try procedure.advance(after: outcome)
        }
    }
}

extension GoldenTraffic {
    private static let signedInit = [UInt8](
        hex: "1289010a430801123f080110341a02800220002800300038842042240803122010e3a47c0827e4"
            + "07168341a16eee81098cd3d98e8c3a8a616579ac45ce3bfdd0480052040801120010001a4074"
            + "b58d3f2e997126a0a41dd95ad79de1266c09a4c66f7acca1fb8358d71fa47c010d22e932e6d9"
            + "b7618b5619ecbb5e5873e84f9ab7089842d17d70455d78a94a")

    private static let shortInit = [UInt8](
        hex: "1283010a3d08011239080110341a02800220002800300038842042240803122010e3a47c0827e4"
            + "07168341a16eee81098cd3d98e8c3a8a616579ac45ce3bfdd0480010001a408650d58d719eef"
            + "9c5abdcbc3a1320f5b649169cce924ede8f82da8a795d6b9b713fa0b0eab1ace67fa29caa966"
            + "8c1f2aefc97bc293c91e13673d7d82a20d15ae")

    private static let afterFirstObject = [
        "> 03", "< 6003010010000007f965d4", "> 04", "< 600401", "> 010204000000", "< 600101", "= 4096 4100",
        "> 03", "< 6003010410000068522e43", "> 04", "< 600401",
    ]

    private static let afterLargeInit = [
        "> 0601", "< 600601000200000000000000000000", "> 01018c000000", "< 600101", "= init", "> 03",
        "< 6003018c000000901b9245", "> 04", "< 600401", "> 0602", "< 600601001000000000000000000000",
        "> 010200100000", "< 600101",
    ]

    static let all = [
        GoldenTraffic(
            name: "A_fresh_mtu247_prn0", payload: 244, receipts: 0, initPacket: signedInit,
            lines: ["> 020000", "< 600201"] + afterLargeInit + ["= 0 4096"] + afterFirstObject),
        GoldenTraffic(
            name: "A_fresh_mtu247_prn12", payload: 244, receipts: 12, initPacket: signedInit,
            lines: ["> 020c00", "< 600201"] + afterLargeInit
                + ["= 0 2928", "< 600301700b00004ac34ab1", "= 2928 4096"] + afterFirstObject),
        GoldenTraffic(
            name: "B_fresh_mtu23_prn0", payload: 20, receipts: 0, initPacket: shortInit,
            lines: [
                "> 020000", "< 600201", "> 0601", "< 600601000100000000000000000000", "> 010186000000",
                "< 600101", "= init", "> 03", "< 60030186000000a49f6851", "> 04", "< 600401", "> 0602",
                "< 600601001000000000000000000000", "> 010200100000", "< 600101", "= 0 4096",
            ] + afterFirstObject),
    ]
}

/// The file from which the traffic above was taken, if it is there.
struct TrafficFile: Decodable {
    struct Group: Decodable {
        let payload: Int
        let prn: Int
        let steps: [Step]
    }

    struct Step: Decodable {
        let dir: String
        let source: String?
        let offset: Int?
        let length: Int?
        let hex: Texts?
    }

    /// One text or several.
    struct Texts: Decodable {
        let all: [String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let one = try? container.decode(String.self) {
                all = [one]
            } else {
                all = try container.decode([String].self)
            }
        }
    }

    private struct Document: Decodable {
        /// A group of steps, or a comment.
        enum Entry: Decodable {
            case group(Group)
            case remark

            init(from decoder: any Decoder) throws {
                self = (try? Group(from: decoder)).map { .group($0) } ?? .remark
            }
        }

        let traffic: [String: Entry]
    }

    static let path = "\(Samples.root)/../shared/vectors/nordic-secure.json"
    static var isThere: Bool { FileManager.default.fileExists(atPath: path) }

    static func groups() throws -> [String: Group] {
        let document = try JSONDecoder().decode(Document.self, from: Data(Samples.file(at: path)))
        return document.traffic.compactMapValues { if case .group(let group) = $0 { group } else { nil } }
    }
}

extension TrafficFile.Group {
    /// The steps of the procedure; consecutive packets are one step.
    var traffic: [TrafficStep] {
        let image = SecureSubject.image(4100)
        return steps.map { step in
            let values = (step.hex?.all ?? []).map { [UInt8](hex: $0) }
            if step.dir == "notify" { return .notify(values.first ?? []) }
            guard let offset = step.offset, let length = step.length else {
                return .write(values.first ?? [])
            }
            guard values.isEmpty else { return .packets(values) }
            return .packets(
                stride(from: offset, to: offset + length, by: payload).map {
                    Array(image[$0..<min($0 + payload, offset + length)])
                })
        }
    }

    var initPacket: [UInt8] {
        steps.filter { $0.source == "packet" }.flatMap { $0.hex?.all ?? [] }.flatMap { [UInt8](hex: $0) }
    }
}
