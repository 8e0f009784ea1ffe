import Simulation
import Testing
import UpdateBench
import UpdateModel

@Suite(.timeLimit(.minutes(20))) struct `A fault during an update over SMP` {
    /// A fault at a place that counts from 1, and the codes with which it may end the update.
    struct Kind: Sendable, CustomTestStringConvertible {
        let name: String
        var mayFail: Set<String> = []
        let fault: @Sendable (Int) -> Fault

        var testDescription: String { name }

        init(_ name: String, mayFail: Set<String> = [], _ fault: @escaping @Sendable (Int) -> MCUbootFault) {
            (self.name, self.mayFail) = (name, mayFail)
            self.fault = { .mcuboot(fault($0)) }
        }
    }

    private static let image = MCUbootTestImage(2500)

    private static func bench(
        _ faults: [Fault], _ change: @escaping @Sendable (inout MCUbootDescription) -> Void
    )
        -> MCUbootBench
    {
        MCUbootBench(faults: faults) {
            $0.slotSize = 16 * 1024
            change(&$0)
        }
    }

    /// One request in a packet, and several packets for a request.
    private static let servers: [@Sendable (inout MCUbootDescription) -> Void] = [
        { _ in },
        { ($0.server.reassembles, $0.server.bufferSize, $0.maximumMTU) = (true, 1024, 100) },
        { $0.bootloader.mode = .directXIPRevert },
    ]

    static let kinds = [
        Kind("request lost") { .loseRequest($0) },
        Kind("link cut in a request") { .cutInRequest($0) },
        Kind("link cut at a request") { .cutAtRequest($0) },
        // Direct-XIP erases an image that restarts before it is confirmed.
        Kind("power lost at a request", mayFail: ["refused-at-boot"]) { .powerLossAtRequest($0) },
        Kind("busy") { .busy($0) },
        Kind("meaningless error", mayFail: ["smp-refused", "confirm-refused"]) { .meaninglessError($0) },
        Kind("answer lost") { .loseAnswer($0) },
        Kind("answer doubled") { .doubleAnswer($0) },
        Kind("answer late by 3 s") { .delayAnswer($0, by: .seconds(3)) },
        Kind("answer late by 45 s") { .delayAnswer($0, by: .seconds(45)) },
        Kind("answer cut short") { .malformedAnswer($0) },
        Kind("answer without end") { .endlessAnswer($0) },
        Kind("wrong offset") { .wrongOffset($0) },
        Kind("flash error") { .failFlashWrite($0) },
    ]

    @Test(arguments: kinds) func `ends with the new image or an exact code at every request`(kind: Kind)
        async throws
    {
        for server in Self.servers {
            let whole = try await Self.bench([], server).flash([Self.image])
            #expect(whole.report != nil && whole.record.requests > 10)
            for number in 1...whole.record.requests {
                let run = try await Self.bench([kind.fault(number)], server).flash([Self.image])
                if let code = run.failure?.code.rawValue {
                    #expect(kind.mayFail.contains(code), "\(kind.name) \(number): \(run.outcome)")
                }
                run.check([Self.image], "\(kind.name) \(number)")
            }
        }
    }

    /// Each link comes further than the one before, so that links without progress do not end the update.
    @Test func `that restarts the beacon during the upload again and again ends it`() async throws {
        var number = 0
        let faults = (0..<30).map { link -> Fault in
            number += 8 + link
            return .mcuboot(.powerLossAtRequest(number))
        }
        let run = try await Self.bench(faults) { _ in }.flash([MCUbootTestImage(9000)])
        #expect(run.failure?.code.rawValue == "upload-restarted", "\(run.outcome)")
        #expect(run.failure?.state?.application == .intact)
        #expect(run.record.uploads == 5)
        run.check([MCUbootTestImage(9000)])
    }

    /// A restart between the marks tests one of the images, and the next one would undo that.
    @Test func `never separates an application from its network core`() async throws {
        let images = [0, 1].map { MCUbootTestImage(1500, image: $0, seed: UInt8($0)) }
        let twoCores: @Sendable (inout MCUbootDescription) -> Void = {
            $0.images = [.init(), .init(first: MCUbootFirmware(payload: [1, 2, 3]).file)]
        }
        let whole = try await Self.bench([], twoCores).flash(images)
        for number in 1...whole.record.requests {
            let run = try await Self.bench([.mcuboot(.powerLossAtRequest(number))], twoCores).flash(images)
            #expect(run.report?.verified == .version, "\(number): \(run.outcome)")
            for image in images {
                let isActive = run.slots.contains {
                    $0.isActive && $0.image == image.image && $0.hash == image.hash
                }
                #expect(isActive, "\(number): \(run.slots)")
            }
        }
    }

    @Test(arguments: [MCUbootRules.Mode.swapScratch, .swapMove, .swapOffset, .overwriteOnly])
    func `in a swap is survived at every page`(mode: MCUbootRules.Mode) async throws {
        let image = MCUbootTestImage(9000)
        for page in 1...4 {
            let run = try await Self.bench([.mcuboot(.powerLossInSwap(page))]) { $0.bootloader.mode = mode }
                .flash([image])
            #expect(run.report?.verified == .version, "\(page): \(run.outcome)")
            run.check([image])
        }
    }

    @Test(
        arguments: [
            ([.eraseEndsLink(1)], nil), ([.failFlashWrite(1), .loseAnswer(6)], nil), ([.noFreeSlot(1)], nil),
            ([.ignoreReset(1)], nil),
            ([.ignoreReset(1), .ignoreReset(2)], nil),
            ([.ignoreReset(1), .ignoreReset(2), .ignoreReset(3)], "image-not-installed"),
            ([.refuseConfirm], "confirm-refused"), ([.keepOldApplication], "image-reverted"),
            ([.noFreeSlot(1), .noFreeSlot(2), .noFreeSlot(3)], "no-free-slot"),
        ] as [([MCUbootFault], String?)]) func `of the beacon is survived, or named`(
            faults: [MCUbootFault], code: String?
        ) async throws
    {
        let run = try await Self.bench(faults.map(Fault.mcuboot)) {
            // A slot that has to be erased.
            $0.images = [.init(second: MCUbootFirmware(version: "0.9.0").file)]
        }.flash([Self.image])
        #expect(run.failure?.code.rawValue == code, "\(run.outcome)")
        run.check([Self.image])
    }

    @Test func `of the confirmation leaves the new image running`() async throws {
        let run = try await Self.bench([.mcuboot(.refuseConfirm)]) { _ in }.flash([Self.image])
        #expect(run.failure?.code.rawValue == "confirm-refused", "\(run.outcome)")
        #expect(run.failure?.state?.program == .application && run.failure?.state?.application == .new)
        run.check([Self.image], confirmed: false)
    }

    /// The bootloader goes back to the previous image if it starts again before the new one is confirmed.
    @Test func `that undoes a test of the image is followed by another test`() async throws {
        let whole = try await Self.bench([]) { _ in }.flash([Self.image])
        // The list after the restart, before the confirmation.
        let request = whole.record.requests - 2
        let fault = Fault.mcuboot(.powerLossAtRequest(request))
        let run = try await Self.bench([fault]) { _ in }.flash([Self.image])
        #expect(run.report?.verified == .version, "\(run.outcome)")
        #expect(run.reasons.contains { $0.rawValue == "image-reverted" }, "\(run.reasons)")
        #expect(run.record.uploads == 1)
        run.check([Self.image])
    }

    /// The list has shown that the new image runs; then its confirmation is lost, and the power.
    @Test(arguments: [(.swapMove, 1), (.directXIPRevert, 2)] as [(MCUbootRules.Mode, Int)])
    func `that undoes an image which has run is followed by another try`(
        mode: MCUbootRules.Mode, uploads: Int
    ) async throws {
        let change: @Sendable (inout MCUbootDescription) -> Void = { $0.bootloader.mode = mode }
        let count = try await Self.bench([], change).flash([Self.image]).record.requests
        let faults = [Fault.mcuboot(.loseRequest(count - 1)), .mcuboot(.powerLossAtRequest(count))]
        let run = try await Self.bench(faults, change).flash([Self.image])
        #expect(run.report?.verified == .version, "\(run.outcome)")
        #expect(run.reasons.contains { $0.rawValue == "image-reverted" }, "\(run.reasons)")
        #expect(run.record.uploads == uploads)
        run.check([Self.image])
    }
}
