#!/usr/bin/python3
"""redis-py's Lock, as it comes, handed from one client to another (Debian: python3-redis).

`redis_py_lock.py ADDRESS COUNT` prints COUNT samples in microseconds, one a line: from before release() until the
other client's acquire() has returned. ADDRESS is host:port or the path of a Unix socket. Exit 77: not installed.
"""
import sys
import threading
import time

try:
    import redis
except ImportError:
    sys.exit(77)


def client(address):
    if address.startswith("/"):
        return redis.Redis(unix_socket_path=address)
    host, port = address.rsplit(":", 1)
    return redis.Redis(host=host, port=int(port))


def main():
    address, count = sys.argv[1], int(sys.argv[2])
    owner, waiter = (client(address).lock("handoff-redis-py", timeout=10, thread_local=False) for _ in range(2))
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
        time.sleep(0.02)  # its first attempt is lost by then
        begin = time.perf_counter()
        owner.release()
        thread.join()
        print((owned[0] - begin) * 1e6)
        owner, waiter = waiter, owner


main()
