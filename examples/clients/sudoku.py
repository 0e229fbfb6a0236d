#!/usr/bin/env python3
"""Plays a Sudoku against the chart sudoku.scxml, over the machine protocol of scxmlrun.

    sudoku.py [PUZZLE]

PUZZLE is a file with the 81 numbers of a puzzle, 0 or a dot for an empty cell.
The client starts the command scxmlrun, or the one that SCXMLRUN names.

It first searches the solution by itself and then enters it cell by cell. See
cmd/scxmlrun/PROTOCOL.md for the protocol.
"""

import json
import os
import re
import subprocess
import sys

EXAMPLE = """
5..4739..
6..29.5..
9.75.12..
..2...465
.56.2.37.
783...1..
..59.68.3
..9.42..1
..4735..9
"""


class Chart:
    """A chart that runs in scxmlrun."""

    def __init__(self, chart):
        command = [os.environ.get("SCXMLRUN", "scxmlrun"), "run", "--ui", "json", "--clock", "virtual", chart]
        try:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
        except OSError as error:
            raise SystemExit(f"cannot start {command[0]}: {error}")
        self.lines = 0
        hello = self.read()
        if hello is None:
            raise SystemExit(self.process.wait())  # scxmlrun has printed the reason
        if hello["type"] != "hello" or hello["protocol"] != 1:
            raise SystemExit(f"cannot talk to the chart: want version 1 of the protocol, got {hello}")
        self.sent = []  # the events that the chart has sent since the last command
        self.configuration = []
        self.until_idle(None)

    def read(self):
        """Returns the next record, None at the end."""
        line = self.process.stdout.readline()
        return json.loads(line) if line else None

    def until_idle(self, answers):
        """Reads the records up to the one that ends the answer to a command."""
        self.sent = []
        while (record := self.read()) is not None:
            kind = record["type"]
            if kind == "send":
                self.sent.append(record)
            elif kind in ("rejected", "error"):
                raise SystemExit(f"scxmlrun: {record['message']}")
            elif kind == "idle" and record["answers"] == answers:
                self.configuration = record["configuration"]
                return
            # Ignore all other types, including unknown ones.
        raise SystemExit("the chart has ended")

    def send(self, name, data=None):
        """Sends an event and waits until the chart is stable."""
        self.lines += 1
        event = {"name": name}
        if data is not None:
            event["data"] = data
        print(json.dumps({"event": event, "id": self.lines}), file=self.process.stdin, flush=True)
        self.until_idle(self.lines)

    def stop(self):
        """Ends the session and returns the exit status."""
        print('{"stop":true}', file=self.process.stdin, flush=True)
        self.process.stdin.close()
        while self.read() is not None:
            pass
        return self.process.wait()


def parse(text):
    digits = [int(c) if c.isdigit() else 0 for c in re.findall(r"[0-9.]", text)]
    if len(digits) != 81:
        raise SystemExit(f"this is not a puzzle: want 81 numbers, got {len(digits)}")
    return [digits[9 * x : 9 * x + 9] for x in range(9)]


def candidates(grid, x, y):
    box_x, box_y = x - x % 3, y - y % 3
    used = {grid[x][i] for i in range(9)} | {grid[i][y] for i in range(9)}
    used |= {grid[box_x + i // 3][box_y + i % 3] for i in range(9)}
    return [d for d in range(1, 10) if d not in used]


def solve(grid):
    """Fills a grid by backtracking, the cell with the fewest candidates first."""
    best = None
    for x in range(9):
        for y in range(9):
            if grid[x][y] == 0:
                digits = candidates(grid, x, y)
                if best is None or len(digits) < len(best[2]):
                    best = (x, y, digits)
    if best is None:
        return True
    x, y, digits = best
    for digit in digits:
        grid[x][y] = digit
        if solve(grid):
            return True
    grid[x][y] = 0
    return False


def main():
    text = EXAMPLE
    if sys.argv[1:] in (["-h"], ["--help"]):
        print(__doc__.strip())
        return
    if len(sys.argv) > 1:
        try:
            with open(sys.argv[1], encoding="utf-8") as file:
                text = file.read()
        except (OSError, UnicodeDecodeError) as error:
            raise SystemExit(f"cannot read {sys.argv[1]}: {error}")
    puzzle = parse(text)
    solution = [row[:] for row in puzzle]
    if not solve(solution):
        raise SystemExit("the puzzle does not have a solution")

    chart = Chart("charts/sudoku.scxml")
    chart.send("setup", {"initState": puzzle})
    chart.send("start")
    moves = 0
    for x in range(9):
        for y in range(9):
            if puzzle[x][y] == 0:
                chart.send("set", {"x": x, "y": y, "value": solution[x][y]})
                moves += 1
    if "solved" not in chart.configuration:
        raise SystemExit(f"the chart does not accept the solution: it is in {chart.configuration}")
    board = [send["data"]["currentState"] for send in chart.sent if send["name"] == "updateGUI"][-1]
    for row in board:
        print(*row)
    print(f"solved in {moves} moves")
    sys.exit(chart.stop())


if __name__ == "__main__":
    main()
