import Bluetooth
import Glibc
import Simulation

// The cost of an idle connection, measured in a separate process without other work: connects to a beacon in memory
// over real sockets and the program's own event loop, subscribes, and leaves the link idle.
//
//   idle-connection MILLISECONDS
//
// Prints a line of JSON: what the process used meanwhile, and whether the link still answers after it.

/// The kernel's counters for this process.
struct Consumption {
    let processor: Int
    let sleeps: Int

    static var untilNow: Consumption {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return Consumption(processor: time.tv_sec * 1_000_000 + time.tv_nsec / 1000, sleeps: usage.ru_nvcsw)
    }
}

/// After this time the conversation's own threads are asleep, also on a busy machine.
let rest = Duration.milliseconds(300)

struct WrongAnswer: Error {}

let buttonless = Characteristic(AttributeTable.dfuService, AttributeTable.buttonless)

/// Makes the beacon send an indication, which uses both directions of the link.
func converse(_ client: ATTClient, _ answers: NotificationQueue, by time: Timekeeper) async throws {
    try await client.write([0x02, 0x01, 0x41], to: buttonless)
    let answer = try await answers.next(within: .seconds(5), by: time)
    guard answer == .value([0x20, 0x02, 0x01]) else { throw WrongAnswer() }
}

@concurrent func measure(milliseconds: UInt32, on loop: EventLoop) async throws {
    guard let address = DeviceAddress("F0:0D:BE:AC:00:00") else { return }
    let time = loop.clock
    var description = NordicDescription(address: address)
    description.program = .application
    let beacon = NordicBeacon(description, time: time)
    let (near, far) = try PacketSocket.pair(readiness: loop)
    async let _ = beacon.serve(far)
    let client = ATTClient(bearer: near, time: time)
    async let _ = client.run()
    defer { near.close() }
    try await client.exchangeMTU()
    let answers = try await client.notifications(from: buttonless)
    try await converse(client, answers, by: time)
    try await time.sleep(for: rest)
    let before = Consumption.untilNow
    // A deadline of the loop, as for a connection that waits for an answer.
    try await time.sleep(for: .milliseconds(milliseconds))
    let after = Consumption.untilNow
    try await converse(client, answers, by: time)
    let processor = after.processor - before.processor
    print(#"{"processor_us":\#(processor),"sleeps":\#(after.sleeps - before.sleeps)}"#)
}

guard CommandLine.arguments.count == 2, let length = UInt32(CommandLine.arguments[1]) else {
    print("usage: idle-connection MILLISECONDS")
    exit(64)
}
let loop = try EventLoop.shared.get()
try await withTaskExecutorPreference(loop) { try await measure(milliseconds: length, on: loop) }
