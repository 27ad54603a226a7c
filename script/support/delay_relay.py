"""Carries TCP connections to a port of this machine and holds back every byte, in both directions, as a long way does.

delay_relay.py LISTEN TARGET MILLISECONDS: a round trip takes twice the time given; what is sent at once arrives at once.
"""
import queue, socket, sys, threading, time

PIECE = 256 << 10


def carry(source, target, delay):
    """Moves bytes one way until their end: one thread reads and stamps them, this one waits and writes."""
    pieces = queue.Queue()

    def read():
        piece = b"more"
        while piece:
            try:
                piece = source.recv(PIECE)
            except OSError:
                piece = b""
            pieces.put((time.monotonic() + delay, piece))

    threading.Thread(target=read, daemon=True).start()
    while True:
        due, piece = pieces.get()
        time.sleep(max(0, due - time.monotonic()))
        try:
            if not piece:
                return target.shutdown(socket.SHUT_WR)
            target.sendall(piece)
        except OSError:
            return


def main():
    listen, target, milliseconds = (int(word) for word in sys.argv[1:4])
    with socket.create_server(("127.0.0.1", listen)) as server:
        while True:
            near, _ = server.accept()
            far = socket.create_connection(("127.0.0.1", target))
            for one, other in ((near, far), (far, near)):
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                threading.Thread(target=carry, args=(one, other, milliseconds / 1_000), daemon=True).start()


if __name__ == "__main__":
    main()
