"""Rules of the attribute protocol that Bumble's server does not insist on, checked before it sees a request.

Bumble decodes and encodes; this class decides. Writes to characteristics with a writer are handled here and at
once, because Bumble handles each write in a task of its own.
"""

from bumble import att
from bumble.gatt import Characteristic

_CCCD = bytes.fromhex("0229")
_READ_NOT_PERMITTED, _WRITE_NOT_PERMITTED, _INSUFFICIENT_AUTHENTICATION = 0x02, 0x03, 0x05
_INSUFFICIENT_AUTHORIZATION = 0x08
_INVALID_LENGTH, _CCCD_IMPROPERLY_CONFIGURED = 0x0D, 0xFD


class StrictServer:
    """`report(event, **members)` gets the violations."""

    def __init__(self, device, report):
        self._server = device.gatt_server
        self._report = report
        self._writers = {}
        self._plain = set()
        self._encrypted = set()
        self._forbidden = None    # the last digits of the forbidden UUIDs
        self._waiting = None      # the request that has no answer yet
        self._mtu_agreed = set()  # connections
        self._cccd = {}           # (connection, handle of the value) -> bits
        self._confirmed = None
        self._device = device
        self._answer = self._server.send_response
        self._pass_on = self._server.on_gatt_pdu
        self._server.on_gatt_pdu = self._judge
        self._server.send_response = self._responding

    def forbid(self, tail: str):
        """Characteristics whose UUIDs end so are refused for lack of authorization."""
        self._forbidden = tail.upper()

    def _is_forbidden(self, found) -> bool:
        return bool(found and self._forbidden and found.uuid.to_hex_str("-").upper().endswith(self._forbidden))

    def on_write(self, characteristic: Characteristic, writer, encrypted: bool):
        """`writer(connection, value)`; returns bytes to notify or indicate afterwards, or nothing."""
        self._writers[characteristic.handle] = writer
        if encrypted:
            self._encrypted.add(characteristic.handle)

    def on_plain_write(self, characteristic: Characteristic, writer):
        """Written without requesting answers; `writer(connection, value)` returns an ATT error, or nothing."""
        self._writers[characteristic.handle] = writer
        self._plain.add(characteristic.handle)

    def listens(self, connection, characteristic: Characteristic) -> bool:
        """Whether notifications of this were requested."""
        return bool(self._cccd.get((connection.handle, characteristic.handle), 0) & 1)

    def notify(self, connection, characteristic: Characteristic, value: bytes):
        if self.listens(connection, characteristic):
            self._send(connection, att.ATT_Handle_Value_Notification(
                attribute_handle=characteristic.handle, attribute_value=value))

    def indicate(self, connection, characteristic: Characteristic, value: bytes, confirmed):
        """`confirmed()` is called when the client has confirmed."""
        self._confirmed = confirmed
        self._send(connection, att.ATT_Handle_Value_Indication(
            attribute_handle=characteristic.handle, attribute_value=value))

    def link_lost(self, handle: int):
        self._waiting = self._confirmed = None
        self._mtu_agreed.discard(handle)
        self._cccd = {key: bits for key, bits in self._cccd.items() if key[0] != handle}

    def _send(self, connection, pdu):
        self._server.send_gatt_pdu(connection, bytes(pdu))

    def _responding(self, connection, pdu):
        self._waiting = None
        self._answer(connection, pdu)

    def _refuse(self, connection, pdu, handle: int, code: int):
        self._responding(connection, att.ATT_Error_Response(
            request_opcode_in_error=pdu.op_code, attribute_handle_in_error=handle, error_code=code))

    def _judge(self, connection, pdu):
        if isinstance(pdu, att.ATT_Handle_Value_Confirmation):
            confirmed, self._confirmed = self._confirmed, None
            if confirmed:
                confirmed()
            else:
                self._report("violation", what="confirmation of nothing")
            return
        if isinstance(pdu, att.ATT_Write_Command):
            self._write_command(connection, pdu)
            return
        # Vol 3, Part F, 3.3.2: one request at a time.
        if self._waiting is not None:
            self._report("violation", what="request before the answer to another", request=pdu.name)
        self._waiting = pdu
        match pdu:
            case att.ATT_Exchange_MTU_Request():
                if connection.handle in self._mtu_agreed:  # 3.4.2.1: once per connection
                    self._report("violation", what="second exchange of the MTU")
                self._mtu_agreed.add(connection.handle)
                self._report("mtu", asked=pdu.client_rx_mtu)
            case att.ATT_Write_Request():
                if self._write_request(connection, pdu):
                    return
            case att.ATT_Read_Request() | att.ATT_Read_Blob_Request():
                if self._read_refused(connection, pdu):
                    return
        self._pass_on(connection, pdu)

    def _characteristic(self, handle: int) -> Characteristic | None:
        attribute = self._server.get_attribute(handle)
        return attribute if isinstance(attribute, Characteristic) else None

    def _read_refused(self, connection, pdu) -> bool:
        found = self._characteristic(pdu.attribute_handle)
        if self._is_forbidden(found):
            self._refuse(connection, pdu, pdu.attribute_handle, _INSUFFICIENT_AUTHORIZATION)
            return True
        if found and not found.properties & Characteristic.Properties.READ:
            self._report("violation", what="read of what cannot be read", uuid=str(found.uuid))
            self._refuse(connection, pdu, pdu.attribute_handle, _READ_NOT_PERMITTED)
            return True
        return False

    def _write_command(self, connection, pdu):
        found = self._characteristic(pdu.attribute_handle)
        writer = self._writers.get(pdu.attribute_handle)
        if not found or not found.properties & Characteristic.Properties.WRITE_WITHOUT_RESPONSE or not writer:
            self._report("violation", what="write command to what does not take it", handle=pdu.attribute_handle)
            return
        if len(pdu.attribute_value) > connection.att_mtu - 3:
            self._report("violation", what="write command beyond the MTU", bytes=len(pdu.attribute_value))
            return
        if pdu.attribute_handle in self._encrypted and not connection.encryption:
            self._report("violation", what="write command without encryption")
            return
        writer(connection, pdu.attribute_value)

    def _write_request(self, connection, pdu) -> bool:
        """Whether the request has been answered here."""
        handle = pdu.attribute_handle
        if len(pdu.attribute_value) > connection.att_mtu - 3:
            self._report("violation", what="write request beyond the MTU", bytes=len(pdu.attribute_value))
            self._refuse(connection, pdu, handle, _INVALID_LENGTH)
            return True
        if described := self._described_by(handle):
            return self._configure(connection, pdu, described)
        found = self._characteristic(handle)
        if self._is_forbidden(found):
            self._refuse(connection, pdu, handle, _INSUFFICIENT_AUTHORIZATION)
            return True
        if not found:
            return False
        if not found.properties & Characteristic.Properties.WRITE:
            self._report("violation", what="write request to what does not take it", uuid=str(found.uuid))
            self._refuse(connection, pdu, handle, _WRITE_NOT_PERMITTED)
            return True
        writer = self._writers.get(handle)
        if not writer:
            return False
        if self._must_encrypt(connection, pdu, handle):
            return True
        if handle in self._plain:
            if error := writer(connection, pdu.attribute_value):
                self._refuse(connection, pdu, handle, error)
            else:
                self._responding(connection, att.ATT_Write_Response())
            return True
        if not self._cccd.get((connection.handle, handle), 0):
            self._report("refused", why="written before its answers were asked for", uuid=str(found.uuid))
            self._refuse(connection, pdu, handle, _CCCD_IMPROPERLY_CONFIGURED)
            return True
        self._responding(connection, att.ATT_Write_Response())
        writer(connection, pdu.attribute_value)
        return True

    def _configure(self, connection, pdu, described: Characteristic) -> bool:
        if self._must_encrypt(connection, pdu, described.handle):
            return True
        if len(pdu.attribute_value) != 2:
            self._report("violation", what="length of a CCCD", value=pdu.attribute_value.hex())
            self._refuse(connection, pdu, pdu.attribute_handle, _INVALID_LENGTH)
            return True
        bits = pdu.attribute_value[0]
        allowed = (1 if described.properties & Characteristic.Properties.NOTIFY else 0) | (
            2 if described.properties & Characteristic.Properties.INDICATE else 0)
        if bits & ~allowed:
            self._report("violation", what="CCCD asks for what is not offered", bits=bits)
            self._refuse(connection, pdu, pdu.attribute_handle, _CCCD_IMPROPERLY_CONFIGURED)
            return True
        self._cccd[(connection.handle, described.handle)] = bits
        self._report("subscribed", uuid=str(described.uuid), bits=bits)
        return False

    def _must_encrypt(self, connection, pdu, handle: int) -> bool:
        if handle not in self._encrypted or connection.encryption:
            return False
        self._report("refused", why="not encrypted")
        self._refuse(connection, pdu, pdu.attribute_handle, _INSUFFICIENT_AUTHENTICATION)
        return True

    def _described_by(self, handle: int) -> Characteristic | None:
        """The characteristic whose CCCD this is: the nearest value before it."""
        attribute = self._server.get_attribute(handle)
        if attribute is None or bytes(attribute.type) != _CCCD:
            return None
        return next(found for found in map(self._characteristic, range(handle - 1, 0, -1)) if found)
