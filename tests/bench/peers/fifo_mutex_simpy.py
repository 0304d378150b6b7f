#!/usr/bin/python3
"""The plain FIFO mutex of fifo_mutex/<contenders> on SimPy: the same model and number of acquisitions.

`fifo_mutex_simpy.py CONTENDERS ACQUISITIONS` prints one line of JSON.
"""
import json
import random
import sys
import time

import simpy


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: fifo_mutex_simpy.py CONTENDERS ACQUISITIONS")
    contenders, wanted = int(sys.argv[1]), int(sys.argv[2])
    env = simpy.Environment()
    mutex = simpy.Resource(env, capacity=1)
    finished = env.event()
    acquisitions = 0
    waited = held = 0.0

    def contender(thinks, holds):
        nonlocal acquisitions, waited, held
        while True:
            yield env.timeout(thinks(1 / 10))
            asked = env.now
            with mutex.request() as turn:
                yield turn
                acquisitions += 1
                waited += env.now - asked
                hold = holds(1)
                held += hold
                if acquisitions == wanted:
                    finished.succeed()
                yield env.timeout(hold)

    for i in range(contenders):
        thinks, holds = (random.Random(f"1 c{i} {purpose}") for purpose in ("think", "hold"))
        env.process(contender(thinks.expovariate, holds.expovariate))
    began = time.process_time()
    env.run(until=finished)
    seconds = time.process_time() - began
    print(json.dumps({"acquisitions_per_second": round(wanted / seconds),
                      "utilisation": round(held / env.now, 5),
                      "mean_wait_seconds": round(waited / wanted, 5)}))


main()
