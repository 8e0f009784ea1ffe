/// What a beacon reports about itself over a short connection: in Generic Access, Device Information and
/// Battery Service, and in its vendor's session. Nil for what it does not report, or was not asked.
package struct DeviceReading: Hashable, Sendable {
    /// A source for facts that a beacon does not advertise.
    package enum Source: Hashable, Sendable {
        /// Generic Access, Device Information and Battery Service.
        case services
        case session
    }

    package struct Session: Hashable, Sendable {
        package var model: String?
        package var hardware: String?
        package var version: String?
        /// The charge in percent.
        package var battery: Int?

        package init() {}
    }

    /// Device Name (2A00).
    package var name: String?
    /// Model Number String (2A24).
    package var model: String?
    /// Serial Number String (2A25).
    package var serial: String?
    /// Hardware Revision String (2A27).
    package var hardware: String?
    /// Firmware Revision String (2A26).
    package var firmware: String?
    /// Software Revision String (2A28).
    package var software: String?
    /// Battery Level (2A19), in percent.
    package var battery: Int?
    /// The facts from the vendor's session; nil if there was none.
    package var session: Session?

    package init() {}

    /// The installed version for a family that reports it in `source`. With nil, for a family without `version_from`,
    /// the session's version counts or, without one, that of the revisions, unless these contradict each other.
    func version(in source: VersionSource?) -> String? {
        switch source {
        case .advertising: nil
        case .session: session?.version
        case .firmwareRevision: firmware
        case .softwareRevision: softwareVersion
        case nil: session?.version ?? revision
        }
    }

    private var revision: String? {
        softwareVersion == nil || softwareVersion == firmware
            ? firmware : firmware == nil ? softwareVersion : nil
    }

    /// The version in the software revision: the whole text, or in a list with commas the only entry with a
    /// point (Feasycom).
    private var softwareVersion: String? {
        guard let software, software.contains(",") else { return software }
        let versions = software.split(separator: ",").filter { $0.contains(".") }
        return versions.count == 1 ? versions.first.map(String.init) : nil
    }
}
