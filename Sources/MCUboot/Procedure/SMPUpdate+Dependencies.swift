import UpdateModel

/// Images that an image needs (docs/protocols/mcuboot-smp.md, Dependencies): a bootloader with several images
/// checks that at every start, before it installs any. One with a single image never does.
extension SMPUpdate {
    /// Refuses an image that needs another one which the beacon will not have after its restart: its
    /// bootloader would leave all images as they are.
    func checkDependencies() throws(UpdateFailure) {
        let isUnmet = parts.contains { part in
            !runs(part)
                && part.upload.dependencies.contains {
                    if case .unmet = state(of: $0) { true } else { false }
                }
        }
        guard isUnmet else { return }
        throw .preparing(.smp.dependencyUnmet, missing.joined(separator: "; "))
    }

    var dependencyNotices: [UpdateNotice] { missing.map { .warning(.smp.dependencyOpen, $0) } }

    /// The failure after a restart that has installed nothing, with the images that may be missing.
    func withMissing(_ failure: UpdateFailure) -> UpdateFailure {
        guard !missing.isEmpty else { return failure }
        return UpdateFailure(
            failure.code, during: failure.during,
            message: "\(failure.message); probably because \(missing.joined(separator: " and "))",
            remedy:
                "install that other image first, or use a package that has both: the beacon keeps what it "
                + "was sent, and installs it at the restart after which it has all that is needed",
            mayReconnect: failure.mayReconnect)
    }

    /// What images need that the beacon has not, or does not report.
    var missing: [String] {
        parts.filter { !runs($0) }.flatMap { part in
            part.upload.dependencies.compactMap { needed in
                let words = "the \(part.upload.title) needs \(needed.words)"
                return switch state(of: needed) {
                case .met: nil
                case .unmet(let other): "\(words), \(other)"
                case .open: "\(words), and the beacon does not report whether it has that"
                }
            }
        }
    }

    private enum Dependency {
        case met
        /// What there is instead, in words.
        case unmet(String)
        /// The beacon does not report it.
        case open
    }

    private func state(of needed: ImageDependency) -> Dependency {
        if let other = parts.first(where: { $0.upload.image == needed.image }) {
            return verdict(other.upload.version, for: needed, "this update has \(other.upload.version)")
        }
        if let slot = next(needed.image) {
            guard let version = ImageVersion(slot.version) else { return .open }
            return verdict(version, for: needed, "the beacon has \(version)")
        }
        // A firmware with one image lists that, whatever else its bootloader installs.
        if let images = facts.images, images.count > 1, !images.contains(needed.image) {
            return .unmet("the beacon has no such image")
        }
        // Every version will do, and nothing shows that there is none.
        return needed.version == ImageVersion(major: 0, minor: 0, revision: 0) ? .met : .open
    }

    private func verdict(
        _ version: ImageVersion, for needed: ImageDependency, _ words: String
    ) -> Dependency {
        version.isBelow(needed.version) ? .unmet(words) : .met
    }

    /// The slot whose image the next restart starts, of an image that is not part of the update.
    private func next(_ image: Int) -> SlotState? {
        let current = active(image)
        guard marksImages,
            let other = link.slots.first(where: { $0.image == image && $0.slot != current?.slot })
        else { return current }
        // One that waits, or the previous one of a test.
        let isReverting = current?.isConfirmed == false && other.isConfirmed
        return other.isPending || isReverting ? other : current
    }
}

extension ImageDependency {
    fileprivate var words: String { "image \(image) of version \(version) or later" }
}
