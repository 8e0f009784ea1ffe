import Bluetooth
import Logging
import Synchronization
import UpdateModel

extension UnitDriver {
    /// The result of `dialogue` over the link of `client`, with at least `leastInterval` between writes.
    func answer<D: Dialogue>(
        to dialogue: D, from client: any GATTClient, pausing leastInterval: Duration = .zero,
        onNotice: @escaping @Sendable (D.Notice) -> Void = { _ in }
    ) async throws -> D.Ending {
        var dialogue = dialogue
        var observer = ProbeObserver(report: report, onNotice: onNotice)
        var runner = SessionRunner(with: client, time: adapter.time, pausing: leastInterval)
        return try await runner.run(&dialogue, &observer)
    }

    /// Exchanges the MTU and finds out what the device runs.
    mutating func identify(
        _ client: ATTClient, _ address: DeviceAddress, with options: ProbeOptions,
        _ parameters: @escaping @Sendable () async -> LinkParameters
    ) async throws -> Program {
        let limit = policy.discoveryLimit
        let reported = Mutex<LinkDescription?>(nil)
        telemetry.checkLink = { [report] in
            guard let mtu = reported.withLock({ $0?.mtu }) else { return }
            let link = LinkDescription(mtu: mtu, await parameters())
            // After the link has ended, the adapter has no parameters for it.
            guard link.interval != nil else { return }
            let isNew = reported.withLock { reported in
                defer { reported = link }
                return reported != link
            }
            if isNew { report(.detail(.linkChanged(link))) }
        }
        let found = try await adapter.time.within(limit) { [self] in
            try await client.exchangeMTU(atMost: policy.choices.packetSize)
            let link = LinkDescription(mtu: await client.mtu, await parameters())
            report(.connected(address, link))
            reported.withLock { $0 = link }
            return try await run(ProgramProbe(options, within: limit), over: client) { [report] in
                report(.detail(.servicesDiscovered($0)))
            }
        }
        guard let found = found ?? nil else {
            throw UpdateFailure(
                .device.noAnswer, during: "discovering services",
                message: "\(address) did not list all its services within \(Int(limit.seconds)) s",
                mayReconnect: true)
        }
        do {
            guard options.targetSignature.isApplication else {
                // Once another program takes the update, the facts read from the application are outdated.
                if case .receiver = found.program { (identityFacts, entriesWithSession) = (nil, 0) }
                let program = try await ask(
                    found, at: address, over: client, known: entersWithoutSession ? identityFacts : nil)
                noteSettings(identityFacts?.settings)
                return program
            }
            // The version of such an application is readable without a session; only its settings require one.
            if case .receiver = found.program, options.identifies,
                let dialogue = try identifying?(address, found.services)
            {
                noteSettings(
                    try await answer(to: dialogue, from: client, pausing: dialogue.leastInterval).settings)
            }
            return found.program
        } catch let error as SessionFailure { throw UpdateFailure(error) }
    }

    /// The program that a device runs, and its services; nil if these were not listed.
    private typealias Found = (program: Program, services: [BluetoothUUID]?)

    private func run(
        _ probe: ProgramProbe, over client: ATTClient,
        onServices: @escaping @Sendable ([BluetoothUUID]) -> Void = { _ in }
    ) async throws -> Found? {
        let services = Mutex<[BluetoothUUID]?>(nil)
        let program = try await answer(to: probe, from: client) { found in
            services.withLock { $0 = found }
            onServices(found)
        }
        return program.map { ($0, services.withLock { $0 }) }
    }

    /// Runs the identity query on an application that needs a session, unless it is `known`.
    private mutating func ask(
        _ found: Found, at address: DeviceAddress, over client: ATTClient, known: ApplicationFacts? = nil,
        agreeingOnMTU: Bool = false
    ) async throws -> Program {
        guard case .application(let entry, let shown) = found.program, let identifying else {
            return found.program
        }
        var facts = known
        if facts == nil, let dialogue = try identifying(address, found.services) {
            if agreeingOnMTU { try await client.exchangeMTU(atMost: policy.choices.packetSize) }
            facts = try await answer(to: dialogue, from: client, pausing: dialogue.leastInterval)
        }
        guard let facts else { return found.program }
        identityFacts = facts
        let revision = facts.version.map { Revision(text: $0, source: nil) }
        return .application(entryCharacteristic: entry, revision: revision ?? shown)
    }

    /// Runs `body` over a separate link to `address`, without pairing.
    func withSeparateLink<Value: Sendable>(
        to address: DeviceAddress, _ body: (ATTClient) async throws -> Value
    ) async throws -> Value {
        try await adapter.withLink(
            to: address, asking: policy.linkRequest(), within: policy.connect, mayEncrypt: false
        ) { client, _ in try await body(client) }
    }

    /// Detects over a separate link which program the device at `address` runs.
    mutating func probe(at address: DeviceAddress, with options: ProbeOptions) async throws
        -> ProbeResult
    {
        let limit = policy.discoveryLimit
        // Whether an application takes updates does not show which application it is.
        let probe = ProgramProbe(
            options, within: limit, readsOnlyVersion: options.targetSignature.isApplication)
        do {
            return try await withSeparateLink(to: address) { client in
                let found = try await adapter.time.within(limit) { [self] in
                    try await run(probe, over: client)
                }
                guard let found = found ?? nil else { return .unfinished }
                guard !options.targetSignature.isApplication else { return .program(found.program) }
                do {
                    let program = try await ask(found, at: address, over: client, agreeingOnMTU: true)
                    compareSettings(with: identityFacts?.settings)
                    return .program(program)
                } catch let error as SessionFailure where !error.mayReconnect {
                    return .silent(found.program, UpdateFailure(error))
                }
            }
        } catch is SessionFailure {
            return .unfinished
        } catch AdapterError.noAnswer, AdapterError.tooManyLinks {
            return .unreached
        } catch let error as GATTError where error != .cancelled {
            return .unreached
        }
    }
}

/// The settings of the application, before and after the update.
extension UnitDriver {
    mutating func noteSettings(_ found: ReportedSettings?) {
        guard settings == nil, let found else { return }
        settings = found
        guard found.values.isEmpty else { return }
        warn(
            .session.settingsUnread,
            "the settings of the beacon could not be read, so they cannot be compared after the update")
    }

    private func warn(_ code: FailureCode, _ words: String) { report(.warning(code, words)) }

    /// Reads the settings of the application at `address` over another link, after a verified update.
    mutating func askForSettings(at address: DeviceAddress) async {
        guard settings?.values.isEmpty == false, let identifying else { return }
        var after = ReportedSettings()
        do {
            after = try await withSeparateLink(to: address) { client in
                try await client.exchangeMTU(atMost: policy.choices.packetSize)
                guard let dialogue = try identifying(address, nil) else { return ReportedSettings() }
                return try await answer(to: dialogue, from: client, pausing: dialogue.leastInterval).settings
                    ?? ReportedSettings()
            }
        } catch { log.info("the settings could not be read again: \(error)") }
        compareSettings(with: after)
    }

    mutating func compareSettings(with after: ReportedSettings?) {
        guard let before = settings, !before.values.isEmpty, let after else { return }
        settings = ReportedSettings()
        guard !after.values.isEmpty else {
            warn(.session.settingsUnread, "the settings of the beacon could not be read after the update")
            return
        }
        let comparison = SettingsComparison(before, after)
        report(.detail(.settingsCompared(comparison)))
        for row in comparison.changed {
            warn(
                .session.settingsChanged,
                "\(row.name) was \(row.before) and is \(row.after?.description ?? "gone")")
        }
    }
}

extension LinkDescription {
    fileprivate init(mtu: Int, _ parameters: LinkParameters) {
        self.init(mtu: mtu, interval: parameters.interval, phy: parameters.phy?.rawValue)
    }
}

/// Reports the values that are read by a probe or a query; their time does not count as that of the update.
struct ProbeObserver<Notice: Sendable>: SessionObserver {
    let report: @Sendable (UpdateEvent) -> Void
    let onNotice: @Sendable (Notice) -> Void

    func note(_ notice: Notice) { onNotice(notice) }
    func read(_ source: Characteristic, _ value: [UInt8]) {
        report(.detail(.characteristicRead(source, value)))
    }
    func book(_ length: Duration, to limit: SpeedLimit) {}
    func sent(_ count: Int, upTo position: Int, in payload: PayloadSpan, isUnanswered: Bool) {}
}
