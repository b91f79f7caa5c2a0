import { type Assembly, type Cell, cell, fp } from "./assembly.ts";
import {
  allocate,
  ARGUMENTS,
  beginning,
  emitLoop,
  finish,
  FRAME_CELLS,
  leave,
  type Loop,
  RECORD,
  requireGas,
} from "./loops.ts";

/** Gas of one level of {@link emitRecursion}. */
const LEVEL_GAS = 500n;
/** Cells that a round of `stack_holes` skips. */
const HOLE_CELLS = 20_000;

/** A loop over instances of a builtin: `inputs` cells are written, the cell `output` is read. */
function builtinLoop(
  name: string,
  builtin: Cell,
  gas: bigint,
  size: number,
  output: number,
  inputs: (assembly: Assembly, counter: Cell) => readonly Cell[],
): Loop {
  return {
    name,
    gas,
    begin: () => beginning([builtin]),
    round(assembly, round, counter) {
      const [pointer = builtin] = round.own;
      for (const [index, input] of inputs(assembly, counter).entries()) {
        assembly.store(pointer, index, input);
      }
      assembly.load(pointer, output);
      return { ...round, own: [cell(assembly.add(pointer, BigInt(size)))] };
    },
  };
}

/** A loop of ec_op instances in which each result is the next point to multiply. */
const ecOpChain: Loop = {
  name: "ec_op_chain",
  gas: 4_085n,
  begin(assembly) {
    const [x, y] = [2, 3].map((index) => cell(assembly.load(RECORD.tail, index)));
    return beginning([ARGUMENTS.ecOp, x as Cell, y as Cell]);
  },
  round(assembly, round) {
    const [pointer = ARGUMENTS.ecOp, x = pointer, y = pointer] = round.own;
    const [px, py, m] = [0, 1, 4].map((index) => cell(assembly.load(RECORD.tail, index)));
    for (const [index, input] of [px, py, x, y, m].entries()) {
      assembly.store(pointer, index, input as Cell);
    }
    const result = [5, 6].map((index) => cell(assembly.load(pointer, index)));
    return { ...round, own: [cell(assembly.add(pointer, 7n)), ...result] };
  },
};

/** A loop that writes cells of a new segment; `end` gets its start and current end. */
function fillLoop(
  name: string,
  step: bigint | Cell,
  end?: (assembly: Assembly, round: ReturnType<typeof beginning>, name: string) => void,
): Loop {
  return {
    name,
    begin(assembly) {
      const start = cell(allocate(assembly));
      return beginning([start, start]);
    },
    round(assembly, round, counter) {
      const [start = RECORD.a, at = RECORD.a] = round.own;
      assembly.store(at, 0, counter);
      const next = typeof step === "bigint" ? assembly.add(at, step) : assembly.sum(at, step);
      return { ...round, own: [start, cell(next)] };
    },
    ...(end === undefined
      ? {}
      : {
          end: (assembly: Assembly, round: ReturnType<typeof beginning>) =>
            end(assembly, round, name),
        }),
  };
}

/** Loops that load the machine and its memory; README.md describes `a`, `b` and the tail. */
export const MACHINE_LOOPS: readonly Loop[] = [
  { name: "steps", round: (_, round) => round },
  builtinLoop("pedersen", ARGUMENTS.pedersen, 4_050n, 3, 2, (_, counter) => [counter, counter]),
  builtinLoop("poseidon", ARGUMENTS.poseidon, 491n, 6, 3, (_, n) => [n, n, n]),
  builtinLoop("bitwise", ARGUMENTS.bitwise, 583n, 5, 2, (_, counter) => [counter, counter]),
  builtinLoop("ec_op", ARGUMENTS.ecOp, 4_085n, 7, 5, (assembly) =>
    [0, 1, 2, 3, 4].map((index) => cell(assembly.load(RECORD.tail, index))),
  ),
  ecOpChain,
  {
    name: "stack_holes",
    round(assembly, round) {
      assembly.advance(HOLE_CELLS);
      return round;
    },
  },
  {
    name: "segments",
    round(assembly, round) {
      allocate(assembly);
      return round;
    },
  },
  fillLoop("sparse_segment", RECORD.a),
  fillLoop("return_data", 1n, (assembly, round) => {
    const [start = RECORD.a, end = RECORD.a] = round.own;
    leave(assembly, round, 0n, start, end);
  }),
  fillLoop("panic_data", 1n, (assembly, round) => {
    const [start = RECORD.a, end = RECORD.a] = round.own;
    leave(assembly, round, 1n, start, end);
  }),
  {
    ...fillLoop("squash", 3n, (assembly, round, name) => {
      const [start = RECORD.a] = round.own;
      const { top } = assembly;
      assembly.hint({
        InitSquashData: {
          dict_accesses: { Deref: assembly.reference(start) },
          ptr_diff: { Deref: assembly.reference(RECORD.count) },
          n_accesses: { Deref: assembly.reference(RECORD.count) },
          big_keys: assembly.reference(cell(top)),
          first_key: assembly.reference(cell(top + 1)),
        },
      });
      assembly.advance(2);
      finish(assembly, round, name);
    }),
  },
];

/** `recursion`: a chain of `count` calls inside of one run. */
export function emitRecursion(assembly: Assembly): void {
  assembly.label("recursion");
  assembly.begin(FRAME_CELLS);
  const cost = cell(assembly.multiply(RECORD.count, LEVEL_GAS));
  const needed = { Deref: { register: "AP", offset: -1 } };
  requireGas(assembly, beginning(), needed, "recursion.paid");
  const negative = cell(assembly.multiply(cost, -1n));
  const gasSlot = assembly.sum(ARGUMENTS.gas, negative);
  assembly.copy(RECORD.count);
  assembly.call("recursion.level");
  // The position of ap is unknown: only cells addressed from the frame pointer are valid.
  const gas = cell(assembly.copy(fp(gasSlot)));
  finish(assembly, { ...beginning(), gas }, "recursion");

  assembly.label("recursion.level");
  assembly.begin(0);
  assembly.jumpIf(fp(-3), "recursion.deeper");
  assembly.ret();
  assembly.label("recursion.deeper");
  assembly.add(fp(-3), -1n);
  assembly.call("recursion.level");
  assembly.ret();
}

/** Emits all loops of this file. */
export function emitMachineLoops(assembly: Assembly): void {
  for (const loop of MACHINE_LOOPS) emitLoop(assembly, loop);
  emitRecursion(assembly);
}
