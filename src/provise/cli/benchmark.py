"""placeholder until bm lands"""

import typer

app = typer.Typer(help="Benchmarks.", no_args_is_help=True)
