import { P } from "../field.ts";

/** An address; integers are `bigint`. */
export interface Pointer {
  readonly segment: number;
  readonly offset: number;
}

/** A known cell. */
export type Value = bigint | Pointer;

/** Any failure of the reference machine; its reason is irrelevant. */
export class ReferenceFailure extends Error {}

/** Thrown if the program needs a feature that the reference machine lacks. */
export class Unsupported extends Error {}

/** Fails the run. */
export function fail(message: string): never {
  throw new ReferenceFailure(message);
}

/** Whether a value is an address. */
export function isPointer(value: Value | undefined): value is Pointer {
  return typeof value === "object";
}

/** Whether two values are the same. */
export function same(a: Value | undefined, b: Value | undefined): boolean {
  if (isPointer(a) && isPointer(b)) return a.segment === b.segment && a.offset === b.offset;
  return a === b;
}

const MAX_EXACT = BigInt(Number.MAX_SAFE_INTEGER);

/** a + b */
export function add(a: Value, b: Value): Value {
  if (isPointer(a)) {
    if (isPointer(b)) fail("address plus address");
    const offset = (BigInt(a.offset) + b) % P;
    if (offset >= 1n << 64n) fail("offset");
    if (offset > MAX_EXACT) throw new Unsupported("an offset that a number does not hold");
    return { segment: a.segment, offset: Number(offset) };
  }
  return isPointer(b) ? add(b, a) : (a + b) % P;
}

/** a - b */
export function sub(a: Value, b: Value): Value {
  if (!isPointer(a)) return isPointer(b) ? fail("integer minus address") : (a - b + P) % P;
  if (!isPointer(b)) return add(a, (P - b) % P);
  if (a.segment !== b.segment) fail("segments differ");
  return (BigInt(a.offset - b.offset) + P) % P;
}

/** Order of values: addresses first. */
export function isLess(a: Value, b: Value): boolean {
  if (isPointer(a)) {
    if (!isPointer(b)) return true;
    return a.segment === b.segment ? a.offset < b.offset : a.segment < b.segment;
  }
  return isPointer(b) ? false : a < b;
}

/** An integer, or failure. */
export function integer(value: Value | undefined): bigint {
  return typeof value === "bigint" ? value : fail("expected an integer");
}

/** An address, or failure. */
export function pointer(value: Value | undefined): Pointer {
  return isPointer(value) ? value : fail("expected an address");
}

/** No machine of this project can write cells beyond this offset. */
const MAX_OFFSET = 2 ** 26;

/** Write-once memory of segments. */
export class Memory {
  readonly cells: Map<number, Value>[] = [];
  readonly accessed: Set<number>[] = [];
  readonly sizes: number[] = [];
  /** Maximum value of cells by segment, for range checks. */
  readonly bounds = new Map<number, bigint>();

  addSegment(): number {
    this.cells.push(new Map());
    this.accessed.push(new Set());
    this.sizes.push(0);
    return this.cells.length - 1;
  }

  get(at: Pointer): Value | undefined {
    return this.cells[at.segment]?.get(at.offset);
  }

  set(at: Pointer, value: Value): void {
    const cells = this.cells[at.segment] ?? fail("no such segment");
    if (at.offset >= MAX_OFFSET) fail("too far");
    const known = cells.get(at.offset);
    if (known !== undefined) {
      if (!same(known, value)) fail("inconsistent memory");
      return;
    }
    const bound = this.bounds.get(at.segment);
    if (bound !== undefined && integer(value) >= bound) fail("range check");
    cells.set(at.offset, value);
    this.sizes[at.segment] = Math.max(this.sizes[at.segment] ?? 0, at.offset + 1);
  }

  /** Marks a cell within its segment as accessed. */
  mark(at: Pointer): void {
    if (at.offset < (this.sizes[at.segment] ?? 0)) this.accessed[at.segment]?.add(at.offset);
  }

  /** Number of cells of these segments that were never accessed. */
  holes(segments: readonly number[]): number {
    let holes = 0;
    for (const segment of segments) {
      const accessed = this.accessed[segment]?.size ?? 0;
      if (accessed > 0) holes += (this.sizes[segment] ?? 0) - accessed;
    }
    return holes;
  }
}

/** Address `distance` cells further. */
export function at(base: Pointer, distance: number): Pointer {
  const offset = base.offset + distance;
  return offset < 0 ? fail("negative offset") : { segment: base.segment, offset };
}
