import type { CasmClass } from "#protocol/chain/index.ts";
import { classOf, encode, felt, jump, jumpIf, push, pushPlus, pushSum } from "./assembler.ts";

/** `ap += cells` */
export function advance(cells: number): bigint[] {
  return [encode({ off0: -1, off1: -1, off2: 1, flags: 0x0407 }), felt(BigInt(cells))];
}

/** `[fp + offset] = value` */
export function writeFp(offset: number, value: bigint): bigint[] {
  return [encode({ off0: offset, off1: -1, off2: 1, flags: 0x4007 }), value];
}

/** Repeats `ap += 30000; [ap] = 1; ap++` forever: three steps for 30 001 cells. */
export const PASSING_OVER = classOf([...advance(30_000), ...push(1n), ...jump(-4)]);

/** Number of steps after which {@link PASSING_OVER} spans `cells` cells. */
export function stepsFor(cells: number): number {
  return Math.ceil(cells / 30_001) * 3;
}

/** Number of steps after which {@link FILLING} has written `cells` cells. */
export function fillingSteps(cells: number): number {
  return cells * 2;
}

/**
 * Fibonacci in the field with a counter: four steps a round, three cells, one sum of large felts.
 */
export const FIBONACCI = classOf([
  ...push(1n),
  ...push(1n),
  ...push(10n ** 9n),
  ...pushPlus(-2, 0n),
  ...pushSum(-4, -3),
  ...pushPlus(-3, felt(-1n)),
  ...jumpIf(-1, -5),
]);

/** Repeats `[ap] = 1; ap++` forever: two steps for a cell. */
export const FILLING = classOf([...push(1n), ...jump(-2)]);

const cell = (offset: number): unknown => ({ Deref: { register: "AP", offset } });

/** `[ap + dst] = [[ap + op0] + offset]`, with `ap++` if `increments`. */
function dereference(dst: number, op0: number, offset: number, increments: boolean): bigint {
  return encode({ off0: dst, off1: op0, off2: offset, flags: increments ? 0x4800 : 0x4000 });
}

/**
 * Sets keys of a dictionary from `keys` down to 1, again and again: six steps a round, three
 * cells on the stack and three in the dictionary. Needs the builtin segment_arena.
 */
export function settingKeys(keys: bigint): CasmClass {
  const arena = { Deref: { register: "FP", offset: -7 } };
  const start = [
    // The arena's infos, the first of which starts with the address of the dictionary.
    encode({ off0: 0, off1: -7, off2: -3, flags: 0x4802 }),
    dereference(0, -1, 0, true),
    ...push(keys),
  ];
  const round = [
    // [dictionary] = key; [ap] = key + 7; [dictionary + 2] = [ap]; next entry's address; key - 1.
    dereference(-1, -2, 0, false),
    ...pushPlus(-1, 7n),
    dereference(-1, -3, 2, false),
    ...pushPlus(-3, 3n),
    ...pushPlus(-3, felt(-1n)),
  ];
  const update = start.length + 4;
  const loop = [...round, ...jumpIf(-1, -round.length)];
  const again = [...pushPlus(-2, 0n), ...push(keys)];
  const bytecode = [...start, ...loop, ...again, ...jump(-loop.length - again.length)];
  return classOf(bytecode, {
    0: [{ AllocFelt252Dict: { segment_arena_ptr: arena } }],
    [start.length]: [{ Felt252DictEntryInit: { dict_ptr: cell(-2), key: cell(-1) } }],
    [update + 2]: [{ Felt252DictEntryUpdate: { dict_ptr: cell(-1), value: cell(-2) } }],
  });
}
