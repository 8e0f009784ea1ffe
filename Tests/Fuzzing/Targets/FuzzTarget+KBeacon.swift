import Bluetooth

@testable import Simulation

extension FuzzTarget {
    /// Writes of clients to a KBeacon.
    static let kbeacon = [kbeaconSession]

    /// The first byte chooses the beacon, and whether the handshake is done. The rest is a row of writes; an empty one
    /// ends the link.
    private static let kbeaconSession = FuzzTarget("kbeacon-session", seeds: { scripts }) { input in
        let choice = Int(input.first ?? 0)
        var session = try session(choice)
        var now = Duration.zero
        func begin(_ session: inout KBeaconSession) {
            session.connect()
            session.longestValue = choice & 0x10 == 0 ? 244 : 20
            if choice & 0x20 == 0 { session.link.stage = .authenticated }
        }
        begin(&session)
        for packet in Script(Array(input.dropFirst())).packets {
            now += .milliseconds(10)
            if packet.isEmpty {
                session.disconnect(at: now)
                begin(&session)
            }
            let isOpen = session.isAuthenticated
            let before = session.memory
            for case .notify(let value, _, false, _) in session.receive(packet, at: now) {
                try demand(value.count <= session.longestValue, "\(value.count) bytes in a notification")
            }
            try demand(isOpen || session.memory == before, "changed without a session")
            let name = session.memory.settings.name
            try demand((1...18).contains(name.count), "the name \(name)")
            try demand((8...16).contains(session.memory.settings.password.utf8.count), "such a password")
        }
    }

    private static func session(_ choice: Int) throws(Violation) -> KBeaconSession {
        guard let address = DeviceAddress("BC:57:29:02:45:9F") else {
            throw Violation(description: "no address")
        }
        var description = KBeaconDescription(choice & 1 == 0 ? .second : .first)
        let shapes = KBeaconAnswerStyle.Shape.allCases
        description.answers.shape = shapes[(choice >> 1) % shapes.count]
        description.answers.records = description.answers.shape
        description.history = [KBeaconHistory(.humidity, count: 40), KBeaconHistory(.alarm, count: 0)]
        return KBeaconSession(
            description, at: address, StandardIdentity(address: address), name: "Bench")
    }

    private static let scripts: [[UInt8]] = {
        func json(_ text: String) -> [UInt8] { [0x23, 0, 0] + Array(text.utf8) }
        let second = [
            json(#"{"msg":"getPara","type":3}"#), [0x33, 0, 244, 3, 0xE8, 0, 0],
            json(#"{"msg":"cfg","name":"x","pwd":"Bench-07","advObj":[{"slot":1,"majorID":7}]}"#),
            json(#"{"msg":"cfg","trObj":[{"trIdx":0,"trType":4,"trAct":1}],"srObj":[{"srType":2,"log":1}]}"#),
            json(#"{"msg":"admin","stype":"reset"}"#), [],
        ]
        let first = [
            json(#"{"msg":"getPara","stype":119,"trType":1}"#),
            json(#"{"msg":"cfg","stype":36,"majorID":7,"advPrd":200.5}"#),
            json(#"{"msg":"ring","ringTime":1000,"ringType":2,"ledOn":10}"#), json(#"{"msg":"reset"}"#), [],
        ]
        let history: [[UInt8]] = [
            [0x03, 0, 0, 1, 2], [0x03, 0, 0, 2, 2, 255, 255, 255, 255, 0, 9, 0, 24], [0x03, 0, 0, 3, 2],
            [0x13, 1, 1, 2, 3, 4], [0x13, 2] + [UInt8](repeating: 7, count: 16),
            [0x20, 0, 0, 0x7B, 0x22], [0x21, 0, 2, 0x22], [0x22, 0, 3, 0x7D],
        ]
        return [second, first, history].enumerated().flatMap { number, rows in
            [0, 2, 0x14, 0x20].map { [UInt8($0 | (number == 1 ? 1 : 0))] + Script.input(rows) }
        }
    }()
}
