extension NordicPart {
    /// The packager's mistake, if `key` does not verify the signature for a known reason; nil for another key's
    /// signature.
    func signatureFlaw(_ key: NordicPublicKey) -> String? {
        guard let wire = initPacket.signature?.bytes, wire.count == 64 else { return nil }
        let turned = wire[..<32].reversed() + wire[32...].reversed()
        if key.verifies(turned, of: initPacket.signedBytes) {
            return "it would verify with both halves reversed (least significant byte first)"
        }
        let outer: [(String, [UInt8])] = [
            ("the command around the init command", initPacket.commandBytes), ("the image", image),
        ]
        for (what, bytes) in outer {
            for signature in [wire, turned] where key.verifies(signature, of: bytes) {
                return "it covers \(what) instead of the init command"
            }
        }
        return nil
    }
}
