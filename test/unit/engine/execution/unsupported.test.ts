import { describe, expect, test } from "bun:test";
import { createCairoVm } from "#engine/cairo/index.ts";
import {
  BlockExecutor,
  callContract,
  estimateFee,
  validateTransaction,
} from "#engine/execution/index.ts";
import type { ExecutableClass } from "#protocol/chain/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { record } from "#test/contracts/hostile/contract.ts";
import { HOSTILE, hostileInvoke, hostileState } from "#test/helpers/hostile-chain.ts";
import { transferBlock } from "#test/helpers/transfer-chain.ts";
import {
  legacyProgram,
  type ProgramParts,
  QM31,
  RETURN,
} from "#test/helpers/unsupported-programs.ts";
import { classOf } from "#test/unit/engine/cairo/assembler.ts";

/** A contract with code that this machine cannot execute. */
const CONTRACT = 0xca110n;
const CLASS_HASH = 0xc1a55n;
const GO = selectorFromName("go");

const vm = createCairoVm();
const block = transferBlock({ limits: {} });

function legacy(parts: ProgramParts): ExecutableClass {
  const program = legacyProgram({ ...parts, selectors: [GO] });
  return { classHash: CLASS_HASH, casm: null, program, abiLength: 2 };
}

const COMPILED: ExecutableClass = {
  classHash: CLASS_HASH,
  casm: {
    ...classOf([QM31, 5n, RETURN]),
    entryPoints: {
      EXTERNAL: [{ selector: GO, offset: 0, builtins: [] }],
      L1_HANDLER: [],
      CONSTRUCTOR: [],
    },
  },
  sierraVersion: [1, 7, 0],
  sierraProgramLength: 3,
  abiLength: 2,
};

const IDLE = record("steps", { count: 0 });
const CALL = record("call_contract_ignoring", { a: CONTRACT, b: GO });
const QM31_TEXT = "Instructions of the QM31 extension are not supported.";
const HINT_TEXT = "Unknown Hint: print(1)";

describe.each<readonly [string, ExecutableClass, string]>([
  ["an unknown Cairo 0 hint", legacy({ hints: [[0, ["print(1)"]]] }), HINT_TEXT],
  ["a QM31 instruction of Cairo 0", legacy({ bytecode: [QM31, 5n, RETURN] }), QM31_TEXT],
  ["a QM31 instruction of compiled code", COMPILED, QM31_TEXT],
])("a transaction that reaches %s", (_, executable, text) => {
  const state = () => {
    const made = hostileState();
    made.classes.set(CLASS_HASH, executable);
    made.classHashes.set(CONTRACT, CLASS_HASH);
    return made;
  };
  const message = `This node cannot execute the transaction, and others may: ${text}`;
  const rejection = { kind: "rejected", error: { code: "UNSUPPORTED", message } };

  test("is rejected instead of included as reverted, as other nodes might not confirm it", () => {
    const executor = new BlockExecutor(vm, state(), block);
    expect(executor.execute(hostileInvoke([...IDLE, ...CALL]))).toMatchObject(rejection);
    expect(executor.stateDiff().nonces.size).toBe(0);
    // The executor remains usable.
    expect(executor.execute(hostileInvoke([...IDLE, ...IDLE])).kind).toBe("included");
  });

  test("is rejected if its validation reaches the code", () => {
    // Validation may not call other contracts, so the account itself has the code.
    const made = state();
    made.classHashes.set(HOSTILE, CLASS_HASH);
    const named = made.classes.get(CLASS_HASH);
    const validate = selectorFromName("__validate__");
    const renamed = withSelector(named ?? executable, validate);
    made.classes.set(CLASS_HASH, renamed);
    const outcome = validateTransaction(vm, made, block, hostileInvoke(IDLE));
    expect(outcome).toMatchObject(rejection);
  });

  test("fails in an estimate, and a call reports the reason", () => {
    const transaction = hostileInvoke([...IDLE, ...CALL]);
    const options = { skipValidate: true };
    expect(estimateFee(vm, state(), block, [{ transaction }], options)).toMatchObject({
      kind: "failed",
      index: 0,
      reason: message,
    });
    const call = { contractAddress: CONTRACT, entryPointSelector: GO, calldata: [] };
    const called = callContract(vm, state(), block, call);
    expect(called.kind === "failed" ? called.failure.text : called).toContain(text);
  });
});

/** Copy of a class with its only entry point under another selector. */
function withSelector(executable: ExecutableClass, selector: bigint): ExecutableClass {
  if (executable.casm === null) {
    const { program } = executable;
    const entryPoints = { ...program.entryPoints, EXTERNAL: [{ selector, offset: 0 }] };
    return { ...executable, program: { ...program, entryPoints } };
  }
  const { casm } = executable;
  const external = [{ selector, offset: 0, builtins: [] }];
  return {
    ...executable,
    casm: { ...casm, entryPoints: { ...casm.entryPoints, EXTERNAL: external } },
  };
}
