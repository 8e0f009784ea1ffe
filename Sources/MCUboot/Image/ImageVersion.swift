import Bytes

/// The version in the header of an MCUboot image. Devices ignore the build number when they compare versions.
package struct ImageVersion: Hashable, Sendable {
    package let major, minor: UInt8
    package let revision: UInt16
    package let build: UInt32

    package init(major: UInt8, minor: UInt8, revision: UInt16, build: UInt32 = 0) {
        (self.major, self.minor, self.revision, self.build) = (major, minor, revision, build)
    }

    /// The version in `1.2.3`, `1.2.3+4` as imgtool and manifests write it, or `1.2.3.4` as devices report it. All
    /// parts after the first may be absent. Nil for anything else.
    package init?(_ text: String) {
        let sides = text.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
        var fields = (sides.first ?? "").split(separator: ".", omittingEmptySubsequences: false)
        if sides.count == 2 {
            guard fields.count <= 3 else { return nil }
            while fields.count < 3 { fields.append("0") }
            fields.append(sides[1])
        }
        guard (1...4).contains(fields.count),
            fields.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let major = UInt8(fields[0]), let minor = UInt8(fields.count > 1 ? fields[1] : "0"),
            let revision = UInt16(fields.count > 2 ? fields[2] : "0"),
            let build = UInt32(fields.count > 3 ? fields[3] : "0")
        else { return nil }
        self.init(major: major, minor: minor, revision: revision, build: build)
    }
}

extension ImageVersion: CustomStringConvertible {
    /// As imgtool writes it; the build number only if there is one.
    package var description: String { "\(major).\(minor).\(revision)" + (build == 0 ? "" : "+\(build)") }
}

extension ImageVersion: Comparable {
    package static func < (left: ImageVersion, right: ImageVersion) -> Bool {
        (left.major, left.minor, left.revision, left.build)
            < (right.major, right.minor, right.revision, right.build)
    }
}

extension ImageVersion {
    /// The version in 8 bytes: u8 major, u8 minor, u16 revision, u32 build.
    init(parsing reader: inout ByteReader) throws(ByteError) {
        self.init(
            major: try reader.integer("iv_major"), minor: try reader.integer("iv_minor"),
            revision: try reader.integer("iv_revision"), build: try reader.integer("iv_build_num"))
    }

    /// Whether a bootloader orders this version before `other`: the build number does not count.
    package func isBelow(_ other: ImageVersion) -> Bool {
        (major, minor, revision) < (other.major, other.minor, other.revision)
    }

    /// The 8 bytes in a header.
    var bytes: [UInt8] { [major, minor] + revision.bytes() + build.bytes() }

    /// The security counter that imgtool derives from the version (`auto`).
    package var securityCounter: UInt32 { UInt32(major) << 24 | UInt32(minor) << 16 | UInt32(revision) }
}
