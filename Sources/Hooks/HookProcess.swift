import CLinux
import Glibc
import PacketSockets

/// Runs a hook's command to its end or its deadline, on a thread that waits for it.
///
/// The JSON is a file without a name, so that nobody waits where a hook reads none of it. What it prints goes nowhere but for the
/// last line, which is told where it fails. It has a process group of its own: Ctrl-C is for the program, which ends a hook
/// itself where it has to.
public enum HookProcess {
    /// Tells the thread that nobody waits any more: its descriptor can be read then.
    final class Cancellation: Sendable {
        let descriptor: Int32

        init() throws(HookStartError) {
            descriptor = eventfd(0, eventfd_flags)
            guard descriptor >= 0 else { throw HookStartError("eventfd") }
        }

        deinit { close(descriptor) }

        func tell() { _ = eventfd_write(descriptor, 1) }
    }

    /// How the command of `hook` ends with `call`. A task that is cancelled ends it.
    public static func run(_ hook: Hook, _ call: HookCall, deadline: Duration) async -> HookOutcome {
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
