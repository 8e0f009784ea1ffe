import Sessions

extension KBeaconExchanges {
    /// Makes `peer` forget its settings, password included, once the link is gone (kbeacon.md, Reset).
    public init(resetting peer: KBeaconIntroduction.Peer) {
        let message =
            switch peer.identity.generation {
            case .first: KBeaconMessage("reset")
            case .second: KBeaconMessage("admin", [("stype", .text("reset"))])
            }
        self.init([Message(message: message, step: "resetting")], on: peer.terms)
    }
}
