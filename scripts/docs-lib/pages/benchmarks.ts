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

/** What the program was measured at, and others beside it. */
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
      "Medians, with the least and the most of the rounds where they differ. A ratio above 1 means that ours is ahead.",
      ...TOPICS.flatMap((topic) => [
        `## ${topic}`,
        table(
          ["row", "figure", "peer", "ratio", "what bounds it", "command"],
          [...comparedRows(topic, saved), ...figureRows(topic)],
        ),
      ]),
      "## How they were measured",
      "`./scripts/bench-compare` starts ours and others in turns on one machine, with clients in processes of their own that are the same for all: `PEER` names starknet-devnet 0.8.1 (`cargo install starknet-devnet --version 0.8.1 --locked`), `ORACLE` the reference engine. Both chains make a block as soon as there is a transaction and answer it once its block is accepted; *on receipt* is ours with `--async-submission`, which answers once a transaction is on disk. Transfers are signed before, each to an address of its own; every one is accepted at the end. starknet-devnet keeps its chain in memory and begins with at most 255 accounts, which stand in the rows of 256. `--save` keeps the figures for this page:",
      machines.join("\n"),
      `The other rows were measured by single benches, on ${MACHINE}, some beside other work. Each file of \`test/bench\` prints its figures; no test asserts a time. \`./scripts/bench\` without a name lists them; \`transfer-trace\` prints where the time of one transfer goes, and \`endurance\` what an hour at a steady rate is like.`,
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

/** The text of the longest key that a row's name begins with. */
export function boundOf(id: string, bounds: Compared["bounds"]): string {
  const keys = Object.keys(bounds).filter((key) => id.startsWith(key));
  const longest = keys.toSorted((a, b) => b.length - a.length)[0];
  return longest === undefined ? "" : (bounds[longest] ?? "");
}
