import MCUboot
import Simulation
import TestSupport
import UpdateBench
import UpdateModel

/// A beacon with MCUboot of one kind, which receives its images over SMP.
package struct MCUbootColumn: FaultColumn {
    /// Counts from an update without faults.
    package struct Counts: Sendable {
        /// Packets of any kind that the beacon has received.
        package var packets: Int
        /// Requests of SMP; as many answers.
        package var requests: Int
        /// Requests of the upload that were written to flash.
        package var chunks: Int
        /// Pages that the bootloader exchanges or copies.
        package var pages: Int
    }

    /// Properties of some columns, for rows that need them.
    package enum Trait: Hashable, Sendable {
        /// The bootloader exchanges or copies images.
        case moves
        /// It goes back to the previous image if the new one is not confirmed.
        case reverts
    }

    package let title: String
    package let traits: Set<Trait>
    private let bench: MCUbootBench
    private let images: [MCUbootTestImage]
    private static let length = 4200
    private static let slotSize = 16 * 1024

    init(
        _ title: String, _ traits: Set<Trait>, numbers: ClosedRange<Int> = 0...0,
        change: @escaping @Sendable (inout MCUbootDescription) -> Void = { _ in }
    ) {
        (self.title, self.traits) = (title, traits)
        images = numbers.map { MCUbootTestImage(Self.length, image: $0, seed: UInt8(clamping: $0)) }
        let pairs = numbers.map { number in
            MCUbootDescription.Pair(
                first: MCUbootFirmware(payload: [UInt8](repeating: UInt8(clamping: number), count: 1024)).file
            )
        }
        bench = MCUbootBench { description in
            (description.slotSize, description.images) = (Self.slotSize, pairs)
            change(&description)
        }
    }

    package func attempt(under trouble: MCUbootTrouble) async throws -> Attempt {
        let result = try await flash(under: trouble)
        return Attempt(
            Outcome(result, sending: images, under: trouble), result.outcome, result.events, result.moments)
    }

    package func counts() async throws -> Counts {
        let result = try await flash(under: MCUbootTrouble())
        let pages = images.reduce(0) { $0 + ($1.bytes.count + 4095) / 4096 }
        return Counts(
            packets: result.packets, requests: result.record.requests, chunks: result.record.chunks,
            pages: pages)
    }

    private func flash(under trouble: MCUbootTrouble) async throws -> MCUbootBenchResult {
        var bench = bench
        bench.faults += trouble.faults
        let (own, circumstances) = (bench.change, trouble.circumstances)
        bench.change = { description in
            own(&description)
            for circumstance in circumstances { circumstance.apply(to: &description) }
        }
        return try await bench.flash(images)
    }
}

extension MCUbootColumn {
    /// Each kind of bootloader, with requests in one packet and in several, and the servers of Zephyr and
    /// Mynewt.
    package static let all = [
        MCUbootColumn("swap", [.moves, .reverts]),
        MCUbootColumn("swap, joined packets, MTU 64", [.moves, .reverts]) {
            ($0.server.reassembles, $0.server.bufferSize, $0.maximumMTU) = (true, 1024, 64)
        },
        MCUbootColumn("swap, Mynewt", [.moves, .reverts]) { $0.server.implementation = .mynewt },
        MCUbootColumn("overwrite only", [.moves]) { $0.bootloader.mode = .overwriteOnly },
        MCUbootColumn("overwrite only, two cores", [.moves], numbers: 0...1) {
            $0.bootloader.mode = .overwriteOnly
        },
        MCUbootColumn("direct-XIP", []) { $0.bootloader.mode = .directXIP },
        MCUbootColumn("direct-XIP with revert", [.reverts]) { $0.bootloader.mode = .directXIPRevert },
    ]
}

extension Outcome {
    /// The outcome of sending `images` to a beacon that ran version 1.0.0.
    init(_ result: MCUbootBenchResult, sending images: [MCUbootTestImage], under trouble: MCUbootTrouble) {
        let errors = result.record.brokenRules
        switch result.outcome {
        case _ where result.took > Self.limit: self = .endless
        case _ where result.runningVersion == nil && !trouble.circumstances.contains(.hangs): self = .ruined
        case _ where !errors.isEmpty: self = .forbidden(errors.map(\.broken.text).joined(separator: ", "))
        case .failure(let failure):
            self =
                result.contradiction(to: failure.state?.application, sending: images).map(Outcome.forbidden)
                ?? .failed(failure.code.rawValue)
        case .success:
            self = images.allSatisfy { result.runs($0, confirmed: true) } ? .right : .falseSuccess
        }
    }
}
