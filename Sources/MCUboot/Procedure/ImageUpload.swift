/// An image to install, as the update needs it.
package struct ImageUpload: Equatable, Sendable {
    /// The image on the device: 0 for the application of most devices, 1 for the network core of an nRF5340.
    package let image: Int
    /// The slot that this file was linked for, 0 or 1 (direct-XIP); nil if it runs from any.
    package let slot: Int?
    /// What is sent, in pieces whose size ``UploadFrame`` decides: the image up to its last TLV, or with its padding if
    /// the bootloader needs the trailer.
    package let bytes: [UInt8]
    /// The value of the image's hash TLV, 32, 48 or 64 bytes, by which devices name the image.
    package let hash: [UInt8]
    package let version: ImageVersion
    /// What the image is, as a word for sentences, such as `application`.
    package let title: String
    /// Whether the header has the address of the slot that the image runs from, which servers and bootloaders check.
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
