/**
 * Compares this chain with others on one machine in one run, and prints tables:
 * scripts/bench-compare [--save] [GROUP...], groups as in `rows.ts`, all by default. The
 * environment variable `PEER` is the path of starknet-devnet 0.8.1, `ORACLE` that of the reference
 * engine; without them only ours is measured. `ROUNDS` sets another number of rounds than 5,
 * `MEMORY` another bound in MiB of a server's resident memory than three quarters of the machine's.
 * With `--save` the figures are saved for docs/benchmarks.md.
 */
import { integerOfEnvironment } from "#test/helpers/environment.ts";
import { progress } from "./progress.ts";
import { measureCalls } from "./calls.ts";
import { measureMemory } from "./memory.ts";
import { measureReads } from "./reads.ts";
import { printedTable, Results } from "./results.ts";
import { GROUPS, type Group } from "./rows.ts";
import { machineLine, saveRun } from "./saved-run.ts";
import { devnetServer, ourServer, ourServerOnReceipt } from "./server.ts";
import { measureStart } from "./start.ts";
import { measureTransfers } from "./transfers.ts";

const rounds = integerOfEnvironment("ROUNDS") ?? 5;
const words = process.argv.slice(2);
const wanted = words.filter((word) => word !== "--save");
const unknown = wanted.filter((word) => !GROUPS.some((group) => group === word));
if (unknown.length > 0) {
  progress(`unknown: ${unknown.join(" ")}; there are ${GROUPS.join(", ")}`);
  process.exit(2);
}
const groups = GROUPS.filter((group) => wanted.length === 0 || wanted.includes(group));
const peer = process.env["PEER"];
const servers = [ourServer(), ...(peer === undefined ? [] : [devnetServer(peer)])];

const results = new Results(progress);
const measure: Record<Group, () => Promise<void>> = {
  transfers: () => measureTransfers(servers, ourServerOnReceipt(), rounds, results),
  start: () => measureStart(servers, rounds, results),
  memory: () => measureMemory(servers, results),
  calls: () => measureCalls(servers, process.env["ORACLE"], rounds, results),
  reads: () => measureReads(servers, rounds, results),
};

const machine = machineLine(rounds);
console.log(machine);
for (const group of groups) {
  await measure[group]();
  const rows = results.rowsOf(group);
  console.log(`\n${group}\n\n${printedTable(rows)}`);
  if (words.includes("--save")) saveRun(group, machine, rows);
}
