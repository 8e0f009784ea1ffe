public import ArgumentParser
public import Tray

extension Outcome: ExpressibleByArgument {}
