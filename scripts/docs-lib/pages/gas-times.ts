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

/** Processor time of operations relative to their gas. */
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
      `Processor time of every builtin and syscall, in loops of the [hostile contract](../test/contracts/hostile/README.md), the most expensive for its gas first. The columns have the total time of one call with the maximum of gas, and nanoseconds per thousand gas in this node and in the reference engine (blockifier 0.20.0-rc.1), on ${machine}, with other work in parallel. Protocol version 0.14.4.`,
      "The gas of a round is that of the syscall or builtin, 2500 for the loop and, for syscalls, the 10 000 that the compiler makes a contract pay. `ec_op` multiplies the same point repeatedly, `ec_op_chain` a different one each time, with the maximum number of additions; `get_class_hash_at`, `storage_read` and `get_block_hash` read a different value each time.",
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
      "The table omits operations that another limit stops before their gas is used up (1000 events, memory). `ORACLE=PROGRAM ./scripts/bench syscalls --write` measures again.",
      "Transactions that take long for their gas wait for the others: see [long transactions](operation.md#long-transactions).",
    );
  },
};
