import type { SierraClass } from "#protocol/chain/index.ts";
import { createRandom } from "../random.ts";
import { functionArgument, ProgramBuilder } from "./program-builder.ts";

/**
 * A program of Sierra before 1.4.0 whose equations of `ap` are sparse with the solution 0, and
 * become dense when one is substituted into the others: time grows with the third power of the
 * diamonds, memory with the second.
 *
 * @param diamonds - branches that merge again, one equation each
 * @param callees - functions called on the branches, one variable each
 */
export function denseEquations(diamonds = 1600, callees = 800): SierraClass {
  const program = new DiamondProgram();
  const random = createRandom(1);
  const callee = (): number => 1 + random.below(callees);
  for (let i = 0; i < diamonds; i++) {
    // The equation is solved for the function that is called twice.
    const [left, right] = [callee(), callee()];
    program.diamond([left, left, callee()], [right, right, callee()]);
  }
  return program.build(callees);
}

/**
 * Like {@link denseEquations}, but for memory: a long equation is substituted into as many others
 * in a single step.
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

/** Branches that call functions with an unknown change of `ap`, and merge again. */
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

  /** Adds a branch; both sides make as many calls, so that the equation has no constant. */
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
    // The next equation starts here.
    program.call(disable);
    program.call(enable);
  }

  #calls(callees: readonly number[]): void {
    const program = this.#program;
    for (const id of callees) program.call(program.libfunc("function_call", functionArgument(id)));
  }

  /** Finishes the program with the called functions, 1 to `callees`. */
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
