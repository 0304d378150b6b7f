#!/usr/bin/python3
"""Holds a lock of another maker until its input ends (Debian: python3-redis, python3-kazoo).

`hold_lock.py redis-py SOCKET NAME`, `hold_lock.py kazoo HOST:PORT PATH`. Prints `held` when it is held, `free` when it is
released.
"""
import sys


def redis_py(socket, name):
    import redis
    return redis.Redis(unix_socket_path=socket).lock(name, timeout=20)


def kazoo(address, path):
    from kazoo.client import KazooClient
    client = KazooClient(hosts=address)
    client.start()
    return client.Lock(path, "api-2")


lock = {"redis-py": redis_py, "kazoo": kazoo}[sys.argv[1]](*sys.argv[2:])
lock.acquire()
print("held", flush=True)
sys.stdin.read()
lock.release()
print("free", flush=True)
