package import UpdateModel

/// An image to install, as the update needs it.
package struct ImageUpload: Equatable, Sendable {
    /// The image on the device: 0 for the application of most devices, 1 for the network core of an nRF5340.
    package let image: Int
    /// The slot that this file was linked for, 0 or 1 (direct-XIP); nil if it runs from any.
    package let slot: Int?
    /// What is sent: the image up to its last TLV, without padding; with it if the bootloader needs the trailer.
    package let bytes: [UInt8]
    /// The value of its hash TLV, 32, 48 or 64 bytes: how a device names the image.
    package let hash: [UInt8]
    package let version: ImageVersion
    /// What it is, in sentences: `application`.
    package let title: String
    /// Whether its header has the address of the slot that it runs from, which servers and bootloaders compare.
    package let hasAddress: Bool
    package let dependencies: [ImageDependency]

    package init(
        image: Int = 0, slot: Int? = nil, bytes: [UInt8], hash: [UInt8], version: ImageVersion,
        title: String = "application", hasAddress: Bool = false, dependencies: [ImageDependency] = []
    ) {
        (self.image, self.slot, self.bytes) = (image, slot, bytes)
        (self.hash, self.version, self.title) = (hash, version, title)
        (self.hasAddress, self.dependencies) = (hasAddress, dependencies)
    }
}

/// When an image that was installed is made permanent.
package enum Confirmation: String, CaseIterable, Sendable {
    /// After the restart, once the beacon reports that it runs: a bad image is undone by the next restart.
    case afterCheck = "after-check"
    /// Before the restart: there is no way back.
    case now
    /// Never: the next restart undoes it unless the firmware confirms itself.
    case test
}

/// What a user can choose of an update over SMP.
package struct SMPPreferences: Hashable, Sendable {
    package var confirmation = Confirmation.afterCheck
    /// Erases the beacon's settings and bonds before the restart.
    package var erasesStorage = false
    /// The most upload requests under way; nil for what the beacon's buffers take.
    package var window: Int?
    /// The version text that the beacon has to report; nil for the image's.
    package var versionText: String?
    package var risks: Set<Risk> = []

    package init() {}
}
