/// What a KBeacon keeps over links and lost power.
struct KBeaconMemory: Codable, Hashable, Sendable {
    /// What somebody has set.
    var settings: KBeaconSettings
    /// The password from the end of the link on.
    var newPassword: String?
    /// Whether everything is as from the factory from the end of the link on.
    var resetsAtEnd = false
    /// Whether it was switched off.
    var isOff = false
    /// Whether the application is another one than at first.
    var isUpdated = false
    /// The checksum of the application that ran last.
    var application: UInt32?
    /// How many records of each kind were fetched as new ones.
    var fetched: [UInt8: Int] = [:]
    /// The kinds whose records were cleared.
    var cleared: Set<UInt8> = []

    init(_ settings: KBeaconSettings) { self.settings = settings }

    /// What was put off to the end of the link, `factory` being what a reset leads to.
    mutating func endLink(_ factory: KBeaconSettings) {
        if resetsAtEnd { settings = factory }
        if let newPassword { settings.password = newPassword }
        newPassword = nil
        resetsAtEnd = false
    }
}
