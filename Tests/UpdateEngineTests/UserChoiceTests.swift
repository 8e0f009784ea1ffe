import Bluetooth
import Nordic
import Simulation
import Testing
import UpdateBench
import UpdateModel

@testable import UpdateEngine

extension NordicBench {
    /// The same bench with the user's choices.
    fileprivate func choosing(_ change: (inout TransferOptions) -> Void) -> NordicBench {
        var (bench, choices) = (self, TransferOptions())
        change(&choices)
        bench.policy.adopt(choices)
        return bench
    }
}

extension BenchResult {
    fileprivate var links: [LinkDescription] {
        events.compactMap { if case .connected(_, let link) = $0 { link } else { nil } }
    }

    fileprivate var resumed: [Int] {
        events.compactMap { if case .resumed(let offset) = $0 { offset } else { nil } }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A bootloader that the user has chosen` {
    private let firmware = TestFirmware(count: 4000)
    private static let place = "D3:11:22:33:44:55"

    /// An application whose bootloader is elsewhere, near another bootloader with the same name.
    private func bench(
        _ selector: String?, isInBootloader: Bool = false
    ) throws -> NordicBench {
        let place = try #require(DeviceAddress(Self.place))
        let chosen = try selector.map { try #require(BootloaderSelector($0)) }
        return NordicBench(
            change: {
                $0.program = isInBootloader ? .bootloader : .application
                $0.bootloaderAddress = place
            }, entering: isInBootloader ? nil : .init(name: nil),
            neighbours: [NordicDescription(address: try #require(DeviceAddress("F0:00:00:00:00:01")))]
        ).choosing { $0.bootloader = chosen }
    }

    @Test(arguments: [place, "\(place)/random", "name:Dfu*"])
    func `is taken at an address that no rule predicts`(_ selector: String) async throws {
        let result = try await bench(selector).flash(firmware)
        #expect(result.report?.verified == .version, "\(result.outcome)")
        #expect(result.application == firmware.image)
        #expect(result.packetsToOthers == 0)
        let legacy = try await NordicBench.legacy(
            .sdk6_1, entering: true,
            change: { $0.bootloaderAddress = DeviceAddress(Self.place) ?? $0.address }
        ).choosing { $0.bootloader = BootloaderSelector(selector) }
            .flash(LegacyFirmware(count: 4000), entering: true)
        #expect(legacy.isRight, "\(legacy.outcome)")
    }

    @Test(arguments: ["D3:11:22:33:44:66", "\(place)/public", "name:Other*"])
    func `is the only one that is taken`(_ selector: String) async throws {
        let result = try await bench(selector).flash(firmware)
        #expect(result.failure?.code == .device.bootloaderNotFound, "\(result.outcome)")
        #expect(result.failure?.message.contains("no new bootloader matched") == true)
        let words = advice(of: result.failure)
        #expect(words.contains(" --bootloader \(Self.place) instead of --bootloader \(selector)"), "\(words)")
        #expect(result.packetsToOthers == 0 && result.statistics.commandsReceived == 0)
    }

    @Test func `is named by the failure without a choice, with the unit's own address`() async throws {
        let result = try await bench(nil).flash(firmware)
        let words = advice(of: result.failure)
        #expect(words.hasSuffix("device F0:0D:BE:AC:00:00 --bootloader \(Self.place)"), "\(words)")
    }

    private func advice(of failure: UpdateFailure?) -> String {
        failure?.remedy?.words { part in
            switch part {
            case .text(let text): text
            case .setting(let setting, let value): "\(setting) \(value ?? "")"
            case .option(let option, let value): "--\(option.name) \(value ?? "")"
            case .task: ""
            }
        } ?? ""
    }

    @Test func `takes the update although its application is silent, and leads back to it`() async throws {
        var bench = try bench(Self.place, isInBootloader: true)
        bench.silentApplication = DeviceAddress("F0:0D:BE:AC:00:00")
        let result = try await bench.flash(firmware)
        #expect(result.report?.verified == .version, "\(result.outcome)")
        var unchosen = try self.bench(nil, isInBootloader: true)
        unchosen.silentApplication = bench.silentApplication
        #expect(try await unchosen.flash(firmware).failure != nil)
    }

    @Test(arguments: [2, 60]) func `is looked for as long as the user says`(_ seconds: Int) async throws {
        let result = try await bench("D3:11:22:33:44:66").choosing {
            $0.bootloader = BootloaderSelector("D3:11:22:33:44:66")
            $0.bootloaderTimeout = .seconds(seconds)
        }.flash(firmware)
        #expect(result.failure?.code == .device.bootloaderNotFound, "\(result.outcome)")
        #expect(result.failure?.message.contains("for \(seconds) s") == true)
        #expect(abs(result.took.seconds - Double(seconds)) < 8, "\(result.took)")
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A link as the user chooses it` {
    private let firmware = TestFirmware(count: 20_000)

    @Test(arguments: [(20, 23), (64, 67), (244, 247), (512, 247)])
    func `has packets of the largest size at most`(_ size: Int, _ mtu: Int) async throws {
        let result = try await NordicBench(entering: nil).choosing { $0.packetSize = size }.flash(firmware)
        #expect(result.isRight, "\(result.outcome)")
        #expect(result.links.map(\.mtu) == [mtu])
        let largest = (mtu - 3) / 4 * 4
        #expect(result.statistics.packetsReceived >= firmware.image.count / largest)
        #expect(result.statistics.packetsReceived < firmware.image.count / (largest / 2 + 1) + 100)
    }

    @Test(arguments: [7.5, 50, 400]) func `has the interval that is asked for`(_ wanted: Double) async throws
    {
        var model = LinkModel()
        model.followsRequests = true
        let result = try await NordicBench(
            link: model, change: { $0.program = .application }, entering: .init()
        )
        .choosing { $0.interval = .milliseconds(1) * wanted }.flash(TestFirmware(count: 4000))
        #expect(result.isRight, "\(result.outcome)")
        #expect(result.links.map { $0.interval.map { $0 / .milliseconds(1) } } == [wanted, wanted])
    }

    @Test func `is up long enough at an interval of 1 s`() async throws {
        var model = LinkModel()
        model.followsRequests = true
        let result = try await NordicBench(timing: .instant, link: model).choosing {
            $0.interval = .seconds(1)
        }
        .flash(TestFirmware(count: 1000))
        #expect(result.isRight, "\(result.outcome)")
        #expect(result.links.first?.interval == .seconds(1))
    }

    @Test func `is given up after the time that the user gives it`() async throws {
        var policy = RetryPolicy(fruitlessLinks: 2)
        var choices = TransferOptions()
        choices.connectTimeout = .seconds(40)
        policy.adopt(choices)
        #expect(policy.connect == .seconds(40))
        #expect(policy.linkRequest(priority: 3).priority == 3)
        #expect(policy.linkRequest(priority: 3).isLimitChosen)
        #expect(!RetryPolicy().linkRequest(priority: 3).isLimitChosen)
        choices.interval = .seconds(4)
        policy.adopt(choices)
        let request = policy.linkRequest(priority: 0)
        #expect(request.interval == .seconds(4) && request.supervisionTimeout == .seconds(24))
        #expect(request.isIntervalChosen)
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A Legacy bootloader that is sent long packets` {
    private func flash(
        _ size: Int, _ personality: LegacyPersonality = .adafruit, _ timing: FlashTiming = .instant,
        longest: Int? = nil
    ) async throws -> NordicBenchResult {
        var personality = personality
        personality.packetMaximum = longest ?? personality.packetMaximum
        let known = personality
        return try await NordicBench.legacy(known, change: { $0.timing = timing }).choosing {
            $0.packetSize = size
        }
        .flash(LegacyProcedure(LegacyFirmware(count: 20_000).image, packetSize: size), entry: nil)
    }

    @Test func `takes them if it is a newer one, and is faster`() async throws {
        let (short, long) = (try await flash(20), try await flash(244))
        for result in [short, long] { #expect(result.isRight, "\(result.outcome)") }
        #expect(long.statistics.packetsReceived < short.statistics.packetsReceived / 8)
        #expect(long.took < short.took)
    }

    @Test func `gets short ones where its MTU is 23`() async throws {
        let result = try await flash(244, .sdk11)
        #expect(result.isRight, "\(result.outcome)")
        #expect(result.statistics.packetsReceived > 1000)
    }

    @Test func `that drops them ends the update with the way back`() async throws {
        let result = try await flash(244, longest: 20)
        #expect(result.failure?.code.rawValue == "long-packets-lost", "\(result.outcome)")
        #expect(result.failure?.message.contains("packets of 244 bytes") == true)
        #expect(result.failure?.state?.program == .bootloader)
    }

    @Test func `that stalls over them names the option`() async throws {
        let result = try await flash(244, .adafruit, .stock)
        let failure = try #require(result.failure)
        #expect("\(failure.remedy ?? failure.code.nextStep)".contains("packet size"), "\(failure)")
    }
}
