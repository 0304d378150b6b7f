#!/usr/bin/python3
"""kazoo's Lock, as it comes, handed from one client to another (Debian: python3-kazoo).

`kazoo_lock.py ADDRESS COUNT` prints COUNT samples in microseconds, one a line: from before release() until the other
client's acquire() has returned. ADDRESS is host:port. Exit 77: not installed.
"""
import sys
import threading
import time

try:
    from kazoo.client import KazooClient
except ImportError:
    sys.exit(77)


def main():
    address, count = sys.argv[1], int(sys.argv[2])
    clients = [KazooClient(hosts=address) for _ in range(2)]
    for client in clients:
        client.start()
    owner, waiter = (client.Lock("/handoff-kazoo", str(i)) for i, client in enumerate(clients))
    owner.acquire()
    for _ in range(count):
        begins, owned = threading.Event(), []

        def wait(lock=waiter):
            begins.set()
            lock.acquire()
            owned.append(time.perf_counter())

        thread = threading.Thread(target=wait)
        thread.start()
        begins.wait()
        time.sleep(0.05)  # its node stands and its watch is set by then
        begin = time.perf_counter()
        owner.release()
        thread.join()
        print((owned[0] - begin) * 1e6)
        owner, waiter = waiter, owner
    for client in clients:
        client.stop()


main()
