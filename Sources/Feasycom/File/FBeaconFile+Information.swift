extension FBeaconFile {
    /// Exactly the fields that the vendor's SDK passes to an application for a file (fbeacon.md, Layout).
    public struct Information: Hashable, Sendable {
        /// The bootloader's version; in an open container the lowest one required, 0 for any.
        public let bootloader: UInt16
        /// CRC-16 of the payload; in a vendor's file, of data outside the file.
        public let binCRC: UInt16
        /// Bytes of the payload.
        public let length: UInt32
        /// The lowest installed version that may be updated, and the version that is installed.
        public let versionRange: VersionRange
        /// The model as text; nil if the file does not name it, like all vendor files.
        public let modelType: String?
        /// The model's number; 0 if only ``modelType`` names it.
        public let modelTypeNum: UInt16
        /// 1 for an application.
        public let uploadModel: UInt16
        /// CRC-16 of the header, as stored in the header.
        public let crc: UInt16
    }

    /// Two versions from a header, in either order.
    public struct VersionRange: Hashable, Sendable {
        /// The lowest installed version that may be updated.
        public let start: UInt16
        /// The version that is installed.
        public let end: UInt16
    }

    /// What the vendor's SDK would report for this file.
    public var information: Information {
        Information(
            bootloader: header.bootloader, binCRC: header.binCRC, length: header.length,
            versionRange: VersionRange(start: header.versionStart, end: header.versionEnd),
            modelType: modelType, modelTypeNum: header.modelNumber, uploadModel: header.uploadModel,
            crc: header.crc)
    }
}
