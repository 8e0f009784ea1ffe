import Bytes
import Nordic
import TestSupport
import UpdateModel

extension FuzzTarget {
    /// A file that is read as a Legacy package, whatever it is.
    static let legacyPackage = FuzzTarget("legacy-package", seeds: legacySamples) { input in
        let limits = ArchiveLimits(fileBytes: 1 << 20, entryBytes: 1 << 20, totalBytes: 2 << 20)
        do {
            try check(try LegacyPackage(parsing: input, limits: limits), limits)
        } catch let error as PackageError {
            try demand(!error.description.isEmpty && !error.code.rawValue.isEmpty, "an error without text")
            if case .archive(let error) = error, let place = error.offset {
                try demand((0...input.count).contains(place), "\(error), in \(input.count) bytes")
            }
        }
    }

    /// The facts of every readable Legacy package.
    static func check(_ package: LegacyPackage, _ limits: ArchiveLimits) throws {
        try demand((1...2).contains(package.parts.count), "\(package.parts.count) parts")
        try demand(package.parts.count { $0.role.isSystem } <= 1, "two system parts")
        for part in package.parts {
            // Two files of Intel HEX may each be as long as one that is flattened.
            try demand((1...16 << 20).contains(part.image.count), "an image of \(part.image.count) bytes")
            try demand(!part.binFiles.isEmpty, "an image without a file")
            try demand((part.initPacket == nil) == (part.datFile == nil), "a packet without a file")
        }
        for finding in package.findings() {
            try demand(
                !finding.message.isEmpty && finding.place.entry?.isEmpty == false, "a finding without words")
        }
    }

    static let legacyInitPacket = FuzzTarget("legacy-init-packet", seeds: legacyInitPackets) { input in
        do {
            let packet = try LegacyInitPacket(parsing: input)
            try demand(packet.bytes == input, "another packet")
            let tail =
                switch packet.end.generation {
                case nil: 0
                case .crc16: 2
                case .extendedCRC16: 6
                case .hash: 40
                case .signedHash: 104
                }
            let head = packet.isChecksumAlone ? 0 : 10 + 2 * packet.softDeviceRequirements.count
            let said = head + tail + packet.padding.count
            try demand(said == input.count, "\(said) bytes were said")
            if let signed = packet.signedBytes {
                try demand(input.starts(with: signed), "signed bytes that were not sent")
            }
        } catch let error as InitPacketError {
            try demand((0...input.count).contains(error.offset), "\(error), in \(input.count) bytes")
        }
    }

    @Sendable private static func legacySamples() throws -> [[UInt8]] {
        try (Samples.names(in: "legacy") + Samples.names(in: "malformed").filter { $0.contains("legacy") })
            .map { try Samples.bytes($0) }
    }

    @Sendable private static func legacyInitPackets() throws -> [[UInt8]] {
        try legacySamples().flatMap { sample in
            (try? LegacyPackage(parsing: sample).parts.compactMap { $0.initPacket?.bytes }) ?? []
        }
    }
}
