import type { SierraClass } from "#protocol/chain/index.ts";
import { functionArgument, ProgramBuilder } from "./program-builder.ts";

/** Number of constants used in turn: together they have more cells than the compiler caches. */
const CONSTANTS = 520;

/** Each of them has `2 ** CONSTANT_POWER` cells and one. */
const CONSTANT_POWER = 9;

/**
 * Builds a class whose statements use constants in turn, each with `parts` parts without cells:
 * visiting all parts each time takes parts times statements. It is a valid program.
 */
export function copiedConstants(parts = 150_000, statements = 40_000): SierraClass {
  const program = new ProgramBuilder();
  const unit = program.type("Struct", "Tuple");
  const nothing = program.type("Const", unit);
  const felt = program.type("felt252");
  const wide = program.type("Struct", "Wide", ...Array.from({ length: parts }, () => unit));
  const wideValue = program.type("Const", wide, ...Array.from({ length: parts }, () => nothing));
  let cells = felt;
  let cellsValue = program.type("Const", felt, 0n);
  for (let i = 0; i < CONSTANT_POWER; i++) {
    cells = program.type("Struct", "Tuple", cells, cells);
    cellsValue = program.type("Const", cells, cellsValue, cellsValue);
  }
  const type = program.type("Struct", "Constant", wide, felt, cells);
  const drop = program.libfunc("drop", type);
  const constants = Array.from({ length: CONSTANTS }, (_, i) => {
    const number = program.type("Const", felt, BigInt(i));
    const value = program.type("Const", type, wideValue, number, cellsValue);
    return program.libfunc("const_as_immediate", value);
  });
  for (let i = 0; i < statements; i++) {
    const constant = constants[i % CONSTANTS];
    if (constant === undefined) continue;
    program.call(constant, [], [0]);
    program.call(drop, [0]);
  }
  program.ret();
  program.func(0);
  return program.build();
}

/**
 * Builds a class with as many functions as fit, without parameters and results, all of them one
 * statement: three words each.
 */
export function manyFunctions(count = 845_000): SierraClass {
  const program = new ProgramBuilder();
  program.ret();
  for (let i = 0; i < count; i++) program.func(0);
  return program.build();
}

/**
 * Builds a class with nested types, constants, gates and function calls, all `depth` deep:
 * recursive code runs out of stack. It is a valid program.
 */
export function deepDeclarations(depth = 8000): SierraClass {
  const program = new ProgramBuilder();
  let type = program.type("felt252");
  let value = program.type("Const", type, 1n);
  const input = program.type("CircuitInput", 0n);
  let gate = input;
  for (let i = 0; i < depth; i++) {
    type = program.type("Struct", "Tuple", type);
    value = program.type("Const", type, value);
    gate = program.type("AddModGate", gate, input);
  }
  program.type("Circuit", program.type("Struct", "Tuple", gate));
  program.call(program.libfunc("const_as_immediate", value), [], [0]);
  program.call(program.libfunc("drop", type), [0]);
  for (let i = 1; i <= depth; i++) {
    program.call(program.libfunc("function_call", functionArgument(i)));
    program.ret();
  }
  program.ret();
  program.func(0);
  for (let i = 1; i <= depth; i++) program.func(2 * i + 2);
  return program.build();
}

/** Builds a valid class whose code is long for its program: `copies` times 1,024 felts and one. */
export function longCode(copies: number): SierraClass {
  const program = new ProgramBuilder();
  let cells = program.type("felt252");
  let value = program.type("Const", cells, 7n);
  for (let i = 0; i < CONSTANT_POWER; i++) {
    cells = program.type("Struct", "Tuple", cells, cells);
    value = program.type("Const", cells, value, value);
  }
  const constant = program.libfunc("const_as_immediate", value);
  const store = program.libfunc("store_temp", cells);
  const drop = program.libfunc("drop", cells);
  for (let i = 0; i < copies; i++) {
    program.call(constant, [], [0]);
    program.call(store, [0], [0]);
    program.call(drop, [0]);
  }
  program.ret();
  program.func(0);
  return program.build();
}
