import { feltFromShortString } from "#base/primitives/index.ts";
import { type Assembly, type Cell, cell, fp } from "./assembly.ts";

/** Arguments of an entry point, before its frame; builtins in the machine's order. */
export const ARGUMENTS = {
  pedersen: fp(-11),
  rangeCheck: fp(-10),
  bitwise: fp(-9),
  ecOp: fp(-8),
  poseidon: fp(-7),
  gas: fp(-6),
  syscalls: fp(-5),
  calldata: fp(-4),
  calldataEnd: fp(-3),
} as const;

/** Members of the running record, at the start of the frame; `tail` is the rest of the calldata. */
export const RECORD = {
  start: fp(0),
  operation: fp(1),
  count: fp(2),
  a: fp(3),
  b: fp(4),
  c: fp(5),
  fails: fp(6),
  tail: fp(7),
} as const;

/** Cells at the start of the frame that the dispatch has written. */
export const FRAME_CELLS = 10;

/** Gas of a round of a loop, in addition to its syscall or builtin. */
const ROUND_GAS = 2_500n;

/** State between rounds: gas, the next syscall's place, and cells of the loop. */
export interface Round {
  readonly gas: Cell;
  readonly syscalls: Cell;
  readonly own: readonly Cell[];
}

/** A loop that is run `count` times. */
export interface Loop {
  readonly name: string;
  /** Gas of builtins that a round uses. */
  readonly gas?: bigint;
  /** Emits code before the first round. Default: no cells. */
  begin?(assembly: Assembly): Round;
  /** One round. @param counter - counts down to 1 */
  round(assembly: Assembly, round: Round, counter: Cell): Round;
  /**
   * Emits code after the last round, instead of returning `VALID` (or panicking with `asked to
   * fail`).
   */
  end?(assembly: Assembly, round: Round): void;
}

/** Initial state of an operation. */
export function beginning(own: readonly Cell[] = []): Round {
  return { gas: ARGUMENTS.gas, syscalls: ARGUMENTS.syscalls, own };
}

/** Returns (flag 0) or panics (flag 1) with the array from `start` to `end`. */
export function leave(
  assembly: Assembly,
  { gas, syscalls }: Round,
  flag: 0n | 1n,
  start: Cell,
  end: Cell,
): void {
  for (const part of [gas, syscalls]) assembly.copy(part);
  assembly.push(flag);
  assembly.copy(start);
  assembly.copy(end);
  assembly.ret();
}

/** Like {@link leave}, with an array of one short string. */
export function leaveWith(assembly: Assembly, round: Round, flag: 0n | 1n, word: string): void {
  const start = cell(allocate(assembly));
  assembly.store(start, 0, cell(assembly.push(feltFromShortString(word))));
  leave(assembly, round, flag, start, cell(assembly.add(start, 1n)));
}

/** Pushes the address of a new segment. */
export function allocate(assembly: Assembly): number {
  const { top } = assembly;
  assembly.hint({ AllocSegment: { dst: assembly.reference(cell(top)) } });
  assembly.advance(1);
  return top;
}

/** Continues at `label` if `gas` is at least `needed`, otherwise panics. */
export function requireGas(assembly: Assembly, round: Round, needed: unknown, label: string): void {
  const { top } = assembly;
  assembly.hint({
    TestLessThanOrEqual: {
      lhs: needed,
      rhs: { Deref: assembly.reference(round.gas) },
      dst: assembly.reference(cell(top)),
    },
  });
  assembly.jumpIf(cell(top), label, true);
  leaveWith(assembly, round, 1n, "Out of gas");
  assembly.label(label);
  assembly.begin(top + 1);
}

/** Emits a loop under its name. */
export function emitLoop(assembly: Assembly, loop: Loop): void {
  const { name } = loop;
  assembly.label(name);
  assembly.begin(FRAME_CELLS);
  const first = loop.begin?.(assembly) ?? beginning();
  const state = (round: Round): readonly Cell[] => [...round.own, round.gas, round.syscalls];
  for (const part of state(first)) assembly.copy(part);
  assembly.copy(RECORD.count);

  assembly.label(`${name}.head`);
  const own = first.own.length;
  assembly.begin(own + 3);
  const round: Round = {
    gas: cell(own),
    syscalls: cell(own + 1),
    own: first.own.map((_, index) => cell(index)),
  };
  const counter = cell(own + 2);
  assembly.jumpIf(counter, `${name}.round`);
  if (loop.end === undefined) finish(assembly, round, name);
  else loop.end(assembly, round);

  assembly.label(`${name}.round`);
  assembly.begin(own + 3);
  const cost = ROUND_GAS + (loop.gas ?? 0n);
  requireGas(assembly, round, { Immediate: `0x${cost.toString(16)}` }, `${name}.paid`);
  const gas = cell(assembly.add(round.gas, -cost));
  const next = loop.round(assembly, { ...round, gas }, counter);
  for (const part of state(next)) assembly.copy(part);
  assembly.add(counter, -1n);
  assembly.jump(`${name}.head`);
}

/** Returns `VALID`, or panics if the record requests it. */
export function finish(assembly: Assembly, round: Round, name: string): void {
  const { top } = assembly;
  assembly.jumpIf(RECORD.fails, `${name}.fails`);
  leaveWith(assembly, round, 0n, "VALID");
  assembly.label(`${name}.fails`);
  assembly.begin(top);
  leaveWith(assembly, round, 1n, "asked to fail");
}
