extension BeaconEntry {
    /// Injected faults of the Attribute Protocol (docs/scenarios.md, Protocol violations).
    static let attributeFaults: [String: NamedFault] = {
        var attributeFaults: [String: NamedFault] = [
            "answer_mtu": attributeFault(0...0xFFFF) { .mtu(UInt16(clamping: $0)) },
            "list_handles": attributeFault(0...0xFFFF) { .listHandles(UInt16(clamping: $0)) },
            "entry_length": attributeFault(0...0xFF) { .entryLength(UInt8(clamping: $0)) },
            "refuse_requests": attributeFault(0...0xFF) { .refusals(UInt8(clamping: $0)) },
            "late_answers_ms": attributeFault(0...Int(Int32.max)) { .lateAnswers(.milliseconds($0)) },
        ]
        for (name, attributeFault) in faultsFromPacket {
            attributeFaults[name] = NamedFault { .attributeFault(attributeFault, fromPacket: $0) }
        }
        return attributeFaults
    }()

    private static func attributeFault(
        _ range: ClosedRange<Int>, _ make: @escaping @Sendable (Int) -> AttributeFault
    ) -> NamedFault {
        NamedFault(range: range) { .attributeFault(make($0), fromPacket: 1) }
    }

    /// Faults whose number is the first packet that they affect.
    private static let faultsFromPacket: [String: AttributeFault] = [
        "short_answers": .shortAnswers, "long_answers": .longAnswers, "wrong_opcodes": .wrongOpcodes,
        "double_answers": .doubleAnswers, "unasked_answers": .unaskedAnswers,
        "foreign_errors": .foreignErrors, "only_foreign_errors": .onlyForeignErrors,
        "endless_values": .endlessValues, "many_services": .manyServices,
        "many_attributes": .manyAttributes, "one_entry_an_answer": .oneEntryAnAnswer,
        "equal_uuids": .equalUUIDs, "backward_lists": .backwards,
        "strange_notifications": .strangeNotifications,
        "senseless_notifications": .senselessNotifications, "flood_of_indications": .indications,
        "flood_of_requests": .requests,
    ]
}
