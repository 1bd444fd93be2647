"""The command line: every command with its arguments and options, and the function that does the work.

Nothing heavy is imported before a command needs it, so help, the list of games and tab completion answer at once.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from zermelo.cli.completion import SHELLS, complete_agents, complete_algorithms, complete_games
from zermelo.cli.parameters import Count, limit_options

if TYPE_CHECKING:
    from zermelo.core.limit import Limit

EPILOG = """\
\b
GAME      a name, its options, or your own file:
          hexapawn   hexapawn:rows=4,cols=4   mygame.py:MyGame
POSITION  the game's own text, or the moves from the start:
          'moves: a1a2 b3a2'
AGENT     a name and its options:
          auto   random   alphabeta:depth=6   minimax:time=500ms

Most commands also answer in JSON (--json). "zermelo COMMAND --help" shows a command's options.
"""

game_argument = click.argument("game", metavar="GAME", shell_complete=complete_games)
position_argument = click.argument("position", metavar="[POSITION]", nargs=-1)
json_option = click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
level_option = click.option(
    "--level", metavar="N", help="Level of the computer, from 1 (first steps) to 10 (full strength)."
)
seed_option = click.option(
    "--seed", metavar="N", type=int, default=0, help="The same seed gives the same dice and the same random choices."
)


class InOrder(click.Group):
    """Lists its commands in the order of this file, and keeps a game's rules from ending the process."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def invoke(self, ctx: click.Context) -> Any:
        from zermelo.cli.errors import no_exits_by_rules

        with no_exits_by_rules():
            return super().invoke(ctx)


@click.group(
    cls=InOrder,
    invoke_without_command=True,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option("--version", is_flag=True, help="Show the version and exit.")
@click.option("--verbose", is_flag=True, help="Log compilations, searches and requests to standard error.")
@click.pass_context
def app(context: click.Context, version: bool, verbose: bool) -> None:
    """Play games, solve them, and look inside the search."""
    if verbose:
        from zermelo.cli.logs import logging_to_stderr

        context.with_resource(logging_to_stderr())
    if version:
        from zermelo import __version__

        click.echo(f"zermelo {__version__}")
        context.exit()
    if context.invoked_subcommand is None:
        from zermelo.cli.welcome import welcome

        welcome(context.get_help())


@app.command()
@click.argument("game", metavar="[GAME]", default="", shell_complete=complete_games)
@json_option
def games(game: str, as_json: bool) -> None:
    """List the games with the algorithms that fit, or describe one game."""
    from zermelo.cli.games import show_game, show_games

    if game:
        show_game(game, as_json)
    else:
        show_games(as_json)


@app.command()
@game_argument
@position_argument
@click.option(
    "--vs",
    metavar="AGENT",
    default="auto",
    shell_complete=complete_agents,
    help="Opponent; `human` for people at every seat.",
)
@level_option
@click.option("--as", "seat", metavar="SEAT", type=int, default=1, help="Your seat: 1 moves first, 0 only watches.")
@limit_options("time", "nodes", "depth")
@click.option("--seed", metavar="N", type=int, help="The same seed gives the same dice.")
def play(
    game: str, position: tuple[str, ...], vs: str, level: str | None, seat: int, limit: Limit, seed: int | None
) -> None:
    """Play in the terminal, with hints and undo."""
    from zermelo.cli.play import play_game

    play_game(game, " ".join(position), vs, level, seat, limit, seed)


@app.command()
@click.argument("games", metavar="[GAME]...", nargs=-1, shell_complete=complete_games)
@click.option("--host", metavar="HOST", default="127.0.0.1", help="Address to listen on; a public one needs a token.")
@click.option("--port", metavar="PORT", type=click.IntRange(0, 65535), help="By default the first free port from 8913.")
@click.option(
    "--token",
    metavar="TOKEN",
    envvar="ZERMELO_SERVE_TOKEN",
    show_envvar=True,
    default="",
    help="Token that everyone needs; by default a public address gets a new one at every start.",
)
@click.option("--no-browser", is_flag=True, help="Print the address; do not open a browser.")
def serve(games: tuple[str, ...], host: str, port: int | None, token: str, no_browser: bool) -> None:
    """Play and analyse in the browser; your own files are listed first."""
    from zermelo.cli.serve import serve_page

    serve_page(games, host, port, not no_browser, token)


@app.command()
@game_argument
@position_argument
@click.option("--agent", metavar="AGENT", default="auto", shell_complete=complete_agents, help="Agent that searches.")
@limit_options("time", "nodes", "depth")
@seed_option
@json_option
def best(game: str, position: tuple[str, ...], agent: str, limit: Limit, seed: int, as_json: bool) -> None:
    """Find the best move; by default in 2 seconds."""
    from zermelo.cli.answers import show_best

    show_best(game, " ".join(position), agent, limit, seed, as_json)


@app.command()
@click.argument("file", metavar="FILE", type=click.Path())
@click.option("--game", metavar="GAME", default="", shell_complete=complete_games, help="Game, if FILE does not say.")
@click.option("--number", metavar="N", type=click.IntRange(1), help="Review only the Nth game of FILE.")
@click.option("--agent", metavar="AGENT", default="auto", shell_complete=complete_agents, help="Agent that searches.")
@limit_options("time", "nodes", "depth")
@seed_option
@click.option(
    "--output", metavar="FILE", type=click.Path(path_type=Path), help="Write the annotated games to this file."
)
@json_option
def review(
    file: str,
    game: str,
    number: int | None,
    agent: str,
    limit: Limit,
    seed: int,
    output: Path | None,
    as_json: bool,
) -> None:
    """Mark the mistakes in a PGN, SGF, PDN … with the better moves; by default 1 second per move."""
    from zermelo.cli.review import show_review

    show_review(file, game, number, agent, limit, seed, output, as_json)


@app.command()
@game_argument
@position_argument
@limit_options("time", "nodes")
@click.option("--memory", metavar="MB", type=int, default=256, help="Size of the table in megabytes.")
@click.option(
    "--method",
    metavar="NAME",
    help="Hidden information: auto, lp, cfr, cfr+, dcfr, pcfr+, lcfr, cfr-br, stacked, or by samples mccfr, outcome.",
)
@click.option("--to", metavar="X", type=float, help="Hidden information: stop at this exploitability, such as 1e-4.")
@click.option("--iterations", metavar="N", type=Count(), help="Hidden information: stop after N iterations.")
@click.option("--seed", metavar="N", type=int, help="Hidden information: the same seed gives the same samples.")
@click.option("--most", metavar="N", type=int, help="Hidden information: show at most N information sets.")
@click.option(
    "--save",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Hidden information: write the strategy to this file, for the agent equilibrium:FILE.",
)
@json_option
def solve(game: str, position: tuple[str, ...], limit: Limit, memory: int, as_json: bool, **options: Any) -> None:
    """Prove the exact value and show the best line; with hidden information, find an equilibrium.

    An equilibrium is printed with its value, its exploitability and the probability of each move.
    """
    from zermelo.cli.answers import show_solution

    show_solution(game, " ".join(position), limit, memory, options, as_json)


@app.command()
@click.argument("agent", metavar="AGENT", shell_complete=complete_agents)
@click.option("--game", metavar="GAME", required=True, shell_complete=complete_games, help="Game to play.")
@click.option("--asks", metavar="N", type=int, default=10, help="Ask an agent N times at each information set.")
@limit_options("time", "nodes", "depth")
@seed_option
@json_option
def exploit(agent: str, game: str, asks: int, limit: Limit, seed: int, as_json: bool) -> None:
    """Find what the best response wins against an agent; by default with 1000 nodes per move.

    The agent is asked at every information set of a small game. The answer is exact if the agent knows the
    probabilities of its moves, as random and equilibrium do.
    """
    from zermelo.cli.exploit import show_exploit

    show_exploit(agent, game, asks, limit, seed, as_json)


@app.command(context_settings={"ignore_unknown_options": True})  # a table may begin with a negative payoff
@click.argument("table", metavar="TABLE")
@click.option("--correlated", "notion", flag_value="correlated", metavar="", help="The best correlated equilibrium.")
@click.option("--coarse", "notion", flag_value="coarse", metavar="", help="The best coarse correlated equilibrium.")
@click.option(
    "--commitment", "notion", flag_value="commitment", metavar="", help="The best commitment of a leader (Stackelberg)."
)
@click.option("--quantal", "notion", flag_value="quantal", metavar="", help="The logit quantal response equilibrium.")
@click.option("--leader", metavar="SEAT", type=click.IntRange(1, 2), default=1, help="The leader: 1 or 2.")
@click.option("--precision", metavar="X", type=click.FloatRange(0, 1e4), default=1.0, help="How precise responses are.")
@json_option
def nash(table: str, notion: str | None, leader: int, precision: float, as_json: bool) -> None:
    """Find all equilibria of a matrix game, in fractions.

    TABLE is a matrix game (matrix:chicken), a table ('3,3 0,5; 5,0 1,1'), or a file of Gambit (game.nfg).
    """
    from zermelo.cli.nash import show_nash

    show_nash(table, notion or "nash", leader, precision, as_json)


@app.command()
@game_argument
@position_argument
@click.option("--algorithm", metavar="NAME", default="", shell_complete=complete_algorithms, help="Search algorithm.")
@limit_options("depth")
@click.option("--most", metavar="N", type=int, default=200, help="Draw at most N nodes.")
@click.option("--svg", metavar="FILE", type=click.Path(path_type=Path), help="Write the drawing to this file.")
@json_option
def tree(
    game: str, position: tuple[str, ...], algorithm: str, limit: Limit, most: int, svg: Path | None, as_json: bool
) -> None:
    """Show the tree that a search visits: windows, values and cuts."""
    from zermelo.cli.tree import show_tree

    show_tree(game, " ".join(position), algorithm, limit.depth, most, svg, as_json)


@app.command()
@click.argument("agents", metavar="AGENT AGENT...", nargs=-1, required=True, shell_complete=complete_agents)
@click.option("--game", metavar="GAME", required=True, shell_complete=complete_games, help="Game to play.")
@click.option("--games", metavar="N", type=int, default=20, help="Number of games.")
@click.option("--openings", metavar="PLIES", type=int, help="Random plies at the start of a round: 2, or 0 with dice.")
@click.option(
    "--duplicate/--no-duplicate",
    default=True,
    help="Play each deal, with its dice, once for every seating (the default), or every game with a new one.",
)
@click.option(
    "--save", metavar="FILE", type=click.Path(path_type=Path), help="Append the games to this file, a JSON line each."
)
@limit_options("time", "nodes", "depth")
@seed_option
@json_option
def match(
    agents: tuple[str, ...],
    game: str,
    games: int,
    openings: int | None,
    duplicate: bool,
    save: Path | None,
    limit: Limit,
    seed: int,
    as_json: bool,
) -> None:
    """Let agents play each other; by default 1 second per move."""
    from zermelo.cli.match import show_match

    show_match(game, agents, games, openings, save, limit, seed, as_json, duplicate)


@app.command()
@game_argument
@position_argument
@click.option("--depth", metavar="PLIES", type=Count(), default=4, help="Count the leaves at depths up to this one.")
@click.option("--divide", is_flag=True, help="Count the leaves below each move.")
@json_option
def perft(game: str, position: tuple[str, ...], depth: int, divide: bool, as_json: bool) -> None:
    """Count the leaves of the game tree, depth by depth."""
    from zermelo.cli.perft import show_perft

    show_perft(game, " ".join(position), depth, divide, as_json)


@app.command()
@game_argument
@click.option("--games", metavar="N", type=int, default=30, help="Number of random games.")
@seed_option
@json_option
@click.pass_context
def check(context: click.Context, game: str, games: int, seed: int, as_json: bool) -> None:
    """Check that a game fulfils the contract; exit code 1 if not."""
    from zermelo.cli.check import show_check

    if not show_check(game, games, seed, as_json):
        context.exit(1)


@app.command()
@game_argument
def uci(game: str) -> None:
    """Run as an engine for other programs, with the UCI protocol."""
    from zermelo.cli.uci import serve_uci

    serve_uci(game)


@app.command()
@game_argument
@click.option("--agent", metavar="AGENT", default="", shell_complete=complete_agents, help="Agent that searches.")
@level_option
def gtp(game: str, agent: str, level: str | None) -> None:
    """Run as an engine for other programs, with GTP, the protocol of Go."""
    from zermelo.cli.gtp import serve_gtp

    serve_gtp(game, agent, level)


@app.command()
@click.argument("names", metavar="[NAME]... | ladder GAME", nargs=-1)
@click.option(
    "--depth", metavar="PLIES", type=Count(), help="Depth of `ladder`; by default what minimax reaches in 2 s."
)
@click.option("--against", metavar="PEER", default="", help="Program to compare with: `open_spiel` for mcts.")
@json_option
def bench(names: tuple[str, ...], depth: int | None, against: str, as_json: bool) -> None:
    """Measure Zermelo side by side with other programs.

    \b
    zermelo bench               all benchmarks but the very long ones
    zermelo bench star chess    only these benchmarks
    zermelo bench mcts --against open_spiel
    zermelo bench ladder GAME   nodes that each technique of the search saves
    """
    from zermelo.cli.bench import main as run

    run(list(names), depth, against, as_json)


@app.command()
@click.argument("shell", metavar="SHELL", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print the tab completion script for bash, zsh or fish.

    \b
    bash   put this into ~/.bashrc:   eval "$(zermelo completion bash)"
    zsh    put this into ~/.zshrc:    eval "$(zermelo completion zsh)"
    fish   run this once:   zermelo completion fish > ~/.config/fish/completions/zermelo.fish
    """
    from zermelo.cli.completion import completion_script

    click.echo(completion_script(app, shell), nl=False)
