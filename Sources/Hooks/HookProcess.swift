import PacketSockets
import Synchronization

/// Runs a hook's command to its end or its deadline, on a thread that waits for it.
///
/// The JSON is a file without a name, so that nobody waits where a hook reads none of it. What it prints goes nowhere but for the
/// last line, which is told where it fails. It has a process group of its own: Ctrl-C is for the program, which ends a hook
/// itself where it has to.
public enum HookProcess {
    /// Whether nobody waits any more.
    final class Flag: Sendable {
        let isSet = Atomic(false)
    }

    /// How the command of `hook` ends with `call`. A task that is cancelled ends it.
    public static func run(_ hook: Hook, _ call: HookCall, deadline: Duration) async -> HookEnd {
        let flag = Flag()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                do throws(SocketError) {
                    try DetachedThread.start {
                        let end: HookEnd
                        do throws(HookStartError) {
                            var child = try HookChild(hook, call)
                            end = child.wait(deadline, unless: flag)
                        } catch {
                            end = .notBegun(error.words)
                        }
                        continuation.resume(returning: end)
                    }
                } catch {
                    continuation.resume(returning: .notBegun(HookStartError(error.call, error.errno).words))
                }
            }
        } onCancel: {
            flag.isSet.store(true, ordering: .relaxed)
        }
    }
}
