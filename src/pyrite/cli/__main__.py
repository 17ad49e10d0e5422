"""`python -m pyrite.cli`: the command line, where its script is not on the path."""

from pyrite.cli.app import main

if __name__ == "__main__":
    main()
