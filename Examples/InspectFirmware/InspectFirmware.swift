import Firmware
import Foundation
import UpdateModel

/// Prints the contents of firmware files: `inspect-firmware FILE…`.
@main enum InspectFirmware {
    static func main() throws {
        for path in CommandLine.arguments.dropFirst() {
            let bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
            switch try PackageFile(recognising: bytes) {
            case .unsupported(let file): print("\(path): \(file)")
            case .firmware(let file):
                print("\(path): \(file.kind), version \(file.summary.version?.readable ?? "unknown")")
                for part in file.summary.parts { print("  \(part.title), \(part.bytes) bytes") }
                for finding in file.findings(UpdateOptions()) {
                    print("  \(finding.level) \(finding.id): \(finding)")
                }
            }
        }
    }
}
