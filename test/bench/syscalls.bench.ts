/**
 * Runs every operation of the hostile contract as often as the gas of one call permits, each in a
 * separate process, and prints processor time, per gas and in total, and memory; with the variable
 * ORACLE (path of the reference engine's program) also for the same calls in the reference engine.
 * `growth` is the time of all rounds relative to a quarter of them: 4 for work proportional to the
 * number of rounds.
 *
 * Run with `bun test/bench/syscalls.bench.ts [--write] [NAME...]`; `--write` writes the table from
 * which docs/gas-times.md is generated (`bun scripts/docs.ts`).
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createCairoVm } from "#engine/cairo/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { directCall } from "#engine/execution/index.ts";
import { protocolCall } from "#engine/execution/call/request.ts";
import { CachedState } from "#engine/state/index.ts";
import { calldataFor } from "../contracts/hostile/arguments.ts";
import { OPERATIONS } from "../contracts/hostile/contract.ts";
import { SYSCALL_LOOPS } from "../contracts/hostile/syscalls.ts";
import { hostileState } from "../helpers/hostile-chain.ts";
import { HOSTILE, HOSTILE_FOLDER, hostileClass } from "../helpers/hostile-class.ts";
import { transferBlock } from "../helpers/transfer-chain.ts";
import { type GasTime, writeGasTimes } from "./gas-times.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

/** Calls that fail by another limit before their gas is used up, with that limit. */
const OTHER_LIMITS: Readonly<Record<string, number>> = {
  // The protocol's maximum events of a transaction.
  emit_event: 1_000,
  // Cells of the machine's memory.
  stack_holes: 2_000,
  sparse_segment: 30_000,
  return_tail: 300_000,
  panic_with_tail: 300_000,
};

const BLOCK_NUMBER = 10_000_000;
const TIMEOUT_MS = 180_000;

/**
 * Gas that compiled contracts pay for each syscall in advance; the hostile contract is assembled by
 * hand and does not pay it.
 */
const COMPILED_SYSCALL_GAS = 10_000;

const SYSCALLS: ReadonlySet<string> = new Set(SYSCALL_LOOPS.map(({ name }) => name));

/** Fraction of the rounds that run as a warm-up, in which the engine compiles the loops. */
const WARM_UP_PART = 20;

interface Figures {
  /** Processor time of all threads. */
  readonly milliseconds: number;
  readonly megabytes: number;
  readonly outcome: string;
}

const block = transferBlock({ limits: {} }, BLOCK_NUMBER);
const limit = Number(block.constants.os.executeMaxSierraGas);
const deployed = { address: HOSTILE, classHash: hostileClass.classHash };
const calldataOf = (operation: string, count: number): bigint[] =>
  calldataFor(operation, count, deployed);

/** Runs one call in this process. @returns the remaining gas */
function run(operation: string, count: number): { readonly gas: number; readonly outcome: string } {
  const state = new CachedState(hostileState());
  const request = protocolCall(
    HOSTILE,
    selectorFromName("run"),
    calldataOf(operation, count),
    limit,
  );
  const result = directCall(createCairoVm(), state, block, request, "execute");
  if (result.kind !== "done") {
    const text = result.kind === "error" ? result.failure.text : "cancelled";
    return { gas: 0, outcome: `error: ${text.trim().split("\n").at(-1)?.slice(0, 80)}` };
  }
  const { record, remainingGas } = result;
  const isPanic = record.failed && !operation.startsWith("panic");
  return { gas: remainingGas, outcome: isPanic ? "panic" : "ok" };
}

/**
 * Rounds of an operation that one call's gas pays for, and the gas of each, including what compiled
 * code would pay.
 */
function roundsOf(operation: string): { readonly count: number; readonly gasPerRound: number } {
  const [few, more] = [10, 30].map((count) => run(operation, count).gas);
  const compiled = SYSCALLS.has(operation) ? COMPILED_SYSCALL_GAS : 0;
  const gasPerRound = Math.max(((few ?? 0) - (more ?? 0)) / 20, 1) + compiled;
  const byGas = Math.floor(((few ?? 0) * 0.999) / gasPerRound);
  return { count: Math.min(byGas, OTHER_LIMITS[operation] ?? byGas), gasPerRound };
}

/** Nanoseconds for a thousand gas. */
function perThousandGas({ milliseconds, outcome }: Figures, gas: number): number | null {
  if (outcome === "no end") return null;
  return Math.max((milliseconds * 1e9) / gas, 0);
}

function measureHere(operation: string, count: number): Figures {
  run(operation, Math.ceil(count / WARM_UP_PART));
  Bun.gc(true);
  const before = process.memoryUsage.rss();
  const start = process.cpuUsage();
  const { outcome } = run(operation, count);
  const used = process.cpuUsage(start);
  const milliseconds = (used.user + used.system) / 1000;
  // Peak so far, in kilobytes.
  const peak = process.resourceUsage().maxRSS * 1024;
  return { milliseconds, megabytes: Math.max(peak - before, 0) / 2 ** 20, outcome };
}

function child(operation: string, count: number): Figures {
  const command = [process.execPath, import.meta.path, "--here", operation, String(count)];
  const result = Bun.spawnSync(command, { timeout: TIMEOUT_MS, stderr: "inherit" });
  const text = result.stdout.toString();
  if (text === "") return { milliseconds: TIMEOUT_MS, megabytes: 0, outcome: "no end" };
  return JSON.parse(text) as Figures;
}

/**
 * Runs one call in the reference engine; subtracts the time of an idle call, which loads the class.
 */
function reference(program: string, operation: string, count: number): Figures {
  using folder = temporaryFolder();
  const [idle, busy] = [0, count].map((rounds) => {
    const path = folder.file(`${rounds}.json`);
    const calldata = calldataOf(operation, rounds).map((value) => `0x${value.toString(16)}`);
    const hex = (value: bigint): string => `0x${value.toString(16)}`;
    const scenario = {
      block: {
        number: BLOCK_NUMBER,
        timestamp: 1_700_000_000,
        protocol_version: block.info.protocolVersion,
        gas_prices: {
          l1_gas: { wei: 1, fri: 1 },
          l1_data_gas: { wei: 1, fri: 1 },
          l2_gas: { wei: 1, fri: 1 },
        },
      },
      classes: [
        {
          class_hash: hex(hostileClass.classHash),
          sierra: join(HOSTILE_FOLDER, "hostile.sierra.json"),
          casm: join(HOSTILE_FOLDER, "hostile.casm.json"),
        },
      ],
      state: { contracts: { [hex(HOSTILE)]: { class_hash: hex(hostileClass.classHash) } } },
      steps: [
        {
          name: operation,
          call: {
            contract_address: hex(HOSTILE),
            entry_point_selector: hex(selectorFromName("run")),
            calldata,
          },
        },
      ],
      output: { calls: false },
    };
    writeFileSync(path, JSON.stringify(scenario));
    const result = Bun.spawnSync([program, path], { timeout: TIMEOUT_MS });
    const milliseconds = Number(result.resourceUsage?.cpuTime.total ?? 0) / 1000;
    const text = result.stdout.toString();
    const outcome = /"outcome": ?"(\w+)"/.exec(text)?.[1] ?? "no end";
    return { milliseconds, bytes: result.resourceUsage?.maxRSS ?? 0, outcome };
  });
  return {
    milliseconds: (busy?.milliseconds ?? 0) - (idle?.milliseconds ?? 0),
    megabytes: ((busy?.bytes ?? 0) - (idle?.bytes ?? 0)) / 2 ** 20,
    outcome: busy?.outcome ?? "no end",
  };
}

function cellOf(value: number | null, width: number, digits = 0): string {
  return (value === null ? "no end" : value.toFixed(digits)).padStart(width);
}

/** Measures an operation and prints its line. @returns its row of the table in the documents */
function measureAll(operation: string, program: string | undefined): GasTime {
  const { count, gasPerRound } = roundsOf(operation);
  const gas = count * gasPerRound;
  const quarter = child(operation, Math.ceil(count / 4));
  const all = child(operation, count);
  const ours = perThousandGas(all, gas);
  const cells = [
    operation.padEnd(24),
    cellOf(count, 9),
    cellOf(gasPerRound, 9),
    cellOf(all.milliseconds, 8),
    cellOf(ours, 10, 1),
    cellOf(all.milliseconds / quarter.milliseconds, 7, 1),
    cellOf(all.megabytes, 8),
    ` ${all.outcome}`.padEnd(9),
  ];
  let theirs: number | null = null;
  if (program !== undefined) {
    const figures = reference(program, operation, count);
    theirs = perThousandGas(figures, gas);
    cells.push(cellOf(figures.milliseconds, 8), cellOf(theirs, 10, 1));
    cells.push(cellOf(figures.megabytes, 8), ` ${figures.outcome}`);
  }
  process.stdout.write(`${cells.join(" ")}\n`);
  return { operation, gasPerRound, milliseconds: all.milliseconds, ours, theirs };
}

const [flag, ...rest] = process.argv.slice(2);
if (flag === "--here") {
  const [operation = "", count = "0"] = rest;
  process.stdout.write(JSON.stringify(measureHere(operation, Number(count))));
} else {
  const program = process.env["ORACLE"];
  const isWriting = flag === "--write";
  const named = isWriting || flag === undefined ? rest : [flag, ...rest];
  process.stdout.write(
    `${"operation".padEnd(24)}    rounds  gas each   CPU ms   ns/k gas  growth       MB  outcome` +
      `${program === undefined ? "" : "  CPU ms   ns/k gas       MB  of the reference engine"}\n`,
  );
  const rows = (named.length > 0 ? named : OPERATIONS).map((name) => measureAll(name, program));
  if (isWriting) writeGasTimes(rows.filter(({ operation }) => !(operation in OTHER_LIMITS)));
}
