"""`pyrite view`: datasets, runs, results, mined sets and audits in a browser."""

from __future__ import annotations

import threading
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from pyrite.cli.app import app
from pyrite.cli.options import existing


@app.command(short_help="Look at data and results in a browser.", epilog="Example: pyrite view demo/en results")
def view(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="PATH",
            callback=existing,
            help="Dataset folders, runs, folders that evaluate --out or audit wrote, mined sets; or folders of such.",
        ),
    ],
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="Where it listens on this machine; 0: a free one.")
    ] = 0,
    no_open: Annotated[bool, typer.Option("--no-open", help="Only print the address.")] = False,
) -> None:
    """Look at data and results in a browser, on this machine alone; ends with Ctrl-C."""
    from pyrite.viewer import ViewerServer, open_paths

    shelf = open_paths(paths)
    with ViewerServer(shelf, port) as server:
        threading.Thread(target=shelf.read_ahead, daemon=True).start()
        typer.echo(f"{server.address} (Ctrl-C ends it)")
        if not no_open:
            webbrowser.open(server.address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            typer.echo()
