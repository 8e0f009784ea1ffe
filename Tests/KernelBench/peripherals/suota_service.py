"""What a SUOTA device shows of itself: its service, its channel, and its running image."""

import asyncio

from bumble.core import UUID
from bumble.device import Device
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.l2cap import L2CAP_LE_Flow_Control_Credit, LeCreditBasedChannel, LeCreditBasedChannelSpec

from flash import Flash
from strict import StrictServer
from suota_banks import Banks, image
from suota_families import FAMILIES
from suota_receiver import BankReceiver
from suota_stream_receiver import StreamReceiver

SERVICE = UUID.from_16_bits(0xFEF5)
_MEMORY_DEVICE = "8082CAA8-41A6-4021-91C6-56F9B954CC34"
_PINS = "724249F0-5EC3-4B5F-8804-42345AF08651"
_MEMORY_INFO = "6C53DB25-47A1-45FE-A022-7C92FB334FD4"
_PATCH_LENGTH = "9D84B9A3-000C-49D8-9183-855B673FDA31"
_PATCH_DATA = "457871E8-D516-4CA1-9116-57D0B17B9CB2"
_STATUS = "5F78DF94-798C-46F5-990A-B3EB6A065C88"
_PSM = "61C8849C-F639-4765-946E-5C3419BEBB2A"
_VERSION = "64B4E8B5-0DE5-401B-A21D-ACC8DB3B913A"
_DATA_SIZE = "42C3DFDD-77BE-4D9C-8454-8F875267FB3B"
_MTU = "B7DE1EEA-823D-43BB-A3AF-C4903DFCE23C"
_VERSION_1_3 = 13
_UNLIMITED = 1 << 30  # places of a flash without a queue
_CREDITS, _GIVES_BACK_AT = 6, 2
_INVALID_LENGTH = 0x0D
_P = Characteristic.Properties


class SuotaDevice:
    """`report(event, **members)` gets all events; the settings are those of `beacon.py`."""

    def __init__(self, settings: dict, report):
        self._settings, self._report = settings, report
        self._family = FAMILIES[settings["family"]]
        self._flash = Flash(_UNLIMITED, *settings["flash"])
        if layout := self._family.layout:
            self._banks = Banks(self._flash, layout, first=image(settings["version"], image_id=1))
        self.version = settings["version"]
        self.model = self._family.model
        self._data_size = settings["data_size"] or self._family.data_size
        self._drops = list(settings["drop_in_block"])
        self._status_value = 0
        self._client = None
        self._channels = None
        self._make_receiver()

    def _make_receiver(self):
        if self._family.image:
            self.receiver = StreamReceiver(self._report, self._notify, self._flash, self._family)
        else:
            pins = self._settings["pins"]
            self.receiver = BankReceiver(self._report, self._notify, self._flash, self._banks, self._family,
                                         self._settings["buffer"] or self._family.buffer,
                                         bytes.fromhex(pins) if pins else None)

    def restart(self) -> float:
        """Starts the selected image; returns the additional time of that."""
        copying = 0
        if self._family.image:
            if self.receiver.new_version is not None:
                self.version, copying = self.receiver.new_version, self._family.copy
            self._report("boot", version=self.version, copying=copying)
        else:
            bank = self._banks.starting()
            self.version = self._banks.header(bank).text if bank is not None else ""
            self._report("boot", version=self.version, bank=None if bank is None else bank + 1)
        self._make_receiver()
        return copying

    def lost_link(self) -> bool:
        """Whether it restarts."""
        self._client = None
        self._stop_listening()
        if self._family.image:
            self._status_value = 0
        return self.receiver.lost_link()

    # Attributes

    def serve(self, device: Device, strict: StrictServer, ends, disconnect):
        """`ends(why)` takes the device off the air; `disconnect()` ends only its link."""
        self._strict, self._ends, self._disconnect = strict, ends, disconnect
        self._status_value = 0

        def written(uuid: str, initial: bytes, write, properties=_P.READ | _P.WRITE):
            last = initial

            def note(connection, value: bytes) -> int | None:
                nonlocal last
                self._client, last = connection, value
                refusal = write(value)
                self._after_write(device)
                return refusal

            return Characteristic(UUID(uuid), properties, Characteristic.READABLE | Characteristic.WRITEABLE,
                                  CharacteristicValue(read=lambda _: last)), note

        def readable(uuid: str, read, properties=_P.READ) -> Characteristic:
            return Characteristic(UUID(uuid), properties, Characteristic.READABLE, CharacteristicValue(read=read))

        writable = [
            written(_MEMORY_DEVICE, bytes(4), lambda value: self.receiver.memory_device(value)),
            written(_PINS, bytes(4), lambda value: self.receiver.gpio_map(value)),
            written(_PATCH_LENGTH, bytes(2), lambda value: self.receiver.patch_length(value)),
            written(_PATCH_DATA, bytes(1), self._patch_data, _P.READ | _P.WRITE | _P.WRITE_WITHOUT_RESPONSE)]
        memory, pins, length, data = (found for found, _ in writable)
        info = readable(_MEMORY_INFO, lambda _: self.receiver.memory_info.to_bytes(4, "little"))
        self._status = readable(_STATUS, lambda _: bytes([self._status_value]), _P.READ | _P.NOTIFY)
        offered = [memory, pins, info, length, data, self._status]
        if psm := self._settings["psm"]:
            offered.append(readable(_PSM, lambda _: psm.to_bytes(2, "little")))
        if self._family.says_version:
            offered += [readable(_VERSION, lambda _: bytes([_VERSION_1_3])),
                        readable(_DATA_SIZE, lambda _: self._data_size.to_bytes(2, "little")),
                        readable(_MTU, lambda connection: connection.att_mtu.to_bytes(2, "little"))]
        device.add_service(Service(SERVICE, offered))
        for found, note in writable:
            strict.on_plain_write(found, note)

    def _patch_data(self, value: bytes) -> int | None:
        if len(value) > self._data_size:
            self.receiver.client_error("data longer than its characteristic", bytes=len(value))
            return _INVALID_LENGTH
        if self._drops and self.receiver.blocks == self._drops[0] - 1:
            self._drops.pop(0)
            self._report("link-dropped", block=self.receiver.blocks + 1)
            self._ends("link-lost")
            return None
        return self.receiver.patch_data(value)

    def _after_write(self, device: Device):
        if getattr(self.receiver, "listens", False) and self._settings["psm"]:
            self._listen(device)
        else:
            self._stop_listening()
        if self.receiver.leaves:
            self.receiver.leaves = False
            self._report("reboot")
            # After the answer to the write.
            asyncio.get_running_loop().call_soon(self._leave)

    def _leave(self):
        if self._family.layout and self._settings["resets"]:
            self._ends("rebooted")
        else:
            self._disconnect()

    def _notify(self, seconds: float, status: int):
        client = self._client

        def send():
            if self._client is not client:
                return
            self._status_value = status
            self._report("status", code=f"{status:02x}", memory_info=self.receiver.memory_info)
            self._strict.notify(client, self._status, bytes([status]))

        if seconds:
            asyncio.get_running_loop().call_later(seconds, send)
        elif self._settings["early_status"]:
            send()
        else:
            asyncio.get_running_loop().call_soon(send)

    # Channel

    def _listen(self, device: Device):
        """Only after a start, and only on that link."""
        if self._channels:
            return
        psm = self._settings["psm"]

        def opened(channel):
            self._report("channel", psm=psm, peer_mtu=channel.peer_mtu)
            channel.on("close", lambda: self._report("channel-closed", psm=psm))
            self.receiver.opened_channel()
            channel.sink = lambda data: self.receiver.channel_data(data)
            self._give_credits(channel)

        self._channels = device.create_l2cap_server(
            LeCreditBasedChannelSpec(psm=psm, mtu=self._settings["channel_mtu"], mps=247, max_credits=_CREDITS), opened)

    def _give_credits(self, channel: LeCreditBasedChannel):
        """As this device does it: when two are left, and the received packets are in flash."""
        channel.peer_credits_threshold = -1  # never by Bumble
        take = channel.on_pdu
        is_waiting = False

        def note(pdu: bytes):
            nonlocal is_waiting
            take(pdu)
            if not is_waiting and channel.peer_credits <= _GIVES_BACK_AT:
                is_waiting = True
                asyncio.get_running_loop().call_later(self._flash.busy(), give)

        def give():
            nonlocal is_waiting
            is_waiting = False
            if channel.state != LeCreditBasedChannel.State.CONNECTED:
                return
            count = _CREDITS - channel.peer_credits
            channel.peer_credits += count
            channel.send_control_frame(L2CAP_LE_Flow_Control_Credit(
                identifier=channel.manager.next_identifier(channel.connection), cid=channel.source_cid, credits=count))

        channel.on_pdu = note

    def _stop_listening(self):
        if self._channels:
            self._channels.close()
            self._channels = None
