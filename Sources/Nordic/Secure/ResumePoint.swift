import Bytes

/// How to continue with what the device already holds: the tables of nordic-secure.md, Resume.
enum ResumePoint: Equatable, Sendable {
    /// Nothing usable: create from the start, without an Execute before it.
    case fresh
    /// Other data, or more than there is: create the object that holds this offset, and check that the device goes
    /// back to exactly there.
    case recreate(at: Int)
    /// Send the rest of the object, then execute it.
    case goOn(at: Int, checksum: UInt32)
    /// Whole objects only: execute the last one. It may have been executed already; response 08 means that there was
    /// nothing to execute.
    case executeAndGoOn(at: Int, checksum: UInt32)
    /// Everything is there: execute it.
    case execute

    /// For an init packet: it is short, so unless it matches, all of it is sent again.
    init(command source: [UInt8], held progress: SecureProgress) {
        let offset = progress.offset
        guard offset > 0, offset <= source.count,
            CRC32.checksum(source[..<offset]) == progress.crc
        else {
            self = .fresh
            return
        }
        self = offset == source.count ? .execute : .goOn(at: offset, checksum: progress.crc)
    }

    /// For an image, in objects of at most `maximum` bytes. At offset 0 the CRC has no meaning. An offset inside a
    /// word means that the packets did not have a length that flash can write, which the CRC does not show.
    init(image: [UInt8], held progress: SecureProgress, maximum: Int) {
        let offset = progress.offset
        guard offset > 0 else {
            self = .fresh
            return
        }
        guard offset <= image.count, CRC32.checksum(image[..<offset]) == progress.crc,
            offset == image.count || (offset % maximum).isMultiple(of: 4)
        else {
            let excess = offset % maximum == 0 ? maximum : offset % maximum
            self = .recreate(at: min(max(0, offset - excess), (image.count - 1) / maximum * maximum))
            return
        }
        if offset == image.count {
            self = .execute
        } else if offset.isMultiple(of: maximum) {
            self = .executeAndGoOn(at: offset, checksum: progress.crc)
        } else {
            self = .goOn(at: offset, checksum: progress.crc)
        }
    }
}
