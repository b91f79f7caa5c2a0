import type { SierraClass } from "#protocol/chain/index.ts";
import { createRandom } from "../random.ts";
import { functionArgument, ProgramBuilder } from "./program-builder.ts";

/**
 * A program of Sierra before 1.4.0 whose equations of `ap` are sparse and have the solution 0, and become
 * dense when one is put into the others: the work is of the order of the third power of the diamonds, the
 * memory of the second.
 *
 * @param diamonds - branches that meet again, an equation each
 * @param callees - functions that their ways call, a variable each
 */
export function denseEquations(diamonds = 1600, callees = 800): SierraClass {
  const program = new DiamondProgram();
  const random = createRandom(1);
  const callee = (): number => 1 + random.below(callees);
  for (let i = 0; i < diamonds; i++) {
    // What is called twice is what the equation is solved for.
    const [left, right] = [callee(), callee()];
    program.diamond([left, left, callee()], [right, right, callee()]);
  }
  return program.build(callees);
}

/**
 * As {@link denseEquations}, but memory is the aim: a long equation is put into as many others at once.
 *
 * @param length - terms of the long equation, and number of the others
 */
export function longEquation(length = 4400): SierraClass {
  const program = new DiamondProgram();
  const others = Array.from({ length }, (_, i) => i + 2);
  program.diamond(
    others.map(() => 1),
    others,
  );
  for (const other of others) program.diamond([1], [other]);
  return program.build(length + 1);
}

/** Branches whose ways call functions of which nobody knows how far they move `ap`, and meet again. */
class DiamondProgram {
  readonly #program = new ProgramBuilder();
  readonly #felt = this.#program.type("felt252");
  readonly #libfuncs: Readonly<Record<"fork" | "align" | "jump" | "disable" | "enable", number>>;

  constructor() {
    const program = this.#program;
    program.type("NonZero", this.#felt);
    this.#libfuncs = {
      fork: program.libfunc("felt252_is_zero"),
      align: program.libfunc("branch_align"),
      jump: program.libfunc("jump"),
      disable: program.libfunc("disable_ap_tracking"),
      enable: program.libfunc("enable_ap_tracking"),
    };
  }

  /** Adds a branch; both ways make as many calls, so that the equation has no constant. */
  diamond(left: readonly number[], right: readonly number[]): void {
    const { fork, align, jump, disable, enable } = this.#libfuncs;
    const program = this.#program;
    const other = program.next + left.length + 3;
    program.fork(fork, [0], [[undefined], [other, 0]]);
    program.call(align);
    this.#calls(left);
    program.fork(jump, [], [[other + right.length + 1]]);
    program.call(align);
    this.#calls(right);
    // The next equation begins anew.
    program.call(disable);
    program.call(enable);
  }

  #calls(callees: readonly number[]): void {
    const program = this.#program;
    for (const id of callees) program.call(program.libfunc("function_call", functionArgument(id)));
  }

  /** Ends the program with the functions that are called, 1 to `callees`. */
  build(callees: number): SierraClass {
    const program = this.#program;
    program.ret();
    program.func(0, [[this.#felt, 0]]);
    for (let i = 0; i < callees; i++) {
      program.func(program.next);
      program.call(this.#libfuncs.disable);
      program.ret();
    }
    return program.build("1.3.0");
  }
}
