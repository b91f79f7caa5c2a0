import { invariant } from "#base/errors/index.ts";
import { CompileError } from "../compile-error.ts";
import { type CircuitInfo, VALUE_CELLS } from "../libfunc/circuit-info.ts";
import type { LibfuncDeclaration } from "../program/program.ts";
import type { RegistrySource } from "./sources.ts";

/** Constants that code refers to. A `ret` precedes them, so that a call yields their address. */
export interface ConstSegment {
  /** Offset of its `ret`, from the end of the code. */
  readonly offset: number;
  readonly values: readonly bigint[];
}

/** All constants of a program, and their offsets from the end of the code. */
export class ConstSegments {
  readonly #values: bigint[][] = [];
  readonly #positions = new Map<string, number>();
  readonly #circuitSegments = new Map<number, number>();
  readonly #limit: number;
  #size = 0;
  readonly segments: readonly ConstSegment[];

  /**
   * Collects the constants of `const_as_box` and `get_circuit_descriptor`.
   *
   * @param limit - maximum size in felts
   * @throws {CompileError} SIERRA_INVALID when segments are not declared consecutively, CASM_TOO_LARGE above
   *   the limit
   */
  constructor(
    libfuncs: readonly LibfuncDeclaration[],
    registry: Pick<RegistrySource, "constCells" | "circuits">,
    limit: number,
  ) {
    this.#limit = limit;
    const { circuits } = registry;
    for (const { genericId, args } of libfuncs) {
      const [type, segment] = args;
      if (genericId !== "const_as_box" || type?.kind !== "type") continue;
      invariant(segment?.kind === "value", "a constant in a box has a segment");
      this.#add(Number(segment.value), type.type, registry.constCells(type.type));
    }
    for (const { genericId, args } of libfuncs) {
      const [type] = args;
      if (genericId !== "get_circuit_descriptor" || type?.kind !== "type") continue;
      const circuit = circuits.get(type.type);
      invariant(circuit !== undefined, "a descriptor is of a circuit");
      const segment = this.#values.length;
      this.#circuitSegments.set(type.type, segment);
      this.#add(segment, type.type, descriptor(circuit));
    }
    let offset = 0;
    this.segments = this.#values.map((values) => {
      const segment = { offset, values };
      offset += 1 + values.length;
      return segment;
    });
  }

  #add(segment: number, type: number, cells: readonly bigint[]): void {
    if (segment > this.#values.length) {
      throw new CompileError(
        "SIERRA_INVALID",
        `segment ${segment} of constants is declared before segment ${this.#values.length}`,
      );
    }
    const values = (this.#values[segment] ??= []);
    this.#positions.set(positionKey(segment, type), values.length);
    for (const cell of cells) values.push(cell);
    this.#size += cells.length;
    if (this.size > this.#limit) {
      throw new CompileError("CASM_TOO_LARGE", "code and constants take more felts than allowed");
    }
  }

  /** Size of all segments in felts. */
  get size(): number {
    return this.#size + this.#values.length;
  }

  /** Offset of the `ret` of a segment. */
  startOf(segment: number): number {
    const found = this.segments[segment];
    invariant(found !== undefined, "code points to an existing segment");
    return found.offset;
  }

  /** Offset of the `ret` of a segment, plus the position of a constant in it. */
  positionOf(segment: number, type: number): number {
    const position = this.#positions.get(positionKey(segment, type));
    invariant(position !== undefined, "code points to an existing constant");
    return this.startOf(segment) + position;
  }

  /** Like {@link positionOf}, for the descriptor of a circuit. */
  circuitPosition(type: number): number {
    const segment = this.#circuitSegments.get(type);
    invariant(segment !== undefined, "code points to an existing circuit");
    return this.positionOf(segment, type);
  }
}

function positionKey(segment: number, type: number): string {
  return `${segment}:${type}`;
}

/** Offsets of operands and results of all gates, in cells. */
function descriptor({ addGates, mulGates }: CircuitInfo): bigint[] {
  return [...addGates, ...mulGates].flatMap(({ lhs, rhs, output }) =>
    [lhs, rhs, output].map((position) => BigInt(position * VALUE_CELLS)),
  );
}
