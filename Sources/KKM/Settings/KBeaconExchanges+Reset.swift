public import UpdateModel

extension KBeaconExchanges {
    /// Makes `peer` reset its settings, including the password, when the link ends (kbeacon.md, Reset).
    public init(resetting peer: KBeaconQuery.Peer) {
        let message =
            switch peer.identity.generation {
            case .first: KBeaconMessage("reset")
            case .second: KBeaconMessage("admin", [("stype", .text("reset"))])
            }
        self.init([Message(message: message, step: "resetting")], on: peer.terms)
    }

    /// Gives `peer` another password, which takes effect when the link ends (kbeacon.md, Password).
    public init(changingPasswordTo password: Secret, of peer: KBeaconQuery.Peer) {
        let text = KBeaconMessage.Value.text(String(decoding: password.bytes, as: UTF8.self))
        let group: [(String, KBeaconMessage.Value)] =
            peer.identity.generation == .first ? [("stype", .number(32))] : []
        let message = KBeaconMessage("cfg", group + [(KBeaconGeneration.password, text)])
        self.init([Message(message: message, step: "changing the password")], on: peer.terms)
    }
}

extension KBeaconSession {
    /// Why `password` cannot be given to a beacon; nil if it can. Some beacons drop characters that JSON
    /// escapes, and spaces at its ends would be lost on paper.
    public static func flaw(ofNew password: Secret) -> String? {
        guard passwordLengths.contains(password.bytes.count) else {
            return "a KBeacon's password needs 8 to 16 bytes, but the new one has \(password.bytes.count)"
        }
        let isPlain = password.bytes.allSatisfy { 0x21...0x7E ~= $0 && $0 != 0x22 && $0 != 0x5C }
        return isPlain
            ? nil : "the new password contains a space, a quote, a backslash, or a non-ASCII character"
    }
}
