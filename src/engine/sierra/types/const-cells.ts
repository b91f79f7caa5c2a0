import { CompileError } from "../compile-error.ts";
import type { GenericArgument } from "../program/program.ts";
import type { ConcreteType } from "./concrete-type.ts";
import { variantSelector } from "./variant-selector.ts";

/** Constant being written: its start, and its remaining parts. */
interface PartialConstant {
  readonly type: number;
  readonly start: number;
  readonly parts: readonly number[];
  next: number;
}

/**
 * Cells of the value of a constant type; negative numbers stay as the program declares them.
 *
 * Each constant is written once; further occurrences copy its cells, so the work is proportional to the
 * program plus the cells.
 *
 * @param spend - called with the number of visited parts and cells
 * @throws {CompileError} SIERRA_INVALID when the type is not a constant, or contains itself
 */
export function constCells(
  types: readonly ConcreteType[],
  sizes: readonly number[],
  type: number,
  spend: (steps: number) => void = () => undefined,
): bigint[] {
  const cells: bigint[] = [];
  const written = new Map<number, readonly [start: number, end: number] | undefined>();
  const open: PartialConstant[] = [];
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

/** Maximum cached cells of all constants. */
const CACHED_CELLS = 2 ** 18;

/** Maximum visited parts and cells for all constants; ordinary programs need a few thousand. */
const STEP_LIMIT = 2 ** 24;

/**
 * Like {@link constCells}, but caches results, because statements request them repeatedly. The total work is
 * limited: large constants, or many without cells, could otherwise be requested so often that it takes hours.
 *
 * @throws {CompileError} SIERRA_INVALID also when the total exceeds the limit
 */
export function cachedConstCells(
  types: readonly ConcreteType[],
  sizes: readonly number[],
): (type: number) => readonly bigint[] {
  const cache = new Map<number, readonly bigint[]>();
  let count = 0;
  let steps = 0;
  const spend = (more: number): void => {
    steps += more;
    if (steps > STEP_LIMIT) {
      throw new CompileError("SIERRA_INVALID", "constants take too long to write");
    }
  };
  return (type) => {
    const before = cache.get(type);
    if (before !== undefined) return before;
    const cells = constCells(types, sizes, type, spend);
    count += cells.length;
    if (count > CACHED_CELLS) {
      cache.clear();
      count = cells.length;
    }
    cache.set(type, cells);
    return cells;
  };
}

/** Writes the cells that precede the parts of a constant. @returns its parts, which are constants */
function writeHead(
  types: readonly ConcreteType[],
  sizes: readonly number[],
  constant: number,
  cells: bigint[],
): readonly number[] {
  const data = types[constant]?.data;
  if (data?.kind !== "const") return refuse(constant, "is not a constant");
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
