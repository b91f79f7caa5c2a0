import type { Relocatable } from "#engine/cairo/index.ts";
import type { Cursor } from "../syscall-base/cursor.ts";
import type { SecpCurve, SecpPoint } from "./secp-curve.ts";

/** Cells reserved per point in the segment of points; they stay unwritten. */
const POINT_CELLS = 6;

/** Points of one call, by address; both curves share one segment. */
export class SecpPoints {
  readonly #points = new Map<string, { readonly curve: SecpCurve; readonly point: SecpPoint }>();
  #base: Relocatable | undefined;

  /** Stores a point and returns its new address. */
  add(cursor: Cursor, curve: SecpCurve, point: SecpPoint): Relocatable {
    this.#base ??= cursor.memory.addSegment();
    const offset = this.#base.offset + POINT_CELLS * this.#points.size;
    const address = { segment: this.#base.segment, offset };
    this.#points.set(keyOf(address), { curve, point });
    return address;
  }

  /** Point at an address; `undefined` unless it is a point of this curve. */
  get(address: Relocatable, curve: SecpCurve): SecpPoint | undefined {
    const found = this.#points.get(keyOf(address));
    return found?.curve === curve ? found.point : undefined;
  }
}

function keyOf({ segment, offset }: Relocatable): string {
  return `${segment}:${offset}`;
}
