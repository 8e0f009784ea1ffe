package import Simulation
import TestSupport

/// The injected fault of one run of a beacon.
package struct AttributeFaultTrouble: Sendable, CustomStringConvertible {
    /// The fault, and the packet from which it applies.
    package var attributeFaults: [(attributeFault: AttributeFault, packet: Int)]

    package init(_ attributeFault: AttributeFault, fromPacket packet: Int) {
        attributeFaults = [(attributeFault, packet)]
    }

    init(_ attributeFaults: [(attributeFault: AttributeFault, packet: Int)]) {
        self.attributeFaults = attributeFaults
    }

    package var description: String {
        attributeFaults.map { "\($0.attributeFault) from packet \($0.packet)" }.joined(separator: ", ")
    }

    var faults: [Fault] { attributeFaults.map { .attributeFault($0.attributeFault, fromPacket: $0.packet) } }
}

extension AttributeFault {
    /// One of every kind.
    package static let all: [AttributeFault] = [
        .mtu(0), .mtu(1), .mtu(.max), .shortAnswers, .longAnswers, .entryLength(0), .entryLength(1),
        .entryLength(.max), .wrongOpcodes, .doubleAnswers, .unaskedAnswers, .foreignErrors,
        .onlyForeignErrors, .refusals(0x01), .refusals(0x05), .refusals(0x0A), .refusals(0x0E),
        .refusals(0x80),
        .lateAnswers(.seconds(29)), .lateAnswers(.milliseconds(900)), .endlessValues, .manyServices,
        .manyAttributes, .oneEntryAnAnswer, .equalUUIDs, .listHandles(0), .listHandles(.max), .backwards,
        .strangeNotifications, .senselessNotifications, .indications, .requests,
    ]

    /// The text for the table.
    package var title: String {
        switch self {
        case .mtu(let number): "MTU \(number) answered"
        case .shortAnswers: "answers cut to their opcode"
        case .longAnswers: "answers of 600 bytes"
        case .entryLength(let number): "lists with entries of length \(number)"
        case .wrongOpcodes: "answers with another opcode"
        case .doubleAnswers: "every answer twice"
        case .unaskedAnswers: "a Write Response before every answer"
        case .foreignErrors: "an error to another request before every answer"
        case .onlyForeignErrors: "an error to another request instead of every answer"
        case .refusals(let code): "every request refused with \(String(code, radix: 16, uppercase: true))"
        case .lateAnswers(let delay): "every answer late by \(delay / .seconds(1)) s"
        case .endlessValues: "values without an end"
        case .manyServices: "a service at every handle"
        case .manyAttributes: "a characteristic at every handle"
        case .oneEntryAnAnswer: "one entry per answer"
        case .equalUUIDs: "equal UUIDs"
        case .listHandles(let number): "handle \(number) in every list"
        case .backwards: "lists that begin again"
        case .strangeNotifications: "notifications of an unknown handle, endless"
        case .senselessNotifications: "meaningless notifications, endless"
        case .indications: "indications, endless and unconfirmed"
        case .requests: "requests of the device's own, endless"
        }
    }

    /// Any of them.
    static func any(_ random: inout Seed) -> AttributeFault {
        all[Int.random(in: 0..<all.count, using: &random)]
    }

    /// The codes with which an update may fail because of it, alone or among others.
    var mayFail: Set<String> {
        switch self {
        case .foreignErrors, .strangeNotifications, .indications, .requests: []
        // After another MTU than the device has, packets may be longer than it accepts.
        case .mtu: ["image-crc-mismatch"]
        case .shortAnswers, .longAnswers, .entryLength, .wrongOpcodes, .doubleAnswers, .unaskedAnswers:
            Self.missing.union(["unexpected-answer"])
        case .onlyForeignErrors: ["no-answer", "link-lost"]
        case .lateAnswers(let delay): delay > .seconds(10) ? ["no-answer", "link-lost"] : []
        // With other faults, a list without an end.
        case .oneEntryAnAnswer: ["no-answer"]
        case .refusals: Self.missing.union(["encryption-failed"])
        // The device reports that it runs its bootloader, or has an invalid status.
        case .endlessValues: ["activation-failed", "image-not-marked", "unknown-status"]
        case .manyServices, .manyAttributes, .equalUUIDs, .listHandles, .backwards: Self.missing
        case .senselessNotifications: ["unknown-status", "image-not-marked", "unexpected-answer"]
        }
    }

    /// A search for a characteristic finds none or a different one, or does not end; a bootloader without its own is
    /// taken for the application.
    private static let missing: Set = [
        "not-in-bootloader", "update-service-missing", "attribute-refused", "left-bootloader", "parts-left",
        "bootloader-not-entered", "no-answer",
    ]
}
