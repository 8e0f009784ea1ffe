import ArgumentParser
import NordicDFU

/// SoftDevices in the order in which they were given: `0xB6,s140_7.2.0`.
struct SoftDeviceList: ExpressibleByArgument {
    let ids: [UInt32]

    init?(argument: String) {
        var ids: [UInt32] = []
        for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
            let word = word.filter { $0 != " " }
            guard let id = WholeNumber<UInt32>(argument: word)?.value ?? SoftDeviceNames.id(of: word),
                id <= 0xFFFF
            else {
                return nil
            }
            ids.append(id)
        }
        self.ids = ids
    }
}
