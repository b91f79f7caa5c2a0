import { expect, test } from "bun:test";
import { directCall } from "#engine/execution/index.ts";
import { protocolCall } from "#engine/execution/call/request.ts";
import { CachedState } from "#engine/state/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { createRetainedMemory } from "#engine/cairo/index.ts";
import { createQueryMachine } from "#app/node/query/query-machine.ts";
import { calldataFor } from "#test/contracts/hostile/arguments.ts";
import { hostileState } from "#test/helpers/hostile-chain.ts";
import { HOSTILE, hostileClass } from "#test/helpers/hostile-class.ts";
import { transferBlock } from "#test/helpers/transfer-chain.ts";

const RUN = selectorFromName("run");
const block = transferBlock({ limits: {} }, 10_000_000);
const deployed = { address: HOSTILE, classHash: hostileClass.classHash };

/** Runs an operation, and raises the flag at look number `endAt`. */
function looksOf(operation: string, rounds: number, endAt: number) {
  const cancelFlag = new Int32Array(1);
  let looks = 0;
  const vm = createQueryMachine({
    cancelFlag,
    maxMemoryBytes: 1 << 30,
    maxSpanBytes: 2 ** 30,
    memoryPermits: new Int32Array([1]),
    retainedMemory: createRetainedMemory(),
    time: {
      look() {
        if (++looks === endAt) cancelFlag[0] = 1;
      },
    },
  });
  const calldata = calldataFor(operation, rounds, deployed);
  const request = protocolCall(HOSTILE, RUN, calldata, 2 ** 50);
  const { kind } = directCall(vm, new CachedState(hostileState()), block, request, "execute");
  return { kind, looks };
}

test.each(["steps", "pedersen", "storage_read"])(
  "looks at the time repeatedly during %s",
  (name) => {
    expect(looksOf(name, 20_000_000, 5)).toEqual({ kind: "cancelled", looks: 5 });
  },
);

test("a look alone does not end the run", () => {
  const { kind, looks } = looksOf("steps", 10, Number.POSITIVE_INFINITY);
  expect(kind).toBe("done");
  expect(looks).toBeGreaterThan(0);
});
