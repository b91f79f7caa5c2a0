import type { Libfunc } from "#engine/sierra/libfunc/libfunc.ts";
import type { GenericArgument } from "#engine/sierra/program/program.ts";
import type { IntegerRange } from "#engine/sierra/types/concrete-type.ts";
import { argumentCells, type CasmRun, type HintWriter, POINTER, runCasm } from "./casm-run.ts";
import { honestHints } from "./honest-hints.ts";
import { LibfuncWorld } from "./libfunc-world.ts";

/** World of libfuncs of integers: integer types are declared on use. */
export class IntegerWorld extends LibfuncWorld {
  constructor() {
    super();
    for (const bits of [8n, 16n, 32n, 64n, 128n]) {
      const half = 2n ** (bits - 1n);
      this.#integer(`u${bits}`, { lower: 0n, upper: 2n * half });
      this.#integer(`i${bits}`, { lower: -half, upper: half });
    }
    for (const id of ["RangeCheck", "Bitwise", "felt252", "bytes31"]) this.declare(id);
    this.declare("U128MulGuarantee", { size: 4 });
  }

  #integer(genericId: string, range: IntegerRange): void {
    this.declare(genericId, { data: { kind: "integer", range } });
  }

  override find(genericId: string, args: readonly GenericArgument[] = []): number {
    const [first, second] = args;
    try {
      return super.find(genericId, args);
    } catch (error) {
      if (genericId === "NonZero" && first?.kind === "type")
        return this.wrap("NonZero", first.type);
      if (genericId === "Struct") return this.declare("Struct", { args, size: args.length - 1 });
      if (first?.kind !== "value" || second?.kind !== "value" || first.value > second.value) {
        throw error;
      }
      const range = { lower: first.value, upper: second.value + 1n };
      return this.declare(genericId, { args, data: { kind: "integer", range } });
    }
  }

  /** The type `BoundedInt<min, max>`. */
  bounded(min: bigint, max: bigint): number {
    return this.find("BoundedInt", [
      { kind: "value", value: min },
      { kind: "value", value: max },
    ]);
  }

  /**
   * Runs a libfunc whose first argument is a range check pointer; `values` are the cells of the
   * other arguments.
   */
  checked(
    libfunc: Libfunc,
    values: readonly (readonly bigint[])[],
    hints: HintWriter = honestHints,
  ): CasmRun {
    return this.run(libfunc, [[POINTER], ...values], hints);
  }

  /** Runs a libfunc with the cells of its arguments; `pointed` are those of a builtin. */
  run(
    libfunc: Libfunc,
    values: readonly (readonly bigint[])[],
    hints: HintWriter = honestHints,
    pointed: readonly bigint[] = [],
  ): CasmRun {
    const args = argumentCells(values.map((cells) => cells.length));
    return runCasm(this.build(libfunc, { args }), values, hints, pointed);
  }
}

/** Whether the written values satisfy the range check builtin. */
export function isProof({ rangeChecks }: CasmRun): boolean {
  return rangeChecks.every((value) => value < 2n ** 128n);
}

/**
 * Whether a proof is valid: no assertion failed, and the range check builtin accepts its values.
 */
export function isAccepted(run: () => CasmRun): boolean {
  try {
    return isProof(run());
  } catch {
    return false;
  }
}
