"""As much of the WebSocket protocol (RFC 6455) as it takes to talk to a browser on the same machine."""
import base64
import os
import socket
import struct


class WebSocket:
    def __init__(self, port, path, seconds):
        self.socket = socket.create_connection(("127.0.0.1", port), seconds)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
                            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
                            "Sec-WebSocket-Version: 13\r\n\r\n".encode())
        self.rest = b""
        while b"\r\n\r\n" not in self.rest:
            self.receive()
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise ConnectionError(head.decode())

    def receive(self):
        more = self.socket.recv(1 << 20)
        if more == b"":
            raise ConnectionError("the browser has gone")
        self.rest += more

    def take(self, count):
        while len(self.rest) < count:
            self.receive()
        taken, self.rest = self.rest[:count], self.rest[count:]
        return taken

    def send(self, text):
        """A client masks what it sends; zero is a mask, too."""
        content = text.encode()
        size = len(content)
        head = (struct.pack("!BB", 0x81, 0x80 | size) if size < 126 else
                struct.pack("!BBH", 0x81, 0x80 | 126, size) if size < 1 << 16 else
                struct.pack("!BBQ", 0x81, 0x80 | 127, size))
        self.socket.sendall(head + bytes(4) + content)

    def message(self):
        content, last = b"", False
        while not last:
            first, size = self.take(2)
            if size == 126:
                size = struct.unpack("!H", self.take(2))[0]
            elif size == 127:
                size = struct.unpack("!Q", self.take(8))[0]
            part = self.take(size)
            if first & 0x0f < 8:  # else it is about the connection itself
                content, last = content + part, first & 0x80 != 0
        return content.decode()

    def close(self):
        self.socket.close()
