import { readFileSync } from "node:fs";
import { code, table } from "../markdown.ts";
import { type Page, parts } from "../page.ts";

const FILE = "scripts/docs-lib/data/gas-times.json";

interface Row {
  readonly operation: string;
  readonly gasPerRound: number;
  readonly milliseconds: number;
  readonly ours: number | null;
  readonly theirs: number | null;
}

function shown(value: number | null): string {
  return value === null ? "" : String(value);
}

/** What work takes for its gas. */
export const gasTimesPage: Page = {
  file: "gas-times.md",
  title: "Processor time of gas",
  from: FILE,
  body() {
    const path = new URL(`../../../${FILE}`, import.meta.url).pathname;
    const { machine, rows } = JSON.parse(readFileSync(path, "utf8")) as {
      readonly machine: string;
      readonly rows: readonly Row[];
    };
    const sorted = rows.toSorted((a, b) => (b.ours ?? 0) - (a.ours ?? 0));
    return parts(
      `Processor time of every builtin and syscall, in loops of the [hostile contract](../test/contracts/hostile/README.md), the dearest for its gas first: what one call of the most gas takes in all, and nanoseconds for a thousand gas here and in the reference engine (blockifier 0.20.0-rc.1), on ${machine}, with other work beside. Protocol version 0.14.4.`,
      "Gas is that of a round: the syscall or builtin, 2500 of the loop and, of syscalls, the 10 000 that the compiler makes a contract pay. `ec_op` multiplies one point again and again, `ec_op_chain` another one each time, with as many additions as there can be; `get_class_hash_at`, `storage_read` and `get_block_hash` look at something else each time.",
      table(
        [
          "operation",
          "gas of a round",
          "a whole call, ms",
          "ns / 1000 gas",
          "reference, ns / 1000 gas",
        ],
        sorted.map((row) => [
          code(row.operation),
          String(row.gasPerRound),
          String(row.milliseconds),
          shown(row.ours),
          shown(row.theirs),
        ]),
      ),
      "Operations that another limit ends before their gas is used up are left out (1000 events, memory). `ORACLE=PROGRAM ./scripts/bench syscalls --write` measures again.",
      "What takes long for its gas waits for the others: see [long transactions](operation.md#long-transactions).",
    );
  },
};
