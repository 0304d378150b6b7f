"""Reads a trace as the Trace Event Format describes it, with nothing of ours, and tells in JSON what is in it.

What the format asks for and the file lacks is an error: the exit code is 1, and the first is told.
"""
import json
import sys


def fail(why):
    print(why, file=sys.stderr)
    sys.exit(1)


def number(event, key):
    value = event.get(key)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        fail(f"{key} is no number: {event}")
    return value


def main(path):
    with open(path, encoding="utf-8") as file:
        trace = json.load(file)
    events = trace["traceEvents"]
    threads, slices, starts, ends, begun, names = {}, 0, {}, {}, {}, {}
    instants = latest = 0
    for event in events:
        phase = event["ph"]
        place = (number(event, "pid"), number(event, "tid"))
        if phase == "M":
            if not isinstance(event["args"], dict):
                fail(f"metadata without arguments: {event}")
            names[(event["name"], place)] = event["args"]
            continue
        at = number(event, "ts")
        if not event["name"]:
            fail(f"no name: {event}")
        latest = max(latest, at)
        if phase == "X":
            slices += 1
            length = number(event, "dur")
            if length < 0:
                fail(f"ends before it begins: {event}")
            latest = max(latest, at + length)
            threads.setdefault(place, []).append((at, at + length))
        elif phase in "sf":
            ids = starts if phase == "s" else ends
            if event["id"] in ids:
                fail(f"two flows of one number: {event}")
            ids[event["id"]] = (at, place)
        elif phase == "b":
            begun[(event["cat"], event["id"])] = at
        elif phase == "e":
            if begun.pop((event["cat"], event["id"]), at + 1) > at:
                fail(f"ends what has not begun: {event}")
        elif phase == "i":
            instants += 1
        else:
            fail(f"a phase that is not known: {event}")
    if begun:
        fail(f"has no end: {sorted(begun)[0]}")
    if starts.keys() != ends.keys():
        fail(f"a flow with one end: {sorted(starts.keys() ^ ends.keys())[0]}")
    grain = 0.0005  # of what a double keeps of microseconds
    for place, of in threads.items():
        if ("thread_name", place) not in names:
            fail(f"a thread without a name: {place}")
        of.sort()
        for (_, end), (begin, _) in zip(of, of[1:]):
            if begin < end - grain:
                fail(f"two slices of {place} overlap, at {begin}")
    for number_of, (at, place) in list(starts.items()) + list(ends.items()):
        if not any(begin - grain <= at <= end + grain for begin, end in threads.get(place, [])):
            fail(f"flow {number_of} begins or ends in no slice of {place}, at {at}")
    if any(starts[one][0] > ends[one][0] for one in starts):
        fail("a flow ends before it begins")
    print(json.dumps({"slices": slices, "flows": len(starts), "instants": instants, "latest_us": latest,
                      "threads": len(threads)}))


main(sys.argv[1])
