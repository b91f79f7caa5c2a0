import type { SierraClass } from "#protocol/chain/index.ts";
import { functionArgument, ProgramBuilder } from "./program-builder.ts";

/** Cells of the values in these programs: `2 ** LARGE`, half of the limit of a type. */
const LARGE = 14;

/** Builds a class in which calls at one statement return `count` values of 16 384 cells. */
export function largeResults(count = 3000): SierraClass {
  const program = new ProgramBuilder();
  const large = program.largeType(LARGE);
  const variables = Array.from({ length: count }, (_, i) => i);
  program.call(program.libfunc("function_call", functionArgument(1)), [], variables);
  program.ret();
  program.ret();
  program.func(0);
  program.func(
    2,
    [],
    variables.map(() => large),
  );
  return program.build();
}

/** Builds a class with a function of `count` parameters of 16 384 cells. */
export function largeParameters(count = 3000): SierraClass {
  const program = new ProgramBuilder();
  const large = program.largeType(LARGE);
  program.ret();
  program.func(
    0,
    Array.from({ length: count }, (_, i) => [large, i] as const),
  );
  return program.build();
}

/**
 * Builds a class with an enum of `count` variants of 16 384 cells: each branch of a match gets a
 * copy.
 */
export function largeVariants(count = 10_000): SierraClass {
  const program = new ProgramBuilder();
  const large = program.largeType(LARGE);
  const variants = Array.from({ length: count }, () => large);
  const type = program.type("Enum", "Large", ...variants);
  const align = program.libfunc("branch_align");
  program.fork(
    program.libfunc("enum_match", type),
    [0],
    variants.map((_, i) => [i === 0 ? undefined : 1 + 2 * i, 0]),
  );
  for (let i = 0; i < count; i++) {
    program.call(align);
    program.ret();
  }
  program.func(0, [[type, 0]]);
  return program.build();
}

/**
 * Builds a class that keeps `count` values of 16 384 cells alive while `ap` moves, each cell a sum
 * relative to `ap`: the compiler rewrites all at each move.
 */
export function movedCells(count = 60, moves = 30): SierraClass {
  const program = new ProgramBuilder();
  const felt = program.type("felt252");
  const store = program.libfunc("store_temp", felt);
  for (const variable of [0, 1]) program.call(store, [variable], [variable]);
  program.call(program.libfunc("felt252_add"), [0, 1], [3]);
  let type = felt;
  for (let i = 0; i < LARGE; i++) {
    program.call(program.libfunc("dup", type), [3], [3, 4]);
    type = program.type("Struct", "Tuple", type, type);
    program.call(program.libfunc("struct_construct", type), [3, 4], [3]);
  }
  const dup = program.libfunc("dup", type);
  for (let i = 1; i < count; i++) program.call(dup, [3], [3, 3 + i]);
  for (let i = 0; i < moves; i++) program.call(store, [2], [2]);
  program.ret();
  program.func(
    0,
    [0, 1, 2].map((variable) => [felt, variable]),
  );
  return program.build();
}

/**
 * Builds a class with `count` felts on the stack, whose `moves` statements each store the oldest
 * one again on top: all others move. It compiles.
 */
export function rotatedStack(count = 1000, moves = 64_000): SierraClass {
  const program = new ProgramBuilder();
  const felt = program.type("felt252");
  const store = program.libfunc("store_temp", felt);
  const dup = program.libfunc("dup", felt);
  const drop = program.libfunc("drop", felt);
  for (let i = 1; i <= count; i++) {
    program.call(dup, [0], [0, i]);
    program.call(store, [i], [i]);
  }
  for (let i = 0; i < moves; i++) program.call(store, [1 + (i % count)], [1 + (i % count)]);
  for (let i = 0; i <= count; i++) program.call(drop, [i]);
  program.ret();
  program.func(0, [[felt, 0]]);
  return program.build();
}

/**
 * Builds a class that processes a guarantee about two numbers of `limbs` limbs each limb by limb,
 * with code at each step that names every limb.
 */
export function manyLimbs(limbs = 16_383, steps = 4883): SierraClass {
  const program = new ProgramBuilder();
  const guarantee = (left: number): number => program.type("U96LimbsLtGuarantee", BigInt(left));
  program.type("U96Guarantee");
  const align = program.libfunc("branch_align");
  const failures = 2 * steps + 1;
  const whole = guarantee(limbs);
  for (let i = 0; i < steps; i++) {
    guarantee(limbs - i - 1);
    const verify = program.libfunc("u96_limbs_less_than_guarantee_verify", BigInt(limbs - i));
    program.fork(
      verify,
      [0],
      [
        [undefined, 0],
        [failures + 2 * i, 0],
      ],
    );
    program.call(align);
  }
  program.ret(0);
  for (let i = 0; i < steps; i++) {
    program.call(align);
    program.ret(0);
  }
  program.func(0, [[whole, 0]]);
  return program.build();
}
