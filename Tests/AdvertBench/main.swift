import Bluetooth
import Firmware
import Glibc
import TestSupport

// The cost of identifying beacons by their reports, from bytes to merged identities:
//
//   advert-bench          reports of 300 beacons whose frames take turns, and of 100 000 addresses
//   advert-bench --hex    the reports of one beacon, a line each, for a peer to measure

/// One beacon's reports as bytes: its frames in turn, each with its scan response.
let turn = [
    "0201061aff4c000215e2c56db5dffb48d2b060d0f5a71096e0193605b2c5",
    "0201060303aafe1216aafe21010f0e07192a224ffffcffec03eb", "0201060303aafe0e16aafe22056ddd3402065b5c0614",
    "0201060303aafe1116aafe20000bb8158000012345000d2f00",
    "091680206d0100000000 0d094b4250726f5f323134383130 020ad3",
].map { [UInt8](hex: $0) }

/// Seconds of processor time that this process has used.
func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Adds `count` reports of `addresses` senders and prints the time this took.
func measure(_ count: Int, from addresses: Int) {
    let before = ResidentMemory.now
    let start = processorTime()
    var listening = BeaconSightings(isComplete: true)
    for number in 0..<count {
        let sender = number % addresses
        let bytes = [0xC0, 0x0D, 0] + [16, 8, 0].map { UInt8(truncatingIfNeeded: sender >> $0) }
        guard let address = DeviceAddress(bytes) else { continue }
        let data = AdvertisingData(turn[number / addresses % turn.count])
        listening.add(
            Advertisement(address: address, rssi: -60, isConnectable: true, data: data),
            at: .microseconds(100) * number)
    }
    let each = (processorTime() - start) / Double(count)
    let complete = listening.all.count { $0.identity.isComplete }
    let grown = Double(ResidentMemory.now - before) / 1e6
    print(
        "\(count) reports of \(addresses) addresses: \(tenths(each * 1e6)) µs each, "
            + "\(tenths(each * 10_000 * 100)) % of a core at 10 000 a second; "
            + "\(listening.count) beacons kept, \(complete) complete, \(tenths(grown)) MB")
}

func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }

if CommandLine.arguments.dropFirst() == ["--hex"] {
    for bytes in turn { print(bytes.map { String(Int($0) + 0x100, radix: 16).dropFirst() }.joined()) }
} else {
    measure(200_000, from: 300)
    measure(200_000, from: 100_000)
}
