"""Reads the output of `flash --json` as it comes, and finally prints how many seconds each part of the update took."""

import json
import sys
import time

events = []
for line in sys.stdin:
    print(line, end="", flush=True)
    events.append((time.monotonic(), json.loads(line)))


def at(event, name=None, place=-1):
    """The time of the first (0) or last (-1) such event."""
    return [moment for moment, said in events if said["event"] == event and name in (None, said.get("name"))][place]


links = [moment for moment, said in events if said["event"] == "connected"]
parts = {"to the first link": links[0] - at("started")}
if len(links) > 1:
    parts["in the application"] = at("disconnected", place=0) - links[0]
    parts["to the bootloader's link"] = links[-1] - at("disconnected", place=0)
parts |= {
    "to the first packet": at("phase", "transferring") - links[-1],
    "transfer": at("phase", "activating") - at("phase", "transferring"),
    "until the device disconnects": at("phase", "rebooting") - at("phase", "activating"),
    "off the air": at("phase", "verifying") - at("phase", "rebooting"),
    "to the proof": at("finished") - at("phase", "verifying"),
}
print(json.dumps({"event": "parts"} | {name: round(length, 2) for name, length in parts.items()}))
