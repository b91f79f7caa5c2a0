import { describe, expect, test } from "bun:test";
import { createCairoVm } from "#cairo/index.ts";
import { calldataFor } from "../../contracts/hostile/arguments.ts";
import { OPERATIONS } from "../../contracts/hostile/contract.ts";
import { callHostile, HOSTILE, hostileClass } from "../../helpers/hostile-chain.ts";

const vm = createCairoVm();
const deployed = { address: HOSTILE, classHash: hostileClass.classHash };

/** Rounds of the larger run where gas or the protocol allows no more, or they take long. */
const FEWER: Readonly<Record<string, number>> = {
  call_contract: 4_000,
  call_contract_ignoring: 4_000,
  library_call: 4_000,
  library_call_ignoring: 4_000,
  deploy: 2_000,
  ec_op: 2_000,
  emit_event: 1_000,
  keccak: 4_000,
  meta_tx_v0: 1_000,
  sha256_process_block: 1_000,
  sha512_process_block: 400,
  secp256k1_mul: 64,
  secp256r1_mul: 64,
};

/**
 * What two of them pass over in memory, not what they do, is what takes long; Pedersen hashes are
 * remembered, so that a short run that was made before takes no time.
 */
const LEFT_OUT = ["sparse_segment", "stack_holes", "pedersen"];

/** Work that grows with the square makes it the square of this. */
const FACTOR = 16;
const MOST = 4 * FACTOR;
const ATTEMPTS = 3;

function roundsOf(operation: string): number {
  return FEWER[operation] ?? (operation.startsWith("secp") ? 300 : 20_000);
}

function timeOf(operation: string, rounds: number): number {
  const start = performance.now();
  const { kind } = callHostile(calldataFor(operation, rounds, deployed), vm);
  expect(kind).toBe(operation.startsWith("panic") ? "failed" : "ok");
  return performance.now() - start;
}

describe(`${FACTOR} times the rounds take about ${FACTOR} times as long`, () => {
  for (const operation of OPERATIONS.filter((name) => !LEFT_OUT.includes(name))) {
    test(
      operation,
      () => {
        const rounds = roundsOf(operation);
        timeOf(operation, rounds >> 2);
        let growth = Number.POSITIVE_INFINITY;
        // Other work of the machine makes a time longer, never shorter; very short ones say nothing.
        for (let i = 0; i < ATTEMPTS && growth > MOST; i++) {
          const few = Math.max(timeOf(operation, Math.ceil(rounds / FACTOR)), 1);
          growth = Math.min(growth, timeOf(operation, rounds) / few);
        }
        expect(growth).toBeLessThan(MOST);
      },
      120_000,
    );
  }
});
