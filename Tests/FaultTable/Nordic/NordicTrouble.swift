import Bluetooth
package import Simulation
import UpdateBench

/// The faults of one run of a Nordic beacon.
package struct NordicTrouble: Sendable, CustomStringConvertible {
    package var faults: [Fault]
    /// Other bootloaders that advertise as this one does.
    package var strangers = 0
    /// The bootloader keeps the application's address.
    package var keepsAddress = false
    /// The bootloader does not use the name that was given to the application for it.
    package var forgetsName = false

    package init(_ faults: [Fault] = []) { self.faults = faults }

    package var description: String {
        var words = faults.map { "\($0)" }
        if strangers > 0 { words.append("\(strangers) strangers") }
        if keepsAddress { words.append("the bootloader keeps the address") }
        if forgetsName { words.append("the bootloader takes no name") }
        return words.joined(separator: ", ")
    }

    func apply(to bench: inout NordicBench) {
        bench.faults += faults
        let keepsAddress = keepsAddress
        let forgetsName = forgetsName
        let change = bench.change
        bench.change = {
            change(&$0)
            if keepsAddress { $0.bootloaderAddress = $0.address }
            if forgetsName { $0.takesName = false }
        }
        bench.neighbours += NordicDescription.strangers(strangers)
    }
}

extension NordicDescription {
    /// Stock bootloaders at addresses unrelated to the unit's.
    fileprivate static func strangers(_ count: Int) -> [NordicDescription] {
        (0..<count).compactMap { number in
            DeviceAddress([0xC0, 0xFF, 0xEE, 0x00, UInt8(truncatingIfNeeded: number), 0x10])
                .map { NordicDescription(address: $0) }
        }
    }
}
