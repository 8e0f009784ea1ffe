import BluetoothTypes
import GATT
import Radio
import Timing
import UpdateCore

extension Updater {
    /// Looks whether the application came up, within the patience that the procedure asks for. `hasLeft` says whether
    /// the device ended the link by itself.
    func reappearance(
        of course: Course, _ completion: Completion, hasLeft: Bool = true
    ) async throws -> Proof {
        let places = course.places
        report(.phase(.rebooting))
        let deadline = adapter.time.now + completion.patience
        var bootloaderSightings = 0
        var isUndecided = false
        while true {
            let left = deadline - adapter.time.now
            guard left > .zero, let heard = try await adapter.firstHeard(of: places.all, within: left) else {
                if isUndecided, let text = course.procedure.promise?.text {
                    throw unread(text)
                }
                if isUndecided { return try unseen(completion, hasLeft) }
                if bootloaderSightings > 0, completion.mayStayInBootloader {
                    return try staying(completion)
                }
                throw bootloaderSightings > 0 ? stillInBootloader(places) : vanished(places, completion)
            }
            if bootloaderSightings == 0, !isUndecided { report(.phase(.verifying)) }
            switch try await program(of: heard, course) {
            case .application(_, let revision)?:
                trace.saw(.application, at: heard.address)
                return try proof(in: revision, of: course, completion, at: heard.address)
            case .receiver(let receiver, let revision)?
            where course.isApplication(receiver) || course.isNews(revision, from: receiver):
                trace.saw(.application, at: heard.address)
                return try proof(in: revision, from: receiver, of: course, completion, at: heard.address)
            case nil: isUndecided = true
            case .receiver?:
                bootloaderSightings += 1
                trace.saw(.bootloader, at: heard.address)
                // Once may be the last advertisement before a second restart.
                guard bootloaderSightings >= 3 else { break }
                guard completion.mayStayInBootloader else { throw stillInBootloader(places) }
                return try staying(completion)
            }
            try await adapter.time.sleep(for: policy.longestPause)
        }
    }

    /// What `heard` runs: by its characteristics; or by an address that only the application has, or by frames
    /// that take no connections, which no bootloader sends. Nil when that is open.
    private func program(
        of heard: Advertisement, _ course: Course
    ) async throws -> Program? {
        let (places, entrance) = (course.places, course.procedure.entrance)
        let promise = course.procedure.promise
        let application = Program.application(door: nil, revision: nil)
        // Where its version has to be read, having been heard is not enough.
        let mustRead = course.revision != nil || promise?.text != nil || course.updatesInApplication
        guard heard.isConnectable != false else { return mustRead ? nil : application }
        let isCertain = !mustRead && heard.address == places.certain && heard.address != places.bootloader
        do {
            // Looking at a device must not pair with it.
            return try await adapter.withLink(
                to: heard.address, asking: LinkWish(priority: policy.reconnectPriority),
                within: policy.connect, mayEncrypt: false
            ) { client, _ in
                try await adapter.time.within(policy.introduction) {
                    if entrance.isApplication {
                        return .application(
                            door: nil,
                            revision: try await client.readRevision(meeting: promise, telling: tellRead))
                    }
                    if let receiver = try await client.receiver(by: entrance) {
                        return try await shown(by: receiver, client, course.procedure)
                    }
                    return .application(
                        door: nil, revision: try await client.readRevision(telling: tellRead))
                }
            }
        } catch AdapterError.noAnswer {
            return isCertain ? application : nil
        } catch let error as GATTError where error != .cancelled {
            return isCertain ? application : nil
        }
    }

    /// A device that has a new SoftDevice or bootloader, and no application that runs with it.
    private func staying(_ completion: Completion) throws(UpdateFailure) -> Proof {
        guard completion.isConfirmed else {
            throw unconfirmed("the device has not confirmed the image, and it is in its bootloader again")
        }
        report(
            .warning(
                .applicationMissing,
                "the device is in its bootloader again and has no application that it could start; install one"
            ))
        return Proof(verification: .reappeared)
    }

    private func unseen(_ completion: Completion, _ hasLeft: Bool) throws(UpdateFailure) -> Proof {
        let words = "something answers where the device should be, but not long enough to see what it runs"
        guard completion.isConfirmed else {
            throw unconfirmed("the device has not confirmed the image, and \(words)")
        }
        // One that was told to start its image and stayed may not have done so.
        guard hasLeft, !completion.mayBeUnheard else {
            throw unconfirmed("the device has found the image right, and may not have started it: \(words)")
        }
        report(.warning(.activationUnconfirmed, words))
        return Proof(verification: .no)
    }

    private func unconfirmed(_ message: String) -> UpdateFailure {
        UpdateFailure(.activationUnconfirmed, during: "waiting for the application", message: message)
    }

    private func stillInBootloader(_ places: Whereabouts) -> UpdateFailure {
        UpdateFailure(
            .activationFailed, during: "waiting for the application",
            message: "\(places.bootloader) took the whole image and came back in its bootloader")
    }

    private func vanished(_ places: Whereabouts, _ completion: Completion) -> UpdateFailure {
        UpdateFailure(
            .didNotReappear, during: "waiting for the application",
            message: "\(places.bootloader) took the whole image and was not heard again for "
                + "\(Int(completion.patience.seconds)) s")
    }
}
