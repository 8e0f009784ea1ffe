package import UpdateModel

/// The meanings of the numbers in errors of SMP servers (docs/protocols/mcuboot-smp.md, Errors). Version 1
/// has only general numbers; in version 2 each group has its own numbers.
extension MCUbootVendor {
    package var resultTables: [ResultTable] {
        func table(_ name: String, _ title: String, _ example: String, _ group: Int?) -> ResultTable {
            let isUpdates = group == nil || group == SMPError.images
            let entries = SMPError.meanings(group).map { number, meaning in
                // The failure that this number causes in an update.
                let code =
                    isUpdates && number != 0 ? SMPError(group: group, code: Int(number)).failureCode : nil
                return (number, ResultTable.Entry(meaning, code.map { [$0] } ?? []))
            }
            return ResultTable(
                name, title, example: example, isDecimal: true, Dictionary(uniqueKeysWithValues: entries))
        }
        return [
            table("smp", "a general result of SMP", "8", nil),
            table("smp-image", "a result of SMP's image management (group 1)", "9", 1),
            table("smp-os", "a result of SMP's system management (group 0)", "3", 0),
            table("smp-basic", "a result of SMP's basic management (group 63)", "4", 63),
        ]
    }
}

extension SMPError {
    fileprivate static func meanings(_ group: Int?) -> [UInt8: String] {
        let own: [UInt8: String]? =
            switch group {
            case nil: general
            case 0: system
            case images: image
            case 63: basic
            default: nil
            }
        return own.map { common.merging($0) { $1 } } ?? [:]
    }

    /// The number, its meaning, and the beacon's own words if it has sent any: `8, the request is not supported`.
    package var explanation: String {
        let meaning = UInt8(exactly: code).flatMap { Self.meanings(group)[$0] }
        let place = meaning == nil ? group.map { " of group \($0)" } ?? "" : ""
        let own = reason.flatMap(DeviceText.plain).map { "\"\($0)\"" }
        return ["\(code)\(place)", meaning, own].compactMap(\.self).joined(separator: ", ")
    }

    /// The numbers that mean the same in all groups.
    private static let common: [UInt8: String] = [0: "success", 1: "an error without a number of its own"]

    private static let general: [UInt8: String] = [
        2: "the beacon has no memory for the request or its answer",
        3: "a value in the request is not accepted",
        4: "the beacon did not finish in time",
        5: "there is no such entry",
        6: "the request does not fit the state, for example of an image",
        7: "the answer is too large for the beacon's buffer",
        8: "the request is not supported",
        9: "the request was cut off or is corrupt",
        10: "the beacon is busy",
        11: "access is denied",
        12: "the version of SMP is too old for the beacon",
        13: "the version of SMP is too new for the beacon",
    ]

    private static let system: [UInt8: String] = [
        2: "the format text has a letter that the beacon does not know",
        3: "the bootloader has no answer to the query",
        4: "the clock is not set",
        5: "the clock does not work",
        6: "the value for the query is not valid",
    ]

    private static let basic: [UInt8: String] = [
        2: "the storage could not be opened",
        3: "the size of the storage could not be read",
        4: "the storage could not be erased",
    ]

    private static let image: [UInt8: String] = [
        2: "the layout of the flash could not be read",
        3: "the slot has no image",
        4: "the image has no TLVs",
        5: "a TLV of the image is not valid",
        6: "the image has more than one hash",
        7: "a TLV of the image has a wrong size",
        8: "no slot has an image with this hash",
        9: "no slot is free: the other image is active, pending or needed to go back",
        10: "the slot could not be opened",
        11: "the slot could not be read",
        12: "the slot could not be written",
        13: "the slot could not be erased",
        14: "there is no such slot",
        15: "the beacon has no memory for the upload",
        16: "another upload is open",
        17: "no upload is open",
        18: "the slot has no flash",
        19: "the offset of a page is not valid",
        20: "the request has no offset",
        21: "the request has no length",
        22: "the first part is shorter than the header of an image",
        23: "the file does not begin as an image of MCUboot",
        24: "the hash is missing, or has a wrong length",
        25: "the image was linked for another slot",
        26: "the version that runs could not be read",
        27: "the version that runs is not lower",
        28: "an image is pending already",
        29: "the vector table of the image is not valid",
        30: "the image does not fit the slot",
        31: "more data came than was announced",
        32: "an image that does not run cannot be confirmed",
        33: "the image that runs cannot be tested",
        34: "the beacon does not know which slot is active",
    ]
}
