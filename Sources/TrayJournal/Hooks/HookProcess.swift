import Bluetooth
import CLinux
import Glibc

/// Runs a hook's command to its end or its deadline, on a thread that waits for it.
///
/// The JSON is in an unnamed file, so that nothing blocks if a hook does not read it. Its output is discarded except
/// for the last line, which is reported if it fails. It has a process group of its own: Ctrl-C goes to the program,
/// which stops a hook itself if necessary.
package enum HookProcess {
    /// Tells the thread that the result is no longer needed: its descriptor becomes readable.
    final class Cancellation: Sendable {
        let descriptor: Int32

        init() throws(HookStartError) {
            descriptor = eventfd(0, eventfd_flags)
            guard descriptor >= 0 else { throw HookStartError("eventfd") }
        }

        deinit { close(descriptor) }

        func tell() { _ = eventfd_write(descriptor, 1) }
    }

    /// Runs the command of `hook` with `call`. Cancelling the task stops it.
    package static func run(_ hook: Hook, _ call: HookCall, deadline: Duration) async -> HookOutcome {
        let cancellation: Cancellation
        do throws(HookStartError) { cancellation = try Cancellation() } catch {
            return .notBegun(error.words)
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                do throws(SocketError) {
                    try DetachedThread.start {
                        continuation.resume(returning: wait(for: hook, call, deadline, unless: cancellation))
                    }
                } catch {
                    continuation.resume(returning: .notBegun(HookStartError(error.call, error.errno).words))
                }
            }
        } onCancel: {
            cancellation.tell()
        }
    }

    private static func wait(
        for hook: Hook, _ call: HookCall, _ deadline: Duration, unless cancellation: Cancellation
    ) -> HookOutcome {
        do throws(HookStartError) {
            var child = try HookChild(hook, call)
            return child.wait(deadline, unless: cancellation)
        } catch {
            return .notBegun(error.words)
        }
    }
}

package enum HookOutcome: Hashable, Sendable {
    /// It exited with this status; `lastWords` is its last line of output.
    case exited(Int32, lastWords: String?)
    /// It was ended by this signal.
    case killed(Int32)
    /// It was stopped at its time limit.
    case late
    /// It was stopped, since its result is no longer needed.
    case cancelled
    /// It could not be started: the system's message.
    case notBegun(String)
}
