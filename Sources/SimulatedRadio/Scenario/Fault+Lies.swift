import SimulatedDevice

extension Fault {
    /// The lie of the Attribute Protocol with this key (docs/scenarios.md, Lies); nil where there is none.
    init?(lying key: String, _ number: Int) {
        if let lie = Self.lies[key] {
            self = .lie(lie, fromPacket: number)
            return
        }
        let lie: AttributeLie? =
            switch key {
            case "answer_mtu": .mtu(UInt16(clamping: number))
            case "list_handles": .listHandles(UInt16(clamping: number))
            case "entry_length": .entryLength(UInt8(clamping: number))
            case "refuse_requests": .refusals(UInt8(clamping: number))
            case "late_answers_ms": .lateAnswers(.milliseconds(max(0, number)))
            default: nil
            }
        guard let lie else { return nil }
        self = .lie(lie, fromPacket: 1)
    }

    /// Those whose number is the packet from which on they are told.
    private static let lies: [String: AttributeLie] = [
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
