import BluetoothTypes

extension ScenarioFile.Beacon {
    /// What it says of its battery in percent.
    func percentage(_ address: DeviceAddress) throws(Scenario.Flaw) -> UInt8? {
        guard let battery else { return nil }
        guard (0...100).contains(battery) else {
            throw Scenario.Flaw(text: "\(address): battery is 0 to 100 percent, not \(battery)")
        }
        return UInt8(battery)
    }

    /// What it says of its battery in mV.
    func voltage(_ address: DeviceAddress) throws(Scenario.Flaw) -> UInt16? {
        guard let batteryMillivolts else { return nil }
        guard (1...Int(UInt16.max)).contains(batteryMillivolts) else {
            throw Scenario.Flaw(
                text: "\(address): battery_mv is 1 to 65535 millivolts, not \(batteryMillivolts)")
        }
        return UInt16(batteryMillivolts)
    }
}
