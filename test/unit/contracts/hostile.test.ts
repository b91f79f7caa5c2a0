import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createCairoVm } from "#engine/cairo/index.ts";
import { BlockExecutor } from "#engine/execution/index.ts";
import { feltFromShortString } from "#base/primitives/index.ts";
import { calldataFor } from "../../contracts/hostile/arguments.ts";
import { hostileContract, OPERATIONS, record } from "../../contracts/hostile/contract.ts";
import { callHostile, hostileInvoke, hostileState } from "../../helpers/hostile-chain.ts";
import { HOSTILE, HOSTILE_FOLDER, hostileClass } from "../../helpers/hostile-class.ts";
import { plain } from "../../helpers/plain.ts";
import { transferBlock } from "../../helpers/transfer-chain.ts";

const vm = createCairoVm();
const deployed = { address: HOSTILE, classHash: hostileClass.classHash };
const VALID = feltFromShortString("VALID");

test("the hostile class files match their source", () => {
  for (const [name, made] of Object.entries(hostileContract())) {
    const file = readFileSync(join(HOSTILE_FOLDER, `hostile.${name}.json`), "utf8");
    expect(JSON.parse(file)).toEqual(made);
  }
});

describe("a hostile operation runs the requested number of times:", () => {
  const answers: Readonly<Record<string, readonly bigint[]>> = {
    return_data: [3n, 2n, 1n],
    return_tail: [0n, 0n, 0n],
  };
  for (const operation of OPERATIONS) {
    test(operation, () => {
      const outcome = callHostile(calldataFor(operation, 3, deployed), vm);
      if (outcome.kind === "failed" && operation.startsWith("panic")) {
        const zeros = [0n, 0n, 0n];
        expect(outcome.retdata).toEqual(operation === "panic_data" ? [3n, 2n, 1n] : zeros);
      } else expect(outcome).toEqual({ kind: "ok", retdata: answers[operation] ?? [VALID] });
    });
  }
});

describe("an endless hostile operation runs out of gas:", () => {
  for (const operation of ["storage_read", "steps", "recursion"]) {
    test(operation, () => {
      const [number = 0n, , ...rest] = calldataFor(operation, 1, deployed);
      const outcome = callHostile([number, 2n ** 40n, ...rest], vm);
      expect(outcome).toMatchObject({
        kind: "failed",
        retdata: [feltFromShortString("Out of gas")],
      });
    });
  }
});

describe("the hostile contract as an account", () => {
  const run = (validate: readonly bigint[], execute: readonly bigint[]) => {
    const executor = new BlockExecutor(vm, hostileState(), transferBlock());
    return executor.execute(hostileInvoke([...validate, ...execute]));
  };

  test("validates with the first record and executes the second", () => {
    const outcome = run(record("storage_read", { count: 2 }), record("storage_write"));
    expect(plain(outcome)).toMatchObject({
      kind: "included",
      info: {
        revertReason: null,
        validate: { storageReadValues: [0n, 0n], result: [VALID] },
        execute: { accessedStorageKeys: new Set([0n]) },
      },
    });
  });

  test("fails validation if the first record fails", () => {
    const outcome = run(record("storage_read", { fails: true }), record("steps"));
    expect(outcome).toMatchObject({ kind: "rejected", error: { code: "VALIDATION_FAILED" } });
  });
});

test("a hostile operation fails at its end on request", () => {
  const outcome = callHostile(record("storage_write", { count: 2, fails: true }), vm);
  expect(outcome).toMatchObject({
    kind: "failed",
    retdata: [feltFromShortString("asked to fail")],
  });
});
