import Bluetooth
import Testing
import UpdateModel

@testable import UpdateEngine

/// Adverts after a departure from `F0:00:00:00:00:FF`, in short words: the address's last byte, a name or `-`, and the
/// time in milliseconds; then the verdict.
private struct LockScript {
    static let application = DeviceAddress("F0:00:00:00:00:FF")

    var lock: BootloaderLock

    init(
        name: String? = nil, _ expectedAddresses: Set<ExpectedAddress> = [.nextAddress, .sameAddress],
        others: [String] = [], takingNewcomer: Bool = false, areOthersKnown: Bool = true
    ) throws {
        lock = BootloaderLock(
            on: try #require(Self.application),
            BootloaderHandoff(expectedAddresses: expectedAddresses, name: name),
            others: Set(others.compactMap(Self.address)), areAllKnown: areOthersKnown,
            takingNewcomerWith: takingNewcomer ? Self.service : nil)
    }

    private static let service = BluetoothUUID(0xFE59)

    static func address(_ last: String) -> DeviceAddress? { DeviceAddress("F0:00:00:00:00:\(last)") }

    mutating func hear(
        _ last: String, _ name: String, at milliseconds: Int, serving: Bool = true, rssi: Int8? = -50
    ) throws {
        var data = AdvertisingData()
        if name != "-" { data.elements = [.name(name, complete: true)] }
        if serving { data.elements.append(.services([Self.service], complete: true)) }
        lock.hear(
            Advertisement(
                address: try #require(Self.address(last)), rssi: rssi, isConnectable: true, data: data),
            at: .milliseconds(milliseconds))
    }

    /// `00` for a bootloader found there, `stayed`, `ambiguous` or `open`.
    func verdict(at milliseconds: Int) -> String {
        switch lock.verdict(at: .milliseconds(milliseconds)) {
        case .found(let address): String(address.description.suffix(2))
        case .assumed(let address, let reason):
            (reason.hasPrefix("it is the only") ? "only " : "perhaps ") + address.description.suffix(2)
        case .stayed: "stayed"
        case .ambiguous: "ambiguous"
        case .missing(let arrivals): "missing \(arrivals.map(\.description).joined(separator: " "))"
        case nil: "open"
        }
    }
}

@Suite struct `The lock on a unit's bootloader` {
    @Test func `accepts the predicted address, without carry, a second after it was first heard`() throws {
        var hearing = try LockScript()
        #expect(hearing.verdict(at: 0) == "open")
        try hearing.hear("00", "DfuTarg", at: 500)
        #expect(hearing.verdict(at: 500) == "open")
        #expect(hearing.verdict(at: 1499) == "open")
        #expect(hearing.verdict(at: 1500) == "00")
    }

    @Test func `accepts no other beacon, however similar`() throws {
        var hearing = try LockScript()
        for last in ["01", "FE", "10"] { try hearing.hear(last, "DfuTarg", at: 100) }
        #expect(hearing.verdict(at: 29_000) == "open")
    }

    @Test func `reports that the unit stayed when its application is heard after the candidate`() throws {
        var hearing = try LockScript()
        try hearing.hear("00", "DfuTarg", at: 500)
        try hearing.hear("FF", "Beacon", at: 900)
        #expect(hearing.verdict(at: 900) == "stayed")
    }

    @Test func `ignores the last adverts of the application`() throws {
        var hearing = try LockScript()
        try hearing.hear("FF", "Beacon", at: 20)
        try hearing.hear("00", "DfuTarg", at: 500)
        #expect(hearing.verdict(at: 1500) == "00")
    }

    @Test func `accepts the application's own address when that is heard long after`() throws {
        var hearing = try LockScript()
        try hearing.hear("FF", "Beacon", at: 2999)
        #expect(hearing.verdict(at: 20_000) == "open")
        try hearing.hear("FF", "Beacon", at: 3000)
        #expect(hearing.verdict(at: 3000) == "FF")
    }

    @Test func `reports that the unit stayed if its bootloader cannot keep the address`() throws {
        var hearing = try LockScript([.nextAddress])
        try hearing.hear("FF", "Beacon", at: 3000)
        #expect(hearing.verdict(at: 3000) == "stayed")
    }

    @Test func `waits only for the application's address with bonds`() throws {
        var hearing = try LockScript([.sameAddress])
        try hearing.hear("00", "DfuTarg", at: 500)
        #expect(hearing.verdict(at: 2000) == "open")
        try hearing.hear("FF", "DfuTarg", at: 3500)
        #expect(hearing.verdict(at: 3500) == "FF")
    }

    @Test func `does not accept a beacon that had the predicted address before`() throws {
        var hearing = try LockScript(others: ["00"])
        try hearing.hear("00", "DfuTarg", at: 500)
        #expect(hearing.verdict(at: 500) == "ambiguous")
    }
}

@Suite struct `The lock on a bootloader with a name` {
    @Test(arguments: [true, false])
    func `accepts the name at any address, 0.3 s after it was first heard`(_ areOthersKnown: Bool) throws {
        var hearing = try LockScript(name: "Dfu1", areOthersKnown: areOthersKnown)
        try hearing.hear("77", "Dfu1", at: 500)
        #expect(hearing.verdict(at: 799) == "open")
        #expect(hearing.lock.nextDecision(after: .milliseconds(500)) == .milliseconds(800))
        #expect(hearing.verdict(at: 800) == "77")
    }

    @Test func `distinguishes the unit from another bootloader at the predicted address`() throws {
        var hearing = try LockScript(name: "Dfu1")
        try hearing.hear("00", "DfuTarg", at: 100)
        try hearing.hear("77", "Dfu1", at: 4500)
        #expect(hearing.verdict(at: 4799) == "open")
        #expect(hearing.verdict(at: 4800) == "77")
    }

    @Test func `refuses two beacons with the name`() throws {
        var hearing = try LockScript(name: "Dfu1")
        try hearing.hear("00", "Dfu1", at: 100)
        try hearing.hear("77", "Dfu1", at: 399)
        #expect(hearing.verdict(at: 399) == "ambiguous")
    }

    @Test func `refuses an address at which two names are heard`() throws {
        var hearing = try LockScript(name: "Dfu1")
        try hearing.hear("00", "DfuTarg", at: 100)
        try hearing.hear("00", "Dfu1", at: 300)
        #expect(hearing.verdict(at: 300) == "ambiguous")
    }

    @Test func `refuses the name from a beacon that was there before`() throws {
        var hearing = try LockScript(name: "Dfu1", others: ["77"])
        try hearing.hear("77", "Dfu1", at: 100)
        #expect(hearing.verdict(at: 100) == "ambiguous")
    }

    @Test func `ignores the application's name at a kept address`() throws {
        var hearing = try LockScript(name: "Dfu1")
        try hearing.hear("FF", "Beacon", at: 10)
        try hearing.hear("FF", "Dfu1", at: 700)
        #expect(hearing.verdict(at: 1000) == "FF")
    }

    @Test func `falls back to the predicted address when the name is not heard for 5 s`() throws {
        var hearing = try LockScript(name: "Dfu1")
        try hearing.hear("00", "DfuTarg", at: 100)
        #expect(hearing.verdict(at: 4999) == "open")
        #expect(hearing.verdict(at: 5000) == "00")
    }

    @Test func `only assumes the predicted address if another beacon may have been there before`() throws {
        var hearing = try LockScript(name: "Dfu1", takingNewcomer: true, areOthersKnown: false)
        try hearing.hear("77", "DfuTarg", at: 100)
        #expect(hearing.verdict(at: 29_000) == "open")
        try hearing.hear("00", "DfuTarg", at: 4500)
        #expect(hearing.verdict(at: 5499) == "open" && hearing.verdict(at: 5500) == "perhaps 00")
    }

    @Test func `has a time at which its verdict may change`() throws {
        var hearing = try LockScript(name: "Dfu1")
        #expect(hearing.lock.nextDecision(after: .zero) == .seconds(3))
        try hearing.hear("00", "DfuTarg", at: 100)
        #expect(hearing.lock.nextDecision(after: .milliseconds(100)) == .milliseconds(400))
        #expect(hearing.lock.nextDecision(after: .milliseconds(400)) == .milliseconds(1100))
        #expect(hearing.lock.nextDecision(after: .seconds(3)) == .seconds(5))
        #expect(hearing.lock.nextDecision(after: .seconds(5)) == nil)
    }
}

@Suite struct `The lock on a bootloader without a name` {
    @Test func `accepts the only new one, once nothing better is to be expected`() throws {
        var hearing = try LockScript(takingNewcomer: true)
        try hearing.hear("77", "DfuTarg", at: 900)
        #expect(hearing.verdict(at: 9999) == "open")
        #expect(hearing.verdict(at: 10_000) == "only 77")
        #expect(hearing.lock.nextDecision(after: .seconds(5)) == .seconds(10))
        var late = try LockScript(takingNewcomer: true)
        try late.hear("77", "DfuTarg", at: 20_000)
        #expect(late.verdict(at: 20_999) == "open" && late.verdict(at: 21_000) == "only 77")
    }

    @Test func `accepts no other address unless elimination is allowed`() throws {
        var hearing = try LockScript()
        try hearing.hear("77", "DfuTarg", at: 900)
        #expect(hearing.verdict(at: 29_000) == "open")
    }

    @Test func `refuses two, whenever they came up`() throws {
        var hearing = try LockScript(takingNewcomer: true)
        try hearing.hear("77", "DfuTarg", at: 900)
        try hearing.hear("78", "DfuTarg", at: 9_500)
        #expect(hearing.verdict(at: 10_000) == "ambiguous")
    }

    @Test func `ignores beacons that were there before, are far away, or are no bootloaders`() throws {
        var hearing = try LockScript(others: ["70"], takingNewcomer: true)
        try hearing.hear("70", "DfuTarg", at: 900)
        try hearing.hear("71", "DfuTarg", at: 900, rssi: -71)
        try hearing.hear("72", "DfuTarg", at: 900, rssi: nil)
        try hearing.hear("73", "Beacon", at: 900, serving: false)
        #expect(hearing.verdict(at: 29_000) == "open")
        try hearing.hear("77", "DfuTarg", at: 900, rssi: -70)
        #expect(hearing.verdict(at: 29_000) == "only 77")
    }

    @Test func `prefers a name and an address to elimination`() throws {
        var named = try LockScript(name: "Dfu1", takingNewcomer: true)
        try named.hear("77", "DfuTarg", at: 900)
        try named.hear("78", "Dfu1", at: 9_900)
        #expect(named.verdict(at: 10_199) == "open" && named.verdict(at: 10_200) == "78")
        var predicted = try LockScript(takingNewcomer: true)
        try predicted.hear("77", "DfuTarg", at: 900)
        try predicted.hear("00", "DfuTarg", at: 9_900)
        #expect(predicted.verdict(at: 10_500) == "open")
        #expect(predicted.verdict(at: 10_900) == "00")
    }

    @Test func `recognises an application that stayed`() throws {
        var hearing = try LockScript([.nextAddress], takingNewcomer: true)
        try hearing.hear("77", "DfuTarg", at: 900)
        try hearing.hear("FF", "Beacon", at: 4000)
        #expect(hearing.verdict(at: 10_000) == "stayed")
    }
}
