/**
 * Runs every operation of the hostile contract as often as the gas of one call permits, each in a
 * process of its own, and prints time and memory; with the variable ORACLE (path of the reference
 * engine's program) the same calls by the reference engine beside it. `growth` is the time of all
 * rounds over that of a quarter of them: 4 for work that grows with the number of rounds.
 *
 * Run with `bun test/bench/syscalls.bench.ts [NAME...]`.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCairoVm } from "#engine/cairo/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { directCall } from "#engine/execution/index.ts";
import { protocolCall } from "#engine/execution/call/request.ts";
import { CachedState } from "#engine/state/index.ts";
import { calldataFor } from "../contracts/hostile/arguments.ts";
import { OPERATIONS } from "../contracts/hostile/contract.ts";
import { HOSTILE, HOSTILE_FOLDER, hostileClass, hostileState } from "../helpers/hostile-chain.ts";
import { transferBlock } from "../helpers/transfer-chain.ts";

/** Calls that fail by another limit before their gas is used up, with that limit. */
const OTHER_LIMITS: Readonly<Record<string, number>> = {
  // The protocol's most events of a transaction.
  emit_event: 1_000,
  // Cells of the machine's memory.
  stack_holes: 2_000,
  sparse_segment: 30_000,
  return_tail: 300_000,
  panic_with_tail: 300_000,
};

const BLOCK_NUMBER = 10_000_000;
const TIMEOUT_MS = 180_000;

interface Figures {
  readonly milliseconds: number;
  readonly megabytes: number;
  readonly outcome: string;
}

const block = transferBlock({ limits: {} }, BLOCK_NUMBER);
const limit = Number(block.constants.os.executeMaxSierraGas);
const deployed = { address: HOSTILE, classHash: hostileClass.classHash };
const calldataOf = (operation: string, count: number): bigint[] =>
  calldataFor(operation, count, deployed);

/** Runs one call here. @returns what is left of the gas */
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

/** Rounds of an operation that one call's gas pays. */
function roundsOf(operation: string): number {
  const [few, more] = [10, 30].map((count) => run(operation, count).gas);
  const perRound = ((few ?? 0) - (more ?? 0)) / 20;
  const byGas = Math.floor(((few ?? 0) * 0.999) / Math.max(perRound, 1));
  return Math.min(byGas, OTHER_LIMITS[operation] ?? byGas);
}

function measureHere(operation: string, count: number): Figures {
  run(operation, 3);
  Bun.gc(true);
  const before = process.memoryUsage.rss();
  const start = performance.now();
  const { outcome } = run(operation, count);
  const milliseconds = performance.now() - start;
  // In kilobytes; the most so far.
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

/** One call by the reference engine; the time of loading the class is taken off by an idle call. */
function reference(program: string, operation: string, count: number): Figures {
  const folder = mkdtempSync(join(tmpdir(), "syscalls-bench-"));
  try {
    const [idle, busy] = [0, count].map((rounds) => {
      const path = join(folder, `${rounds}.json`);
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
      const start = performance.now();
      const result = Bun.spawnSync([program, path], { timeout: TIMEOUT_MS });
      const milliseconds = performance.now() - start;
      const text = result.stdout.toString();
      const outcome = /"outcome": ?"(\w+)"/.exec(text)?.[1] ?? "no end";
      return { milliseconds, bytes: result.resourceUsage?.maxRSS ?? 0, outcome };
    });
    return {
      milliseconds: (busy?.milliseconds ?? 0) - (idle?.milliseconds ?? 0),
      megabytes: ((busy?.bytes ?? 0) - (idle?.bytes ?? 0)) / 2 ** 20,
      outcome: busy?.outcome ?? "no end",
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const [flag, ...rest] = process.argv.slice(2);
if (flag === "--here") {
  const [operation = "", count = "0"] = rest;
  process.stdout.write(JSON.stringify(measureHere(operation, Number(count))));
} else {
  const program = process.env["ORACLE"];
  const names = flag === undefined ? OPERATIONS : [flag, ...rest];
  process.stdout.write(
    `${"operation".padEnd(24)}    rounds       ms  growth       MB  outcome` +
      `${program === undefined ? "" : "        ms       MB  of the reference engine"}\n`,
  );
  for (const operation of names) {
    const count = roundsOf(operation);
    const quarter = child(operation, Math.ceil(count / 4));
    const all = child(operation, count);
    const cells = [
      operation.padEnd(24),
      String(count).padStart(9),
      all.milliseconds.toFixed(0).padStart(8),
      (all.milliseconds / quarter.milliseconds).toFixed(1).padStart(7),
      all.megabytes.toFixed(0).padStart(8),
      ` ${all.outcome}`.padEnd(9),
    ];
    if (program !== undefined) {
      const theirs = reference(program, operation, count);
      cells.push(
        theirs.milliseconds.toFixed(0).padStart(8),
        theirs.megabytes.toFixed(0).padStart(8),
        ` ${theirs.outcome}`,
      );
    }
    process.stdout.write(`${cells.join(" ")}\n`);
  }
}
