import Bluetooth
import Simulation
import Testing
import UpdateBench
import UpdateModel

private let firmware = SUOTABench.firmware(30_000)

/// A run's events without the periodic and the frequent ones.
private enum Mark: Equatable {
    case connected, discovered, read(String), informed(String), informationRead(Bool), ready, verified,
        reboot,
        disconnected

    init?(_ event: UpdateEvent) {
        switch event {
        case .connected: self = .connected
        case .disconnected: self = .disconnected
        case .detail(.servicesDiscovered): self = .discovered
        case .detail(.characteristicRead(let source, _)): self = .read(source.uuid.description)
        case .detail(.deviceInformation(let name, _)): self = .informed(name)
        case .detail(.deviceInformationRead(let isPresent)): self = .informationRead(isPresent)
        case .detail(.ready): self = .ready
        case .detail(.verified): self = .verified
        case .detail(.rebootSent): self = .reboot
        default: return nil
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `The events of an update over SUOTA` {
    @Test func `are those of the vendor's delegate, in order`() async throws {
        let result = try await SUOTABench(.da14585).flash(firmware)
        let marks = result.events.compactMap(Mark.init)
        let opening: [Mark] = [
            .connected, .discovered, .read("2A26"), .read("2A28"), .read("2A29"), .informed("manufacturer"),
            .read("2A24"), .informed("model"), .read("2A26"), .informed("firmware revision"), .read("2A28"),
            .informed("software revision"), .informationRead(true),
            .read("64B4E8B5-0DE5-401B-A21D-ACC8DB3B913A"), .read("42C3DFDD-77BE-4D9C-8454-8F875267FB3B"),
            .read("B7DE1EEA-823D-43BB-A3AF-C4903DFCE23C"), .ready,
        ]
        #expect(Array(marks.prefix(opening.count)) == opening)
        let memoryInfo = Mark.read("6C53DB25-47A1-45FE-A022-7C92FB334FD4")
        let status = Mark.read("5F78DF94-798C-46F5-990A-B3EB6A065C88")
        #expect(
            Array(marks.dropFirst(opening.count)) == [
                memoryInfo, status, .verified, .reboot, .disconnected, .read("2A26"),
            ])
    }

    @Test(arguments: SUOTAPersonality.named.keys.sorted())
    func `are complete for every receiver`(_ kind: String) async throws {
        let result = try await SUOTABench(try #require(SUOTAPersonality.named[kind])).flash(firmware)
        let marks = result.events.compactMap(Mark.init)
        for mark in [Mark.connected, .discovered, .informationRead(true), .ready, .verified, .reboot] {
            #expect(marks.count { $0 == mark } == 1, "\(mark)")
        }
        let services = result.events.compactMap { event -> [BluetoothUUID]? in
            if case .detail(.servicesDiscovered(let services)) = event { services } else { nil }
        }
        #expect(services.first?.contains(BluetoothUUID(0xFEF5)) == true)
        #expect(services.first?.contains(BluetoothUUID(0x180A)) == true)
        let lengths = result.events.compactMap { event -> (Double, Double)? in
            guard case .detail(.verified(let all?, let upload?)) = event else { return nil }
            return (all, upload)
        }
        let (all, upload) = try #require(lengths.first)
        #expect(all > upload && upload > 0)
        #expect(upload > 0.8 * all)
    }

    @Test func `report that a device has no Device Information`() async throws {
        var bench = SUOTABench(.da14580)
        bench.change = {
            $0.reportsVersion = false
            $0.manufacturer = nil
            $0.model = nil
        }
        let marks = try await bench.flash(firmware).events.compactMap(Mark.init)
        #expect(marks.contains(.informationRead(false)))
    }

    @Test(arguments: ["da14585", "da14683-channel"])
    func `have an end for every link`(_ kind: String) async throws {
        let faults: [Fault] = [.cut(afterPacket: 40), .cut(afterPacket: 90)]
        let bench = SUOTABench(try #require(SUOTAPersonality.named[kind]), faults: faults)
        let result = try await bench.flash(firmware)
        #expect(result.report != nil, "\(result.outcome)")
        let marks = result.events.compactMap(Mark.init).filter { $0 == .connected || $0 == .disconnected }
        #expect(marks == [.connected, .disconnected, .connected, .disconnected, .connected, .disconnected])
    }

    @Test(arguments: [("2A26", nil), ("2A28", "SDK 6.0.14")] as [(String, String?)])
    func `end with the characteristic from which the version was read`(_ source: String, _ sdk: String?)
        async throws
    {
        var bench = SUOTABench(.da14585)
        bench.change = { $0.firmwareRevision = sdk }
        let report = try await bench.flash(firmware).report
        #expect(report?.verified == .version)
        #expect(report?.revision == "2.0.0")
        #expect(report?.revisionSource?.description == source)
    }

    @Test func `end with none if no version can be read`() async throws {
        var bench = SUOTABench(.da14585)
        bench.change = { $0.reportsVersion = false }
        let report = try await bench.flash(firmware).report
        #expect(report != nil)
        #expect(report?.revision == nil && report?.revisionSource == nil)
    }
}

@Suite(.timeLimit(.minutes(10))) struct `Speeds at fixed intervals` {
    struct Ticks {
        var steady: [(moment: Duration, speeds: TransferSpeeds)] = []
        var seconds: [(moment: Duration, rate: Double)] = []
        var first: Duration?
        var last: Duration?

        init(_ events: [UpdateEvent], _ moments: [Duration]) {
            for (event, moment) in zip(events, moments) {
                switch event {
                case .steadySpeed(let speeds): steady.append((moment, speeds))
                case .currentSpeed(let rate): seconds.append((moment, rate))
                case .phase(.transferring): first = first ?? moment
                case .phase(.activating): last = moment
                default: break
                }
            }
        }
    }

    private func check(_ ticks: Ticks, _ bytes: Int) throws {
        let start = try #require(ticks.first)
        let end = try #require(ticks.last)
        // They begin with the first packet that has left, which is a moment later.
        let begin = try #require(ticks.steady.first).moment - .milliseconds(500)
        #expect(begin >= start && begin < start + .milliseconds(400))
        let count = Int((end - begin) / .milliseconds(500))
        #expect(ticks.steady.map(\.moment) == (0..<count).map { begin + .milliseconds(500) * ($0 + 1) })
        #expect(ticks.seconds.map(\.moment) == (0..<count / 2).map { begin + .seconds($0 + 1) })
        // They are consistent with each other, and with the image.
        for (number, second) in ticks.seconds.enumerated() {
            let halves = ticks.steady[number * 2...number * 2 + 1].map(\.speeds.current)
            #expect(second.rate == halves.reduce(0, +) / 2)
        }
        let told = ticks.steady.map(\.speeds.current).reduce(0, +) / 2
        #expect(told <= Double(bytes) && told > 0.8 * Double(bytes))
        for (_, speeds) in ticks.steady {
            #expect(speeds.min <= speeds.current && speeds.current <= speeds.max)
            #expect(speeds.min <= speeds.average + 0.001 && speeds.average <= speeds.max + 0.001)
        }
    }

    @Test(arguments: SUOTAPersonality.named.keys.sorted())
    func `come over SUOTA while the image is under way`(_ kind: String) async throws {
        var personality = try #require(SUOTAPersonality.named[kind])
        personality.timing = FlashTiming(
            pageErase: .milliseconds(1300), pieceWrite: .milliseconds(1), pageProgram: .milliseconds(12))
        let result = try await SUOTABench(personality).flash(firmware)
        let ticks = Ticks(result.events, result.moments)
        try check(ticks, firmware.payload.count + 100)
        // An erase takes longer than two intervals: the standstill is reported.
        #expect(ticks.steady.contains { $0.speeds.current == 0 })
    }

    @Test func `come over Secure DFU too`() async throws {
        let image = TestFirmware(count: 60_000)
        let result = try await NordicBench().flash(image)
        try check(Ticks(result.events, result.moments), image.image.count)
        let marks = result.events.compactMap(Mark.init).filter { $0 == .connected || $0 == .disconnected }
        #expect(marks == [.connected, .disconnected])
        #expect(result.events.contains { if case .detail(.servicesDiscovered) = $0 { true } else { false } })
        #expect(result.report?.revisionSource?.description == "2A26" || result.report?.revision == nil)
    }

    /// The application's link, and the bootloader's; and each of a run that fails.
    @Test func `come between links that all have an end`() async throws {
        let image = TestFirmware(count: 9000)
        for bench in [
            NordicBench(change: { $0.program = .application }, entering: .init()),
            NordicBench(faults: [.nordic(.answerExecute(2, with: [0x0A]))]),
        ] {
            let result = try await bench.flash(image)
            let marks = result.events.compactMap(Mark.init).filter { $0 == .connected || $0 == .disconnected }
            #expect(marks.count.isMultiple(of: 2) && !marks.isEmpty)
            for (number, mark) in marks.enumerated() {
                #expect(mark == (number.isMultiple(of: 2) ? .connected : .disconnected))
            }
        }
    }

    @Test func `stop with the link, and begin again with the next`() async throws {
        let result = try await SUOTABench(.da14580, faults: [.cut(afterPacket: 900)]).flash(firmware)
        #expect(result.report != nil, "\(result.outcome)")
        var isConnected = false
        for event in result.events {
            switch event {
            case .connected: isConnected = true
            case .disconnected: isConnected = false
            case .steadySpeed, .currentSpeed: #expect(isConnected)
            default: break
            }
        }
        #expect(result.events.count { if case .currentSpeed = $0 { true } else { false } } > 3)
    }
}
