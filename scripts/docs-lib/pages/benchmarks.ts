import { existsSync, readFileSync } from "node:fs";
import { cellsOf } from "#test/bench/compare/results.ts";
import { SAVED_RUNS, type SavedRuns } from "#test/bench/compare/saved-run.ts";
import { FIGURES } from "../data/benchmark-figures.ts";
import {
  COMPARED,
  type Compared,
  MACHINE,
  STORAGE_ROWS,
  type Topic,
  TOPICS,
} from "../data/benchmarks.ts";
import { code, table } from "../markdown.ts";
import { type Page, parts } from "../page.ts";

type Cells = readonly [string, string, string, string, string, string];

/** Measurements of this program and of comparable ones. */
export const benchmarksPage: Page = {
  file: "benchmarks.md",
  title: "Benchmarks",
  from: "scripts/docs-lib/data/benchmarks.ts, benchmark-figures.ts and bench-compare.json",
  body() {
    const saved = savedRuns();
    const machines = COMPARED.flatMap(({ group }) => {
      const run = saved[group];
      return run === undefined ? [] : [`- \`${group}\`: ${run.machine}`];
    });
    return parts(
      "Medians, with minimum and maximum of the rounds if they differ. A ratio above 1 means that our program is better.",
      ...TOPICS.flatMap((topic) => [
        `## ${topic}`,
        table(
          ["row", "figure", "peer", "ratio", "bottleneck", "command"],
          [...comparedRows(topic, saved), ...figureRows(topic)],
        ),
      ]),
      "## How they were measured",
      "`./scripts/bench-compare` runs our program and others in turns on one machine. Clients run in separate processes and are the same for all. `PEER` names starknet-devnet 0.8.1 (`cargo install starknet-devnet --version 0.8.1 --locked`), `ORACLE` the reference engine. Both chains make a block as soon as they have a transaction, and respond once its block is accepted; *on receipt* is our program with `--async-submission`, which responds once a transaction is on disk. Transfers are signed in advance, each to a different address; all of them are accepted at the end. starknet-devnet keeps its chain in memory and has at most 255 initial accounts; the rows for 256 use those. `--save` stores the figures for this page:",
      machines.join("\n"),
      `The other rows come from single benches, on ${MACHINE}, some with other work in parallel. Each file of \`test/bench\` prints its figures; no test asserts a time. \`./scripts/bench\` without a name lists them; \`transfer-trace\` prints the time of each step of one transfer, and \`endurance\` the figures of an hour at a steady rate.`,
    );
  },
};

function savedRuns(): SavedRuns {
  return existsSync(SAVED_RUNS) ? (JSON.parse(readFileSync(SAVED_RUNS, "utf8")) as SavedRuns) : {};
}

function comparedRows(topic: Topic, saved: SavedRuns): readonly Cells[] {
  return COMPARED.flatMap(({ topic: ofGroup, group, bounds }) => {
    const rows = saved[group]?.rows ?? [];
    return rows
      .filter(({ id }) => (id.startsWith(STORAGE_ROWS) ? "Storage" : ofGroup) === topic)
      .map((row): Cells => {
        const command = code(`./scripts/bench-compare ${group}`);
        return [...cellsOf(row), boundOf(row.id, bounds), command];
      });
  });
}

function figureRows(topic: Topic): readonly Cells[] {
  return FIGURES.filter((each) => each.topic === topic).map(
    ({ what, figure, peer, bound, command }): Cells => [
      what,
      figure,
      peer,
      "",
      bound,
      code(`./scripts/${command}`),
    ],
  );
}

/** The text of the longest key that is a prefix of a row's name. */
export function boundOf(id: string, bounds: Compared["bounds"]): string {
  const keys = Object.keys(bounds).filter((key) => id.startsWith(key));
  const longest = keys.toSorted((a, b) => b.length - a.length)[0];
  return longest === undefined ? "" : (bounds[longest] ?? "");
}
