import BlueZ
import Bluetooth
import Firmware
import Foundation
import Simulation
import UpdateEngine
import UpdateModel

/// Updates one beacon to the firmware in a file: `flash-one-beacon FILE ADDRESS [--simulated]`.
@main enum FlashOneBeacon {
    static func main() async throws {
        let words = CommandLine.arguments.dropFirst()
        guard let path = words.first, let address = words.dropFirst().first.flatMap({ DeviceAddress($0) })
        else {
            return print("usage: flash-one-beacon FILE ADDRESS [--simulated]")
        }
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
        switch try PackageFile(recognising: bytes) {
        case .unsupported(let file): print("\(path): \(file)")
        case .firmware(let file):
            let loop = try EventLoop.shared.get()
            if words.contains("--simulated") {
                try await Scenario.builtIn.play(time: loop.clock, readiness: loop) {
                    try await flash(address, with: file, over: $0)
                }
            } else {
                try await KernelAdapter.withAdapter(on: loop) {
                    try await flash(address, with: file, over: $0)
                }
            }
        }
    }

    static func flash(
        _ address: DeviceAddress, with file: any VendorFile, over adapter: some Adapter
    ) async throws {
        guard let heard = try await adapter.firstHeard(of: [address], within: .seconds(10)) else {
            throw AdapterError.noAnswer(address)
        }
        let services = heard.data.services
        let plan = try KnownVendors.plan(for: file, onDeviceAdvertising: services, UpdateOptions())
        let report = try await Updater(adapter: adapter) { event in print(event) }
            .run(plan.procedure, entering: plan.entry, on: address)
        print("\(address) runs version \(report.revision ?? "unknown"), verified: \(report.verified)")
    }
}
