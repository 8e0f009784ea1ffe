import BluetoothTypes

extension ScenarioFile.Beacon {
    /// What a beacon speaks.
    enum Kind: String, CaseIterable {
        case secure = "nordic-secure"
        case legacy = "nordic-legacy"
        case suota

        /// As a list for people.
        static let list = "nordic-secure, nordic-legacy or suota"
    }

    /// Keys that mean nothing to a beacon of this kind.
    func refuseKeys(foreignTo kind: Kind, _ address: DeviceAddress) throws(Scenario.Flaw) {
        for (key, isThere, kinds) in keyOwners where isThere && !kinds.contains(kind) {
            throw Scenario.Flaw(
                text: "\(address): a beacon of kind \(kind.rawValue) has no \(key.stringValue)")
        }
    }

    /// The keys that not every kind has.
    private var keyOwners: [(CodingKeys, Bool, Set<Kind>)] {
        let secure: [(CodingKeys, Bool)] = [
            (.hardware, hardware != nil), (.bootloaderVersion, bootloaderVersion != nil),
            (.crashesOnName, crashesOnName != nil), (.bootloaderTakesName, bootloaderTakesName != nil),
            (.bonded, bonded != nil), (.firmwareRevision, firmwareRevision != nil),
        ]
        let legacy: [(CodingKeys, Bool)] = [
            (.deviceType, deviceType != nil), (.deviceRevision, deviceRevision != nil),
            (.imageCheck, imageCheck != nil), (.handover, handover != nil),
            (.answersEntry, answersEntry != nil),
        ]
        let nordic: [(CodingKeys, Bool)] = [
            (.bootloaderName, bootloaderName != nil), (.mode, mode != nil), (.key, key != nil),
            (.softDevice, softDevice != nil), (.applicationVersion, applicationVersion != nil),
            (.flashKilobytes, flashKilobytes != nil), (.buttonless, buttonless != nil),
            (.bootloaderAddress, bootloaderAddress != nil), (.receiver, receiver != nil),
        ]
        let suota: [(CodingKeys, Bool)] = [
            (.version, version != nil), (.memory, memory != nil), (.pins, pins != nil),
            (.wrongPinsStatus, wrongPinsStatus != nil), (.battery, battery != nil),
            (.signatureCheckMilliseconds, signatureCheckMilliseconds != nil),
            (.refusesSignature, refusesSignature != nil),
        ]
        return secure.map { ($0, $1, [.secure]) } + legacy.map { ($0, $1, [.legacy]) }
            + nordic.map { ($0, $1, [.secure, .legacy]) } + suota.map { ($0, $1, [.suota]) }
    }
}
