import { type Assembly, cell, fp } from "./assembly.ts";
import { allocate, beginning, type Loop, RECORD, requireGas, type Round } from "./loops.ts";
import { makeSyscall } from "./syscalls.ts";

/** Gas of a felt of the array: four steps. */
const FELT_GAS = 400n;

/** Writes an array of `c` felts, `c` to 1, and keeps its ends; `c` must not be 0. */
function writeArray(assembly: Assembly, name: string): Round {
  const cost = cell(assembly.multiply(RECORD.c, FELT_GAS));
  const needed = { Deref: { register: "AP", offset: -1 } };
  requireGas(assembly, beginning(), needed, `${name}.array.paid`);
  const { gas } = beginning();
  const gasLeft = assembly.sum(gas, cell(assembly.multiply(cost, -1n)));
  const start = allocate(assembly);
  assembly.copy(cell(start));
  assembly.copy(RECORD.c);
  assembly.label(`${name}.array`);
  assembly.begin(2);
  const [at, left] = [cell(0), cell(1)];
  assembly.store(at, 0, left);
  const end = assembly.add(at, 1n);
  assembly.jumpIf(cell(assembly.add(left, -1n)), `${name}.array`);
  // The position of ap is unknown: cells before the loop are addressed from the frame pointer.
  return { ...beginning([fp(start), cell(end)]), gas: fp(gasLeft) };
}

/** Calls `b` of the contract `a`, `count` times, each time with all of an array of `c` felts. */
export const CALL_WITH_ARRAY: Loop = {
  name: "call_with_array",
  begin: (assembly) => writeArray(assembly, "call_with_array"),
  round(assembly, round) {
    const request = [RECORD.a, RECORD.b, ...round.own];
    const syscall = { selector: "CallContract", request, answer: 2 };
    return makeSyscall(assembly, round, "call_with_array", syscall).round;
  },
};
