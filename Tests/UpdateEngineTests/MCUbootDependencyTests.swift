import MCUboot
import Simulation
import Testing
import UpdateBench
import UpdateModel

/// A beacon with an application 1.0.0, and a network core of `version` if it has one.
private func bench(
    core version: String?, _ change: @escaping @Sendable (inout MCUbootDescription) -> Void = { _ in }
) -> MCUbootBench {
    MCUbootBench {
        $0.slotSize = 16 * 1024
        if let version {
            $0.images.append(.init(first: MCUbootFirmware(version: version, payload: [1, 2, 3]).file))
        }
        change(&$0)
    }
}

/// An application 1.1.0 that needs another image, image 1 if not said otherwise, of `version` or later.
private func application(needing version: String, of image: UInt8 = 1, flags: UInt32 = 0) throws
    -> ImageUpload
{
    var firmware = MCUbootFirmware(version: "1.1.0", payload: [UInt8](repeating: 7, count: 3000))
    firmware.dependency = (image, version)
    firmware.flags = flags
    let file = try MCUbootImage(parsing: firmware.file)
    return ImageUpload(
        bytes: file.bytes, hash: try #require(file.hash), version: file.header.version,
        dependencies: file.dependencies)
}

private func core(_ revision: UInt16) -> ImageUpload {
    MCUbootTestImage(2000, image: 1, version: ImageVersion(major: 2, minor: 0, revision: revision)).upload
}

/// docs/protocols/mcuboot-smp.md, Dependencies.
@Suite(.timeLimit(.minutes(10))) struct `An MCUboot image that needs another image` {
    @Test(
        arguments: [
            (
                "2.0.0", "2.0.1", 1,
                "the application needs image 1 of version 2.0.1 or later, the beacon has 2.0.0"
            ),
            ("2.0.1", "2.1.0+4", 1, "image 1 of version 2.1.0+4 or later, the beacon has 2.0.1"),
            ("2.0.0", "1.0.0", 2, "image 2 of version 1.0.0 or later, the beacon has no such image"),
        ] as [(String, String, UInt8, String)])
    func `is refused before it is sent to a beacon without that`(
        has: String, needed: String, image: UInt8, words: String
    ) async throws {
        let run = try await bench(core: has).flash(uploads: [application(needing: needed, of: image)])
        #expect(run.failure?.code.rawValue == "image-dependency-unmet", "\(run.outcome)")
        #expect(run.failure?.message.hasSuffix(words) == true, "\(run.outcome)")
        #expect(run.failure?.state == nil)
        #expect(run.record.uploads == 0 && run.record.resets == 0)
    }

    @Test func `is refused in a package whose other image is too old`() async throws {
        let run = try await bench(core: "2.0.9").flash(uploads: [application(needing: "2.0.1"), core(0)])
        #expect(run.failure?.code.rawValue == "image-dependency-unmet", "\(run.outcome)")
        #expect(run.failure?.message.hasSuffix("this update has 2.0.0") == true, "\(run.outcome)")
        #expect(run.record.uploads == 0)
    }

    /// Bootloaders do not compare build numbers.
    @Test(arguments: ["2.0.1", "2.0.1+9", "1.9.9", "0.0.0"]) func `is installed where that is`(needed: String)
        async throws
    {
        let upload = try application(needing: needed)
        let run = try await bench(core: "2.0.1").flash(uploads: [upload])
        #expect(run.report?.verified == .version, "\(run.outcome)")
        #expect(run.warnings == [])
    }

    @Test(arguments: [MCUbootRules.Mode.swapMove, .overwriteOnly])
    func `is installed together with it`(mode: MCUbootRules.Mode) async throws {
        let upload = try application(needing: "2.0.1")
        let run = try await bench(core: "2.0.0") { $0.bootloader.mode = mode }.flash(uploads: [
            upload, core(1),
        ])
        #expect(run.report?.verified == .version, "\(run.outcome)")
        #expect(run.slots.filter(\.isActive).map(\.version) == ["1.1.0", "2.0.1"])
    }

    /// A firmware with one image does not tell what else there is, and its bootloader does not look.
    @Test(arguments: [true, false]) func `is sent with a warning to a beacon with one image`(
        reportsSlots: Bool
    )
        async throws
    {
        let run = try await bench(core: nil) { $0.server.reportsSlots = reportsSlots }
            .flash(uploads: [application(needing: "2.0.1")])
        #expect(run.report?.verified == .version, "\(run.outcome)")
        #expect(run.warnings == ["image-dependency-open"])
    }

    @Test func `that the beacon does not list ends with that as the probable reason`() async throws {
        let upload = try application(needing: "2.0.1")
        let run = try await bench(core: "2.0.0") { $0.server.listsOtherCores = false }.flash(uploads: [upload]
        )
        let failure = try #require(run.failure, "\(run.outcome)")
        #expect(failure.code.rawValue == "image-not-installed")
        #expect(failure.message.contains("needs image 1 of version 2.0.1 or later"), "\(failure)")
        #expect("\(failure.remedy, default: "none")".contains("install that other image first"))
        #expect(failure.state?.application == .intact)
        #expect(run.warnings.contains("image-dependency-open"))
        #expect(run.record.resets == 2 && run.runningVersion == "1.0.0")
    }
}
