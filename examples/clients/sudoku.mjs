#!/usr/bin/env node
// Plays a Sudoku against the chart sudoku.scxml, over the machine protocol of
// scxmlrun.
//
//     sudoku.mjs [PUZZLE]
//
// PUZZLE is a file with the 81 numbers of a puzzle, 0 or a dot for an empty
// cell. The client starts the command scxmlrun, or the one that SCXMLRUN names.
//
// It searches on the chart's board: it knows the board only from what the chart
// sends, tries digits by tapping on cells, and takes them back with undo. See
// cmd/scxmlrun/PROTOCOL.md for the protocol.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const example = `
5..4739..
6..29.5..
9.75.12..
..2...465
.56.2.37.
783...1..
..59.68.3
..9.42..1
..4735..9`;

// A chart that runs in scxmlrun.
class Chart {
  static async start(file) {
    const chart = new Chart();
    const command = process.env.SCXMLRUN ?? "scxmlrun";
    chart.process = spawn(command, ["run", "--ui", "json", "--clock", "virtual", file], { stdio: ["pipe", "pipe", "inherit"] });
    chart.exit = new Promise((resolve, reject) => {
      chart.process.on("error", reject);
      chart.process.on("close", resolve);
    });
    chart.exit.catch(() => {}); // those who await it get the error
    chart.process.stdin.on("error", () => {}); // the process has ended, and so does its output
    chart.records = createInterface({ input: chart.process.stdout, crlfDelay: Infinity })[Symbol.asyncIterator]();
    chart.lines = 0;
    const hello = await chart.read();
    if (hello === undefined) {
      process.exit(await chart.exit); // scxmlrun has printed the reason
    }
    if (hello.type !== "hello" || hello.protocol !== 1) {
      throw new Error(`cannot talk to the chart: want version 1 of the protocol, got ${JSON.stringify(hello)}`);
    }
    await chart.untilIdle(null);
    return chart;
  }

  // read returns the next record, undefined at the end.
  async read() {
    const { value, done } = await this.records.next();
    return done ? undefined : JSON.parse(value);
  }

  // untilIdle reads the records up to the one that ends the answer to a command.
  // It keeps the board that the chart sent last.
  async untilIdle(answers) {
    for (;;) {
      const record = await this.read();
      switch (record?.type) {
        case undefined:
          throw new Error("the chart has ended");
        case "rejected":
        case "error":
          throw new Error(record.message);
        case "send":
          if (record.name === "updateGUI") {
            this.board = record.data.currentState;
          }
          break;
        case "idle":
          if (record.answers === answers) {
            this.configuration = record.configuration;
            return;
          }
      } // ignore all other types, including unknown ones
    }
  }

  // send sends an event and waits until the chart is stable.
  async send(name, data) {
    const id = ++this.lines;
    this.process.stdin.write(JSON.stringify({ event: { name, data }, id }) + "\n");
    await this.untilIdle(id);
  }

  // stop ends the session and returns the exit status.
  async stop() {
    this.process.stdin.end('{"stop":true}\n');
    while ((await this.read()) !== undefined);
    return this.exit;
  }
}

function parse(text) {
  const digits = (text.match(/[0-9.]/g) ?? []).map((c) => (c === "." ? 0 : Number(c)));
  if (digits.length !== 81) {
    throw new Error(`this is not a puzzle: want 81 numbers, got ${digits.length}`);
  }
  return Array.from({ length: 9 }, (_, x) => digits.slice(9 * x, 9 * x + 9));
}

function candidates(board, x, y) {
  const used = new Set();
  for (let i = 0; i < 9; i++) {
    used.add(board[x][i]).add(board[i][y]);
    used.add(board[x - (x % 3) + Math.floor(i / 3)][y - (y % 3) + (i % 3)]);
  }
  return [1, 2, 3, 4, 5, 6, 7, 8, 9].filter((d) => !used.has(d));
}

// solve fills the chart's board by backtracking, the cell with the fewest
// candidates first. Each tap adds one to a cell.
async function solve(chart) {
  let best;
  for (let x = 0; x < 9; x++) {
    for (let y = 0; y < 9; y++) {
      if (chart.board[x][y] === 0) {
        const digits = candidates(chart.board, x, y);
        if (best === undefined || digits.length < best.digits.length) {
          best = { x, y, digits };
        }
      }
    }
  }
  if (best === undefined) {
    return true;
  }
  const { x, y, digits } = best;
  let taps = 0;
  for (const digit of digits) {
    for (; taps < digit; taps++) {
      await chart.send("tap", { x, y });
    }
    if (await solve(chart)) {
      return true;
    }
  }
  for (; taps > 0; taps--) {
    await chart.send("undo");
  }
  return false;
}

const usage = `Plays a Sudoku against the chart sudoku.scxml.

    sudoku.mjs [PUZZLE]

PUZZLE is a file with the 81 numbers of a puzzle, 0 or a dot for an empty cell.`;

async function main() {
  if (["-h", "--help"].includes(process.argv[2])) {
    console.log(usage);
    return 0;
  }
  const puzzle = parse(process.argv[2] ? readFileSync(process.argv[2], "utf8") : example);
  const chart = await Chart.start("charts/sudoku.scxml");
  await chart.send("setup", { initState: puzzle });
  await chart.send("start");
  if (!(await solve(chart))) {
    throw new Error("the puzzle does not have a solution");
  }
  if (!chart.configuration.includes("solved")) {
    throw new Error(`the chart does not accept the solution: it is in ${chart.configuration}`);
  }
  console.log(chart.board.map((row) => row.join(" ")).join("\n"));
  console.log(`solved with ${chart.lines - 2} taps and undos`);
  return chart.stop();
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error.message);
  process.exit(1); // scxmlrun ends when its input ends
}
