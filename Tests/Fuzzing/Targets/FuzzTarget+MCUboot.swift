import Bytes
import MCUboot
import TestSupport
import UpdateModel

extension FuzzTarget {
    /// Images for MCUboot alone and in Intel HEX, and packages of the nRF Connect SDK.
    static let mcuboot = [mcubootFile]

    private static let mcubootFile = FuzzTarget("mcuboot-file", seeds: mcubootSamples) { input in
        let limits = ArchiveLimits(fileBytes: 1 << 20, entryBytes: 1 << 20, totalBytes: 2 << 20)
        do {
            let vendor = MCUbootVendor(limits: limits)
            guard case .firmware(let file as MCUbootFile)? = try vendor.recognise(input) else { return }
            try check(file)
        } catch let error as FirmwareFileError {
            try demand(!error.description.isEmpty, "an error without text")
        }
    }

    static func check(_ file: MCUbootFile) throws(Violation) {
        try demand(!file.parts.isEmpty, "a package without images")
        for part in file.parts {
            let image = part.image
            try demand(image.end + image.padding.bytes == image.bytes.count, "an image of another length")
            try demand(image.hashedBytes.count < image.end, "hashed bytes that are not there")
        }
        for upload in file.uploads {
            try demand([32, 48, 64].contains(upload.hash.count), "a hash of \(upload.hash.count) bytes")
        }
        for finding in file.findings(UpdateOptions()) {
            let sizes = file.parts.map(\.image.bytes.count)
            try demand((0...(sizes.max() ?? 0)).contains(finding.place.offset ?? 0), "\(finding)")
        }
        _ = (file.inspection, file.summary, file.answers(of: TargetDevice(), UpdateOptions()))
    }

    private static func mcubootSamples() throws -> [[UInt8]] {
        let malformed = try Samples.names(in: "malformed").filter { $0.hasPrefix("malformed/mcuboot") }
        return try (Samples.names(in: "mcuboot") + malformed).map { try Samples.bytes($0) }
            .filter { $0.count <= 8192 }
    }
}
