package import UpdateModel

extension KKMVendor {
    package var support: [MakerSupport] { [kBeacon, older] }

    private var kBeacon: MakerSupport {
        let session = MakerSupport.Answer.proven([.source, .clients, .simulated, .peripheral])
        return MakerSupport(
            "kkm", title: "KKM KBeacon",
            [
                .heard: .proven([.document, .source, .simulated, .peripheral]), .asked: session,
                .settingsRead: .proven([.source, .simulated, .peripheral]),
                .settingsWritten: .proven([.source, .simulated]), .password: .proven([.source, .simulated]),
                .shown: session, .records: .proven([.source, .simulated, .peripheral]), .updated: session,
            ],
            gaps: [
                .init(
                    "the models of the numbers in the frames",
                    needed: "KKM's table, or the frames of beacons whose model is known"),
                .init(
                    "the bootloader's address for a beacon with a public address",
                    needed: "a recording of an update of one"),
                .init(
                    "whether settings survive an update, and whether wrong passwords are counted",
                    needed: "a beacon to try it with"),
            ])
    }

    private var older: MakerSupport {
        MakerSupport(
            "kkm-old", title: "KKM KBeacon, before 2019",
            [.heard: .proven([.clients, .simulated]), .asked: .notPublic, .updated: .notPublic],
            gaps: [
                .init(
                    "settings and updates over the service EE0C2080",
                    needed: "a beacon, and a recording of KKM's application with it")
            ])
    }
}
