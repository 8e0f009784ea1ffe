import Bluetooth
package import Simulation
package import UpdateBench
import UpdateModel

/// A Nordic bootloader of one kind and a way to reach it.
package struct NordicColumn: FaultColumn {
    /// Counts from an update without faults, for each thing that a fault can affect.
    package struct Counts: Sendable {
        /// Packets of any kind that the beacon has received.
        package var packets: Int
        /// Write commands among them.
        package var commands: Int
        /// The other packets, at least as many as the notifications it has sent.
        package var others: Int { packets - commands }
    }

    /// Properties of some columns, for rows that need them.
    package enum Trait: Hashable, Sendable {
        /// The update begins in the application.
        case application
        /// A part comes before the application.
        case parts
        /// The bootloader talks only to a bonded peer.
        case bonds
        /// The bootloader uses Secure DFU.
        case secure
        /// The application takes the update itself.
        case receiver
    }

    package let title: String
    package let traits: Set<Trait>
    package let bench: NordicBench
    /// The image that runs after a successful update.
    package let image: [UInt8]
    private let update: @Sendable (NordicBench) async throws -> NordicBenchResult

    /// A column of updates by Secure DFU to `firmware`.
    package init(_ title: String, _ bench: NordicBench, _ firmware: TestFirmware, _ traits: Set<Trait> = []) {
        self.init(title, bench, expecting: firmware.image, traits.union([.secure])) {
            try await $0.flash(firmware)
        }
    }

    package init(
        _ title: String, _ bench: NordicBench, expecting image: [UInt8], _ traits: Set<Trait>,
        _ update: @escaping @Sendable (NordicBench) async throws -> NordicBenchResult
    ) {
        self.title = title
        self.traits = traits
        self.bench = bench
        self.image = image
        self.update = update
    }

    /// One update with faults and the other conditions of `trouble`.
    package func attempt(under trouble: NordicTrouble) async throws -> Attempt {
        var bench = bench
        trouble.apply(to: &bench)
        let result = try await update(bench)
        return Attempt(Outcome(result, expecting: image), result.outcome, result.events, result.moments)
    }

    package func counts() async throws -> Counts {
        let statistics = try await update(bench).statistics
        return Counts(packets: statistics.packetsReceived, commands: statistics.commandsReceived)
    }
}

/// The faults of one run of a Nordic beacon.
package struct NordicTrouble: FaultTrouble {
    package var faults: [Fault]
    /// Other bootloaders that advertise as this one does.
    package var strangers = 0
    /// The bootloader keeps the application's address.
    package var keepsAddress = false
    /// The bootloader does not use the name that was given to the application for it.
    package var forgetsName = false

    package init(_ faults: [Fault] = []) { self.faults = faults }

    package var description: String {
        var words = faults.map { "\($0)" }
        if strangers > 0 { words.append("\(strangers) strangers") }
        if keepsAddress { words.append("the bootloader keeps the address") }
        if forgetsName { words.append("the bootloader takes no name") }
        return words.joined(separator: ", ")
    }

    func apply(to bench: inout NordicBench) {
        bench.faults += faults
        let keepsAddress = keepsAddress
        let forgetsName = forgetsName
        let change = bench.change
        bench.change = {
            change(&$0)
            if keepsAddress { $0.bootloaderAddress = $0.address }
            if forgetsName { $0.takesName = false }
        }
        bench.neighbours += NordicDescription.strangers(strangers)
    }
}

extension NordicDescription {
    /// Stock bootloaders at addresses unrelated to the unit's.
    fileprivate static func strangers(_ count: Int) -> [NordicDescription] {
        (0..<count).compactMap { number in
            DeviceAddress([0xC0, 0xFF, 0xEE, 0x00, UInt8(truncatingIfNeeded: number), 0x10])
                .map { NordicDescription(address: $0) }
        }
    }
}

extension Outcome {
    init(_ result: NordicBenchResult, expecting image: [UInt8]) {
        let isRight = result.application == image
        switch result.outcome {
        case _ where result.took > Self.limit: self = .endless
        case .failure(let failure): self = .failed(failure.code.rawValue)
        case .success(let report) where report.verified == .no:
            self =
                isRight && result.events.haveWarned(of: .device.activationUnconfirmed)
                ? .rightUnseen : .falseSuccess
        // A power failure between the device's confirmation and its settings leaves the old application, and only its
        // version reveals that.
        case .success where !isRight && result.events.haveWarned(of: .device.versionUnchanged):
            self = .failed("version-unchanged")
        case .success: self = isRight ? .right : .falseSuccess
        }
    }
}
