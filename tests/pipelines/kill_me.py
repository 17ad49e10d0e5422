"""A build of a generated table that is killed from outside: run as `python kill_me.py RECIPE OUT WORK`."""

import sys

from pyrite.pipelines import build

if __name__ == "__main__":
    build(sys.argv[1], out=sys.argv[2], work=sys.argv[3])
