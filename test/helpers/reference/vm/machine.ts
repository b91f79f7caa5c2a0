import type { CasmClass } from "#protocol/chain/index.ts";
import { FieldKernel } from "#kernels/field/index.ts";
import { BUILTIN_CELLS, deduce } from "./builtins.ts";
import { Hints } from "./hints.ts";
import {
  integer,
  Memory,
  type Pointer,
  pointer,
  ReferenceFailure,
  Unsupported,
  type Value,
} from "./memory.ts";
import { type Registers, step } from "./step.ts";

/** A call for the reference machine; no syscalls. */
export interface ReferenceCall {
  readonly casm: CasmClass;
  readonly entryPointOffset: number;
  readonly builtins: readonly string[];
  readonly gas: bigint;
  readonly calldata: readonly bigint[];
  readonly builtinCosts: readonly bigint[];
  readonly maxSteps: number;
}

/** Result of a call on the reference machine. */
export type ReferenceOutcome =
  | {
      readonly kind: "returned";
      readonly panicked: boolean;
      readonly retdata: readonly bigint[];
      readonly gasLeft: bigint;
      readonly steps: number;
      readonly holes: number;
      readonly builtins: Readonly<Record<string, number>>;
    }
  | {
      readonly kind: "failed";
      readonly message: string;
      /** Formatted as `segment:offset`. */
      readonly pc: string;
      readonly steps: number;
    }
  | { readonly kind: "unsupported"; readonly reason: string }
  /** The program ended without five returned cells. */
  | { readonly kind: "refused" };

const RETURN_CELLS = 5;

let field: FieldKernel | undefined;

/**
 * The Cairo machine in BigInt arithmetic and plain maps, written for comparison: no speed, no error
 * texts, no modular builtins, no syscalls.
 */
export function runReference(call: ReferenceCall): ReferenceOutcome {
  const memory = new Memory();
  const registers: Registers = { pc: { segment: 0, offset: call.entryPointOffset }, ap: 0, fp: 0 };
  field ??= new FieldKernel();
  const hints = new Hints(memory, registers, field);
  const setUp = prepare(memory, call);
  registers.ap = setUp.stackSize;
  registers.fp = setUp.stackSize;
  let steps = 0;
  try {
    while (registers.pc.segment !== setUp.endSegment) {
      if (steps === call.maxSteps) throw new ReferenceFailure("out of steps");
      for (const hint of call.casm.hints.get(registers.pc.offset) ?? []) {
        if (!hints.execute(hint)) throw new Unsupported(JSON.stringify(hint));
      }
      step(memory, registers, (at) => deduce(memory, setUp.names.get(at.segment) ?? "", at));
      steps++;
    }
  } catch (error) {
    if (error instanceof Unsupported) return { kind: "unsupported", reason: error.message };
    if (!(error instanceof ReferenceFailure) && !(error instanceof RangeError)) throw error;
    const { segment, offset } = registers.pc;
    return { kind: "failed", message: error.message, pc: `${segment}:${offset}`, steps };
  }
  try {
    return result(memory, registers, setUp, steps);
  } catch (error) {
    if (error instanceof ReferenceFailure) return { kind: "refused" };
    throw error;
  }
}

interface SetUp {
  readonly names: ReadonlyMap<number, string>;
  readonly stackSize: number;
  readonly endSegment: number;
  /** Segments that must not grow, with their lengths. */
  readonly readOnly: ReadonlyMap<number, number>;
}

function prepare(memory: Memory, call: ReferenceCall): SetUp {
  const fill = (segment: number, values: readonly Value[]): Pointer => {
    for (const [offset, value] of values.entries()) memory.set({ segment, offset }, value);
    return { segment, offset: 0 };
  };
  memory.addSegment();
  memory.addSegment();
  const names = new Map<number, string>();
  const stack: Value[] = [];
  for (const name of call.builtins) {
    const infos = name === "segment_arena" ? memory.addSegment() : 0;
    const segment = memory.addSegment();
    names.set(segment, name);
    if (name === "range_check") memory.bounds.set(segment, 1n << 128n);
    if (name === "range_check96") memory.bounds.set(segment, 1n << 96n);
    if (infos > 0) fill(segment, [{ segment: infos, offset: 0 }, 0n, 0n]);
    stack.push({ segment, offset: infos > 0 ? 3 : 0 });
  }
  const costs = memory.addSegment();
  fill(costs, call.builtinCosts);
  fill(0, [...call.casm.bytecode, 0x208b7fff7fff7ffen, { segment: costs, offset: 0 }]);
  const syscalls = memory.addSegment();
  const calldata = memory.addSegment();
  fill(calldata, call.calldata);
  stack.push(call.gas, { segment: syscalls, offset: 0 }, { segment: calldata, offset: 0 });
  stack.push({ segment: calldata, offset: call.calldata.length });
  for (let i = 0; i < stack.length; i++) memory.accessed[1]?.add(i);
  const endSegment = memory.addSegment();
  stack.push(0n, { segment: endSegment, offset: 0 });
  fill(1, stack);
  const readOnly = new Map([
    [costs, call.builtinCosts.length],
    [calldata, call.calldata.length],
  ]);
  return { names, stackSize: stack.length, endSegment, readOnly };
}

function result(
  memory: Memory,
  registers: Registers,
  setUp: SetUp,
  steps: number,
): ReferenceOutcome {
  const returned = (back: number): Value | undefined =>
    memory.get({ segment: 1, offset: registers.ap - back });
  const gasLeft = integer(returned(5));
  const flag = integer(returned(3));
  if (gasLeft >= 1n << 64n || flag > 1n) throw new ReferenceFailure("malformed return data");
  const start = pointer(returned(2));
  const end = pointer(returned(1));
  // cairo-vm has no difference of pointers into two segments (MathError::RelocatableSubDiffIndex).
  if (start.segment !== end.segment) throw new ReferenceFailure("return data in two segments");
  const retdata: bigint[] = [];
  for (let { offset } = start; offset < end.offset; offset++) {
    retdata.push(integer(memory.get({ segment: start.segment, offset })));
  }
  for (const [segment, size] of setUp.readOnly) {
    for (let offset = 0; offset < size; offset++) memory.mark({ segment, offset });
  }
  const counted = memory.sizes.keys().filter((index) => index > 0 && !setUp.names.has(index));
  const builtins: Record<string, number> = {};
  const listed = [...setUp.names.entries()];
  for (const [index, [segment, name]] of listed.entries()) {
    if (name === "range_check96") {
      // Unused cells up to the returned pointer are filled.
      const stop = pointer(returned(RETURN_CELLS + listed.length - index));
      memory.sizes[segment] = stop.offset;
    }
    const used = (memory.sizes[segment] ?? 0) - (name === "segment_arena" ? 3 : 0);
    if (used > 0) builtins[name] = Math.ceil(used / (BUILTIN_CELLS[name]?.[0] ?? 1));
  }
  return {
    kind: "returned",
    panicked: flag === 1n,
    retdata,
    gasLeft,
    steps,
    holes: memory.holes([...counted]),
    builtins,
  };
}
