import { describe, expect, test } from "bun:test";
import type { CellExpression } from "#engine/sierra/casm/cell-expression.ts";
import { apCell, deref, fpCell, immediate } from "#engine/sierra/casm/operand.ts";
import { CompileError } from "#engine/sierra/compile-error.ts";
import { typeArg } from "#engine/sierra/libfunc/arguments.ts";
import { userTypeArg } from "#engine/sierra/libfuncs/shared/types.ts";
import { STARKNET_LIBFUNCS } from "#engine/sierra/libfuncs/starknet/starknet.ts";
import { LibfuncWorld } from "../../../../helpers/sierra/libfunc-world.ts";

const GAS = [deref(fpCell(-12))];
const SYSTEM = fpCell(-11);
const RANGE_CHECK = [deref(fpCell(-13))];
const cellsOf = (count: number) => Array.from({ length: count }, (_, i) => deref(fpCell(-9 + i)));
const behind = (offset: number): CellExpression => ({
  kind: "double_deref",
  cell: SYSTEM,
  offset,
});
const pointer = (offset: number): CellExpression => ({
  kind: "bin_op",
  op: "add",
  a: SYSTEM,
  b: immediate(offset),
});

const PLAIN_TYPES = [
  "RangeCheck",
  "GasBuiltin",
  "System",
  "felt252",
  "u8",
  "u32",
  "ContractAddress",
  "ClassHash",
  "StorageAddress",
  "StorageBaseAddress",
];

function starknetWorld(): LibfuncWorld {
  const world = new LibfuncWorld();
  for (const id of PLAIN_TYPES) world.declare(id);
  const felts = world.wrap("Array", world.find("felt252"), {
    size: 2,
    info: { duplicatable: false },
  });
  const snapshot = world.wrap("Snapshot", felts, { size: 2 });
  const args = [userTypeArg("core::array::Span::<core::felt252>"), typeArg(snapshot)];
  world.declare("Struct", { args, size: 2 });
  return world;
}

function build(id: string, ...args: readonly (readonly CellExpression[])[]) {
  const world = starknetWorld();
  return world.build(world.make(STARKNET_LIBFUNCS, id), { args });
}

describe("system call libfuncs", () => {
  test("return gas, outputs and the pointer after the request", () => {
    const { outputs } = build(
      "storage_read_syscall",
      GAS,
      [deref(SYSTEM)],
      ...[[0], [1]].map(() => cellsOf(1)),
    );
    // Selector, gas, two inputs; gas and flag.
    expect(outputs[0]).toEqual([[behind(4)], [pointer(7)], [behind(6)]]);
    expect(outputs[1]).toEqual([[behind(4)], [pointer(8)], [behind(6), behind(7)]]);
  });

  test("return the failure after the flag if a call has no outputs", () => {
    const { outputs } = build("replace_class_syscall", GAS, [deref(SYSTEM)], cellsOf(1));
    expect(outputs.map((branch) => branch[1])).toEqual([[pointer(5)], [pointer(7)]]);
  });

  test("start the request with the name of the call and pass its start to the hint", () => {
    const { instructions } = build(
      "call_contract_syscall",
      GAS,
      [pointer(3)],
      cellsOf(1),
      cellsOf(1),
      cellsOf(2),
    );
    expect(instructions[0]?.body).toEqual({
      kind: "assert_eq",
      a: apCell(0),
      b: immediate(BigInt(`0x${Buffer.from("CallContract").toString("hex")}`)),
    });
    const hints = instructions.flatMap((each, i) => each.hints.map((hint) => ({ i, ...hint })));
    expect(hints).toEqual([
      { i: 7, name: "SystemCall", fields: [["system", { kind: "input", value: pointer(3) }]] },
    ] as never);
  });

  test.each([
    // Selector, gas, an input; gas, flag, and two cells of the response.
    [32_767 - 7, true],
    [32_767 - 6, false],
  ])("require all cells within 32767 of the pointer: %p", (offset, isTaken) => {
    const call = () => build("replace_class_syscall", GAS, [pointer(offset)], cellsOf(1));
    if (isTaken) expect(call).not.toThrow();
    else expect(call).toThrow(CompileError);
  });

  test("reject inputs that are not cells", () => {
    const call = () => build("replace_class_syscall", GAS, [deref(SYSTEM)], [immediate(1)]);
    expect(call).toThrow(CompileError);
  });
});

/** Handles of SHA states, and the boxes of their words. */
function shaWorld() {
  const world = starknetWorld();
  const boxes = ["u32", "u64"].map((id) => {
    const word = id === "u32" ? world.find(id) : world.declare(id);
    const tuple = (count: number) =>
      world.declare("Struct", {
        args: [userTypeArg("Tuple"), ...Array.from({ length: count }, () => typeArg(word))],
        size: count,
      });
    return { state: world.wrap("Box", tuple(8)), block: world.wrap("Box", tuple(16)) };
  });
  return { world, boxes };
}

describe("SHA libfuncs", () => {
  test.each([
    ["sha256", 0, "Sha256StateHandle", "Sha256ProcessBlock"],
    ["sha512", 1, "Sha512StateHandle", "Sha512ProcessBlock"],
  ] as const)(
    "%s_process_block takes and returns a state handle",
    (id, index, handleId, selector) => {
      const { world, boxes } = shaWorld();
      const handle = world.declare(handleId);
      const { state, block } = boxes[index] ?? { state: -1, block: -1 };
      const signatureOf = (name: string) => world.make(STARKNET_LIBFUNCS, name).signature;
      expect(signatureOf(`${id}_state_handle_init`)).toMatchObject({
        params: [state],
        branches: [{ variables: [{ type: handle }] }],
      });
      expect(signatureOf(`${id}_state_handle_digest`)).toMatchObject({
        params: [handle],
        branches: [{ variables: [{ type: state }] }],
      });
      const process = world.make(STARKNET_LIBFUNCS, `${id}_process_block_syscall`);
      expect(process.signature.params.slice(2)).toEqual([handle, block]);
      const args = [GAS, [deref(SYSTEM)], cellsOf(1), cellsOf(1)];
      expect(world.build(process, { args }).instructions[0]?.body).toMatchObject({
        b: immediate(BigInt(`0x${Buffer.from(selector).toString("hex")}`)),
      });
    },
  );
});

describe("address libfuncs", () => {
  test.each([
    ["class_hash_const", 2n ** 251n],
    ["contract_address_const", 2n ** 251n],
    ["storage_base_address_const", 2n ** 251n - 256n],
  ])("%s accepts values below its bound", (id, bound) => {
    const world = starknetWorld();
    const make = (value: bigint) => () =>
      world.make(STARKNET_LIBFUNCS, id, { kind: "value", value });
    expect(make(0n)).not.toThrow();
    expect(make(bound - 1n)).not.toThrow();
    expect(make(bound)).toThrow(CompileError);
    expect(make(-1n)).toThrow(CompileError);
  });

  test.each([
    "class_hash_try_from_felt252",
    "contract_address_try_from_felt252",
    "storage_address_try_from_felt252",
  ])("%s returns the felt itself", (id) => {
    const { outputs } = build(id, RANGE_CHECK, cellsOf(1));
    expect(outputs.map((branch) => branch.slice(1))).toEqual([[cellsOf(1)], []]);
  });

  test("storage_base_address_from_felt252 returns the address on top of the stack", () => {
    const { outputs } = build("storage_base_address_from_felt252", RANGE_CHECK, cellsOf(1));
    expect(outputs[0]?.[1]).toEqual([deref(apCell(-1))]);
  });

  test("storage_address_from_base_and_offset adds the offset", () => {
    const { outputs, instructions } = build("storage_address_from_base_and_offset", cellsOf(1), [
      immediate(7),
    ]);
    expect(instructions).toEqual([]);
    expect(outputs).toEqual([[[{ kind: "bin_op", op: "add", a: fpCell(-9), b: immediate(7) }]]]);
  });
});
