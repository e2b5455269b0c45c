"""The made-up port of the bench, in Python."""

import json
import sys


def main():
    write, flush = sys.stdout.write, sys.stdout.flush
    for line in sys.stdin:
        message = json.loads(line)
        if "run" in message:
            run = message["run"]
            falloff = 1.0 - run["input"]["distance"] / 1024.0
            product = run["input"]["damage"] * falloff
            ok = {"falloff": falloff, "product": product, "result": int(product)}
            write(json.dumps({"id": run["id"], "ok": ok}) + "\n")
        elif "hello" in message:
            hello = {"protocol": 1, "name": "bench", "language": "Python", "version": "1"}
            write(json.dumps({"hello": {**hello, "capabilities": [{"name": "compute_toy"}]}}) + "\n")
        else:
            return
        flush()


main()
