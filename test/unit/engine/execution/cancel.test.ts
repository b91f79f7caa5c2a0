import { afterAll, describe, expect, test } from "bun:test";
import { createCairoVm } from "#engine/cairo/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { directCall } from "#engine/execution/index.ts";
import { protocolCall } from "#engine/execution/call/request.ts";
import type { Felt } from "#base/primitives/index.ts";
import { CachedState } from "#engine/state/index.ts";
import { calldataFor } from "#test/contracts/hostile/arguments.ts";
import { record } from "#test/contracts/hostile/contract.ts";
import { hostileState } from "#test/helpers/hostile-chain.ts";
import { HOSTILE, hostileClass } from "#test/helpers/hostile-class.ts";
import { StopFlag } from "#test/helpers/stop-flag.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { transferBlock } from "#test/helpers/transfer-chain.ts";

/** Far longer than a cancellation takes (some ten milliseconds). */
const MOST_MS = 1000;

/** More than any protocol allows, so that gas does not end the work. */
const GAS = 2 ** 50;

const stop = new StopFlag();
/** More memory than the default: a long sort takes 1 GiB. */
const vm = createCairoVm({ cancelFlag: stop.flag, maxMemoryBytes: 1536 * 2 ** 20 });
const block = transferBlock({ limits: {} }, 10_000_000);
const deployed = { address: HOSTILE, classHash: hostileClass.classHash };
const RUN = selectorFromName("run");
const IDLE = record("steps", { count: 0 });

afterAll(() => stop.close());

/** Felts whose hashes are not cached yet. */
function large(count: number, seed: bigint): Felt[] {
  return Array.from({ length: count }, (_, i) => (BigInt(i) << 200n) + seed);
}

function callOf(calldata: readonly Felt[]) {
  const request = protocolCall(HOSTILE, RUN, calldata, GAS);
  return () => directCall(vm, new CachedState(hostileState()), block, request, "execute").kind;
}

/** Times after which work is cancelled, in milliseconds: early and late. */
function delaysOf(name: string): readonly number[] {
  // Long calldata is written to memory first, which takes some hundred milliseconds.
  if (name.includes("long calldata")) return bySize({ quick: [400], full: [400, 1800] });
  return bySize({ quick: [80], full: [40, 400] });
}

/**
 * Shortest time from the flag to the end of the work in three attempts, in milliseconds of wall
 * or processor time: other processes prolong the former, other test files the latter.
 */
async function leastDelay(delayMs: number, work: () => string): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 3 && least >= MOST_MS; attempt++) {
    const { result, latencyMs = 0, busyMs = 0 } = await stop.during(delayMs, work);
    expect(result).toBe("cancelled");
    least = Math.min(least, latencyMs, busyMs);
  }
  return least;
}

describe("cancellation is prompt during", () => {
  const works: readonly (readonly [name: string, calldata: readonly Felt[]])[] = [
    ...[
      ...["storage_read", "storage_write", "get_execution_info", "send_message_to_l1"],
      ...["keccak", "sha256_process_block", "sha512_process_block"],
      ...["call_contract", "library_call", "meta_tx_v0", "deploy"],
      ...["secp256k1_add", "secp256k1_mul", "secp256r1_from_x"],
      ...["steps", "pedersen", "poseidon", "bitwise", "ec_op", "segments", "return_data"],
    ].map((name) => [name, calldataFor(name, 20_000_000, deployed)] as const),
    ["sort of a dictionary", calldataFor("squash", 6_000_000, deployed)],
    [
      "a deployment with long calldata",
      [...record("deploy", { count: 1000, a: deployed.classHash }), ...IDLE, ...large(200_000, 1n)],
    ],
    [
      "a meta transaction with long calldata",
      [
        ...record("meta_tx_v0", { count: 1000, a: HOSTILE, b: selectorFromName("__execute__") }),
        ...IDLE,
        ...IDLE,
        ...large(200_000, 2n),
      ],
    ],
    [
      "calls that touch much memory",
      [
        ...record("call_contract", { count: 10_000, a: HOSTILE, b: RUN }),
        ...record("sparse_segment", { count: 30, a: 500_000n }),
      ],
    ],
  ];
  for (const [name, calldata] of works) {
    test(name, async () => {
      for (const delayMs of delaysOf(name)) {
        expect(await leastDelay(delayMs, callOf(calldata))).toBeLessThan(MOST_MS);
      }
    });
  }
});

test("after a cancellation the machine runs again with the same results", async () => {
  const work = callOf(calldataFor("ec_op", 1000, deployed));
  const stopped = await stop.during(20, callOf(calldataFor("ec_op", 1_000_000, deployed)));
  expect(stopped.result).toBe("cancelled");
  Atomics.store(stop.flag, 0, 0);
  expect(work()).toBe("done");
});
