import Sessions

extension KBeaconExchanges {
    /// Makes `peer`, which has `found`, take the `changes`. That it has done so is read, not concluded from its answers.
    init(
        writing changes: [KBeaconSettings.Difference], to found: KBeaconSettings,
        of peer: KBeaconIntroduction.Peer
    ) {
        self.init(KBeaconSettings.messages(changes, to: found), on: peer.terms)
    }

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
