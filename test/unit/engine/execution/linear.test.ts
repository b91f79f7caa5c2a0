import { describe, expect, test } from "bun:test";
import { createCairoVm } from "#engine/cairo/index.ts";
import { calldataFor } from "#test/contracts/hostile/arguments.ts";
import { OPERATIONS } from "#test/contracts/hostile/contract.ts";
import { busyMilliseconds } from "#test/helpers/stop-flag.ts";
import { callHostile } from "#test/helpers/hostile-chain.ts";
import { HOSTILE, hostileClass } from "#test/helpers/hostile-class.ts";
import { bySize } from "#test/helpers/test-size.ts";

const vm = createCairoVm();
const deployed = { address: HOSTILE, classHash: hostileClass.classHash };

/** Rounds of the larger run where gas or the protocol limits them, or where they are slow. */
const FEWER: Readonly<Record<string, number>> = {
  call_contract: 4_000,
  call_contract_ignoring: 4_000,
  library_call: 4_000,
  library_call_ignoring: 4_000,
  deploy: 2_000,
  ec_op: 2_000,
  ec_op_chain: 8_000,
  emit_event: 1_000,
  keccak: 4_000,
  meta_tx_v0: 1_000,
  sha256_process_block: 1_000,
  sha512_process_block: 400,
  secp256k1_mul: 64,
  secp256r1_mul: 64,
};

/**
 * The first two are slow because of the memory they pass over, not because of their work.
 * Pedersen hashes are cached, so that a repeated short run takes no time.
 */
const EXCLUDED = ["sparse_segment", "stack_holes", "pedersen"];

/** Quadratic work makes one long run this many times as long as as many short ones. */
const FACTOR = 16;
const MOST = FACTOR / 3;
const ATTEMPTS = 5;
/** Shorter times, in milliseconds, are not meaningful: a pause of the machine is as long. */
const LEAST_MS = 20;

/** Share of the rounds that a run executes. */
const PART = bySize({ quick: 0.4, full: 1 });

function roundsOf(operation: string): number {
  const rounds = FEWER[operation] ?? (operation.startsWith("secp") ? 300 : 20_000);
  return Math.max(FACTOR, Math.floor(rounds * PART));
}

/** Wall or processor time: other processes prolong the former, other test files the latter. */
function timeOf(operation: string, rounds: number, runs = 1): number {
  const calldata = calldataFor(operation, rounds, deployed);
  const start = performance.now();
  const busyStart = busyMilliseconds();
  for (let i = 0; i < runs; i++) {
    const { kind } = callHostile(calldata, vm);
    expect(kind).toBe(operation.startsWith("panic") ? "failed" : "ok");
  }
  return Math.min(performance.now() - start, busyMilliseconds() - busyStart);
}

describe(`${FACTOR} times the rounds take about as long as ${FACTOR} runs of`, () => {
  for (const operation of OPERATIONS.filter((name) => !EXCLUDED.includes(name))) {
    test(
      operation,
      () => {
        const rounds = roundsOf(operation);
        timeOf(operation, rounds >> 2);
        let growth = Number.POSITIVE_INFINITY;
        // Other load prolongs a run and never shortens it.
        for (let i = 0; i < ATTEMPTS && growth > MOST; i++) {
          const few = Math.max(timeOf(operation, Math.ceil(rounds / FACTOR), FACTOR), LEAST_MS);
          growth = Math.min(growth, timeOf(operation, rounds) / few);
        }
        expect(growth).toBeLessThan(MOST);
      },
      120_000,
    );
  }
});
