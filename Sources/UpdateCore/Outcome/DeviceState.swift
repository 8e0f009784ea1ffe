public import BluetoothTypes

/// What a unit is when an update of it has failed, as far as that is known.
public struct DeviceState: Equatable, Sendable {
    /// What runs on the unit.
    public enum Program: String, Sendable {
        /// Its application.
        case application
        /// Its bootloader.
        case bootloader
        /// It was not heard since it restarted.
        case unknown
    }

    /// What has become of the application that it had.
    public enum Application: String, Sendable {
        /// It is whole.
        case intact
        /// It was erased or overwritten, and no other is complete.
        case gone
        /// The device has confirmed the new one.
        case new
        /// The device does not say which of these is so.
        case unknown
    }

    /// What runs.
    public var program: Program
    /// Where the unit was seen last.
    public var address: DeviceAddress
    /// What has become of its application.
    public var application: Application
    /// The part that was being installed; those before it are installed, or were refused. Nil where there is only one.
    public var part: UpdatePart?
    /// After how long without a request the bootloader restarts by itself, and starts the application if that is whole;
    /// nil where it does not, or nobody knows.
    public var returnsAfter: Duration?

    /// A unit in the given state.
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
    /// What a part that has `effect` makes of an application that was in this state before it.
    public func followed(by effect: DeviceState.Application?) -> DeviceState.Application {
        switch (self, effect) {
        case (_, nil), (_, .intact): self
        case (_, .new): .new
        case (.gone, _), (_, .gone): .gone
        case (_, .unknown): .unknown
        }
    }
}
