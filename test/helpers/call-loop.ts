import type { CasmClass, ExecutableClass } from "#protocol/chain/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { type Felt, feltFromShortString } from "#base/primitives/index.ts";
import {
  classOf,
  encode,
  jumpIf,
  push,
  pushPlus,
  RETURN,
} from "#test/unit/engine/cairo/assembler.ts";

/** Address of the contract of {@link callLoopClass}. */
export const LOOP_CONTRACT = 0x100bn;

/**
 * Selectors of the entry points of {@link callLoopClass}: each takes an array of felts and ignores
 * it unless stated otherwise.
 */
export const LOOP_SELECTORS = {
  /** Returns its calldata. */
  echo: selectorFromName("echo"),
  /** Returns nothing. */
  sink: selectorFromName("sink"),
  /** Panics with its calldata. */
  fail: selectorFromName("fail"),
} as const;

const SYSCALL_HINT = (offset: number): unknown => ({
  SystemCall: { system: { Deref: { register: "AP", offset } } },
});

/** Bytecode with a known stack depth, so that cells can be addressed from the bottom. */
class Code {
  readonly words: bigint[] = [];
  readonly hints: Record<number, unknown[]> = {};
  depth = 0;

  push(value: bigint): number {
    this.words.push(...push(value));
    return this.depth++;
  }

  /** `[ap] = [fp + offset]; ap++` */
  argument(offset: number): number {
    this.words.push(encode({ off0: 0, off1: -1, off2: offset, flags: 0x480a }));
    return this.depth++;
  }

  plus(cell: number, value: bigint): number {
    this.words.push(...pushPlus(cell - this.depth, value));
    return this.depth++;
  }

  /** `[ap] = [[cell] + offset]; ap++` */
  load(cell: number, offset: number): number {
    this.words.push(encode({ off0: 0, off1: cell - this.depth, off2: offset, flags: 0x4800 }));
    return this.depth++;
  }

  copy(cell: number): number {
    return this.plus(cell, 0n);
  }

  /** `assert [value] = [[pointer] + offset]`, which writes the cell. */
  store(pointer: number, offset: number, value: number): void {
    const { depth } = this;
    this.words.push(
      encode({ off0: value - depth, off1: pointer - depth, off2: offset, flags: 0x4000 }),
    );
  }

  hint(hint: unknown): void {
    (this.hints[this.words.length] ??= []).push(hint);
  }
}

/** Pushes the return values of an entry point. */
function finish(code: Code, gas: number, system: number, panics: boolean, data: boolean): void {
  code.copy(gas);
  code.copy(system);
  code.push(panics ? 1n : 0n);
  code.argument(-4);
  code.argument(data ? -3 : -4);
  code.words.push(...RETURN);
}

function simple(code: Code, panics: boolean, data: boolean): number {
  const at = code.words.length;
  code.depth = 0;
  const gas = code.argument(-6);
  const system = code.argument(-5);
  finish(code, gas, system, panics, data);
  return at;
}

/** Makes the same call `count` times with its own calldata, and returns nothing. */
function loop(code: Code, count: bigint, address: Felt, selector: Felt): number {
  const at = code.words.length;
  code.depth = 0;
  const counter = code.push(count);
  const gas = code.argument(-6);
  const system = code.argument(-5);
  const start = code.words.length;
  code.store(system, 0, code.push(feltFromShortString("CallContract")));
  code.store(system, 1, gas);
  code.store(system, 2, code.push(address));
  code.store(system, 3, code.push(selector));
  code.store(system, 4, code.argument(-4));
  code.store(system, 5, code.argument(-3));
  code.hint(SYSCALL_HINT(system - code.depth));
  const nextGas = code.load(system, 6);
  code.plus(counter, -1n);
  code.copy(nextGas);
  code.plus(system, 10n);
  code.words.push(...jumpIf(-3, start - code.words.length));
  finish(code, code.depth - 2, code.depth - 1, false, false);
  return at;
}

/** A loop of inner calls, by the called selector of {@link LOOP_SELECTORS}. */
export interface CallLoop {
  readonly name: string;
  readonly count: number;
  readonly target: keyof typeof LOOP_SELECTORS;
}

/**
 * A Cairo 1 class without builtins whose entry points call each other in loops, as handwritten
 * programs could. The class is metered by gas.
 */
export function callLoopClass(loops: readonly CallLoop[], classHash = 0xc1a55n): ExecutableClass {
  const code = new Code();
  const entries: [Felt, number][] = [
    [LOOP_SELECTORS.echo, simple(code, false, true)],
    [LOOP_SELECTORS.sink, simple(code, false, false)],
    [LOOP_SELECTORS.fail, simple(code, true, true)],
  ];
  for (const { name, count, target } of loops) {
    const selector = LOOP_SELECTORS[target];
    entries.push([selectorFromName(name), loop(code, BigInt(count), LOOP_CONTRACT, selector)]);
  }
  const casm: CasmClass = {
    ...classOf(code.words, code.hints as Record<number, readonly unknown[]>),
    entryPoints: {
      EXTERNAL: entries
        .map(([selector, offset]) => ({ selector, offset, builtins: [] }))
        .sort((a, b) => (a.selector < b.selector ? -1 : 1)),
      L1_HANDLER: [],
      CONSTRUCTOR: [],
    },
  };
  return {
    classHash,
    casm,
    sierraVersion: [1, 7, 0],
    sierraProgramLength: code.words.length,
    abiLength: 2,
  };
}
