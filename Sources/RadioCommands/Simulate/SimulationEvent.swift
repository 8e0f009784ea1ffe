import Bluetooth
import Bytes
import CommandKit
import Simulation
import UpdateModel

enum SimulationEvent: Equatable, Sendable {
    /// The beacon advertises through a controller, at the controller's own address `own` if there is one.
    case advertising(DeviceAddress, name: String?, adapter: String, own: DeviceAddress?, leftOut: Int)
    case connected(DeviceAddress?)
    case exchangedMTU(asked: Int, agreed: Int)
    case subscribed(BluetoothUUID, bits: UInt16)
    case requested(ClientRequest)
    case answered([UInt8], BluetoothUUID)
    case data(packets: Int, bytes: Int, answers: Int, dropped: Int)
    case refused(UInt8)
    case openedChannel(psm: UInt16)
    case broke(BrokenRule)
    case arrived(ArrivedUpdate)
    case restarted
    case disconnected(seconds: Double?, rulesBroken: Int)
    case trouble(String)

    var line: JSONLine { output.line }
    var text: TerminalText { output.text }

    private var output: (line: JSONLine, text: TerminalText) {
        switch self {
        case .advertising(let address, let name, let adapter, let own, let leftOut):
            let place = own.map { "\($0), the public address of \(adapter)" } ?? "\(address)"
            let rest = leftOut > 0 ? "; \(leftOut) structures did not fit" : ""
            return (
                JSONLine("advertising").adding([
                    "device": .text(address.description), "address_type": .text(address.kind.rawValue),
                    "name": .optional(name), "adapter": .text(adapter),
                    "heard_at": .text((own ?? address).description),
                ]), "advertising as \(name ?? "a beacon without a name") at \(place)\(rest)"
            )
        case .connected(let client):
            return (
                JSONLine("connected").adding([
                    "client": .optional(client?.description),
                    "address_type": .optional(client?.kind.rawValue),
                ]), "connected: \(client?.description ?? "unknown client")"
            )
        case .exchangedMTU(let asked, let agreed):
            return (
                JSONLine("mtu-exchanged", ["asked": .integer(asked), "mtu": .integer(agreed)]),
                "  MTU \(agreed), requested \(asked)"
            )
        case .subscribed(let uuid, let bits):
            let what = ["off", "notifications on", "indications on", "notifications and indications on"]
            return (
                JSONLine("subscribed").adding([
                    "characteristic": .text(uuid.description), "notifications": .bool(bits & 1 != 0),
                    "indications": .bool(bits & 2 != 0),
                ]), "  \(uuid): \(what[Int(bits & 3)])"
            )
        case .requested(let request):
            let line = JSONLine("request", request.fields.mapValues { .integer($0) })
            let fields = request.fields.sorted { $0.key < $1.key }.map { " \($0.key) \($0.value)" }
            return (line.adding(["name": .text(request.name)]), "  \(request.name)\(fields.joined())")
        case .answered(let value, let uuid):
            let digits = HexText.encode(value)
            return (
                JSONLine("answer", ["characteristic": .text(uuid.description), "value": .text(digits)]),
                "    answered \(digits)"
            )
        case .data(let packets, let bytes, let answers, let dropped):
            let lost = dropped > 0 ? "; \(dropped) dropped that came faster than flash is written" : ""
            return (
                JSONLine("data").adding([
                    "packets": .integer(packets), "bytes": .integer(bytes), "answers": .integer(answers),
                    "dropped": .integer(dropped),
                ]), "  data: \(bytes) bytes in \(packets) packets\(lost)"
            )
        case .refused(let code):
            return (
                JSONLine("refused", ["code": .integer(code)]), "  refused with error \(HexText.number(code))"
            )
        case .openedChannel(let psm):
            return (
                JSONLine("channel-opened", ["psm": .integer(psm)]),
                "  channel to PSM \(HexText.number(UInt8(clamping: psm)))"
            )
        case .broke(let rule):
            return (
                JSONLine("rule-broken").adding([
                    "rule": .text(rule.id), "message": .text(rule.text), "source": .text(rule.source),
                ]), "  RULE BROKEN \(rule.id): \(rule.text) (\(rule.source))"
            )
        case .arrived(let update):
            return (
                JSONLine("update-arrived", update.members),
                "  an update has arrived: \(update.bytes) bytes, \(update.isRight ? "right" : "WRONG")"
            )
        case .restarted: return (JSONLine("restarted"), "restarted")
        case .disconnected(let seconds, let rulesBroken):
            return (
                JSONLine("disconnected").adding([
                    "seconds": .rounded(seconds), "rules_broken": .integer(rulesBroken),
                ]), "disconnected\(seconds.map { " after \(Quantities.seconds($0))" } ?? "")"
            )
        case .trouble(let text):
            let code = FailureCode.command.notServed.rawValue
            return (JSONLine("warning", ["code": .text(code), "message": .text(text)]), "warning: \(text)")
        }
    }
}
