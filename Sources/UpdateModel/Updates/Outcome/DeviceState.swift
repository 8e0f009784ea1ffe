public import Bluetooth

/// The state of a unit after a failed update, as far as known.
public struct DeviceState: Equatable, Sendable {
    /// The program that runs on the unit.
    public enum Program: String, Sendable {
        /// Its application.
        case application
        /// Its bootloader.
        case bootloader
        /// It was not heard since it restarted.
        case unknown
    }

    /// The state of the application that it had.
    public enum Application: String, Sendable {
        /// It is whole.
        case intact
        /// It was erased or overwritten, and no other is complete.
        case gone
        /// The device has confirmed the new one.
        case new
        /// One of these; the device does not report which.
        case unknown
    }

    /// The program that runs.
    public var program: Program
    /// The last known address of the unit.
    public var address: DeviceAddress
    /// The state of its application.
    public var application: Application
    /// The part being installed; those before it are installed, or were refused. Nil if there is only one.
    public var part: UpdatePart?
    /// The time without a request after which the bootloader restarts by itself, and starts the application if that
    /// is intact; nil if it does not, or if unknown.
    public var returnsAfter: Duration?

    /// A state with these properties.
    public init(
        program: Program, address: DeviceAddress, application: Application, part: UpdatePart? = nil,
        returnsAfter: Duration? = nil
    ) {
        self.program = program
        self.address = address
        self.application = application
        self.part = part
        self.returnsAfter = returnsAfter
    }
}

extension DeviceState.Application {
    /// The state of an application after a part with `effect`, given its state before.
    public func followed(by effect: DeviceState.Application?) -> DeviceState.Application {
        switch (self, effect) {
        case (_, nil), (_, .intact): self
        case (_, .new): .new
        case (.gone, _), (_, .gone): .gone
        case (_, .unknown): .unknown
        }
    }
}
