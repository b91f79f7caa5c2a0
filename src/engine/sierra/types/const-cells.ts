import { CompileError } from "../compile-error.ts";
import type { GenericArgument } from "../program/program.ts";
import type { ConcreteType } from "./concrete-type.ts";
import { variantSelector } from "./variant-selector.ts";

/** A constant that is being written: where it began, and what of it is still to be written. */
interface Open {
  readonly type: number;
  readonly start: number;
  readonly parts: readonly number[];
  next: number;
}

/**
 * The cells of the value of a constant type, as its program states them: negative numbers are so.
 *
 * Each constant is written once; where it occurs again its cells are copied, so that the work is of
 * the order of the program and the cells.
 *
 * @param spend - called with the parts and cells that are gone through
 * @throws {CompileError} SIERRA_INVALID when the type is no constant, or contains itself
 */
export function constCells(
  types: readonly ConcreteType[],
  sizes: readonly number[],
  type: number,
  spend: (steps: number) => void = () => undefined,
): bigint[] {
  const cells: bigint[] = [];
  const written = new Map<number, readonly [start: number, end: number] | undefined>();
  const open: Open[] = [];
  const begin = (constant: number): void => {
    if (written.has(constant)) {
      const place = written.get(constant) ?? refuse(constant, "contains itself");
      spend(1 + place[1] - place[0]);
      for (let index = place[0]; index < place[1]; index++) cells.push(cells[index] ?? 0n);
      return;
    }
    written.set(constant, undefined);
    const start = cells.length;
    open.push({ type: constant, start, parts: writeHead(types, sizes, constant, cells), next: 0 });
    spend(1 + cells.length - start);
  };
  begin(type);
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    const part = last.parts[last.next++];
    if (part !== undefined) {
      begin(part);
    } else {
      open.pop();
      written.set(last.type, [last.start, cells.length]);
    }
  }
  return cells;
}

/** Cells that are kept, of all constants. */
const KEPT_CELLS = 2 ** 18;

/** Parts and cells that are gone through for all constants; programs of others have some thousand. */
const STEP_LIMIT = 2 ** 24;

/**
 * As {@link constCells}; those that were asked for are kept, as statements ask for them again. Constants
 * that are large, or many without cells, could be asked for by so many that it takes hours.
 *
 * @throws {CompileError} SIERRA_INVALID also when all together take too long
 */
export function rememberedConstCells(
  types: readonly ConcreteType[],
  sizes: readonly number[],
): (type: number) => readonly bigint[] {
  const kept = new Map<number, readonly bigint[]>();
  let count = 0;
  let steps = 0;
  const spend = (more: number): void => {
    steps += more;
    if (steps > STEP_LIMIT) {
      throw new CompileError("SIERRA_INVALID", "constants take too long to write");
    }
  };
  return (type) => {
    const before = kept.get(type);
    if (before !== undefined) return before;
    const cells = constCells(types, sizes, type, spend);
    count += cells.length;
    if (count > KEPT_CELLS) {
      kept.clear();
      count = cells.length;
    }
    kept.set(type, cells);
    return cells;
  };
}

/** Writes the cells before the parts of a constant. @returns its parts, constants */
function writeHead(
  types: readonly ConcreteType[],
  sizes: readonly number[],
  constant: number,
  cells: bigint[],
): readonly number[] {
  const data = types[constant]?.data;
  if (data?.kind !== "const") return refuse(constant, "is no constant");
  const inner = types[data.inner];
  switch (inner?.genericId) {
    case "Struct":
    case "NonZero":
      return data.args.map((each) => typeOf(constant, each));
    case "Enum": {
      const [selector, part] = data.args;
      const variants = inner.data.kind === "enum" ? inner.data.variants : [];
      const index = selector?.kind === "value" ? Number(selector.value) : variants.length;
      const size = sizes[variants[index] ?? -1];
      const whole = sizes[inner.id];
      if (size === undefined || whole === undefined) return refuse(constant, "has no such variant");
      cells.push(BigInt(variantSelector(variants.length, index)));
      for (let padding = whole - size - 1; padding > 0; padding--) cells.push(0n);
      return [typeOf(constant, part)];
    }
    default:
      for (const each of data.args) cells.push(valueOf(constant, each));
      return [];
  }
}

function typeOf(constant: number, argument: GenericArgument | undefined): number {
  return argument?.kind === "type" ? argument.type : refuse(constant, "is not made of constants");
}

function valueOf(constant: number, argument: GenericArgument): bigint {
  return argument.kind === "value" ? argument.value : refuse(constant, "is not a number");
}

function refuse(constant: number, reason: string): never {
  throw new CompileError("SIERRA_INVALID", `the constant of type #${constant} ${reason}`);
}
