/// The state of a KBeacon that survives links and power losses.
struct KBeaconMemory: Codable, Hashable, Sendable {
    /// Its settings.
    var settings: KBeaconSettings
    /// The password that applies after the end of the link.
    var newPassword: String?
    /// Whether the end of the link resets it to factory settings.
    var resetsAtEnd = false
    /// Whether it was switched off.
    var isOff = false
    /// Whether the application is not the factory one.
    var isUpdated = false
    /// The checksum of the last application.
    var application: UInt32?
    /// How many records of each kind were fetched as new.
    var fetched: [UInt8: Int] = [:]
    /// The kinds whose records were cleared.
    var cleared: Set<UInt8> = []

    init(_ settings: KBeaconSettings) { self.settings = settings }

    /// Applies what was deferred to the end of the link; `factory` has the settings after a reset.
    mutating func endLink(_ factory: KBeaconSettings) {
        if resetsAtEnd { settings = factory }
        if let newPassword { settings.password = newPassword }
        newPassword = nil
        resetsAtEnd = false
    }
}
