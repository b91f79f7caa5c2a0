import type { Var } from "../casm/builder-state.ts";
import type { CasmBuilder } from "../casm/casm-builder.ts";
import type { CellExpression } from "../casm/cell-expression.ts";
import type { Instruction } from "../casm/instruction.ts";
import type { CostToken } from "./branch-cost.ts";
import type { StatementInfo } from "./program-info.ts";

/** Location that is known only after the final layout. */
export type RelocationTarget =
  | { readonly kind: "statement"; readonly statement: number }
  /** The `ret` at the start of a segment of constants. */
  | { readonly kind: "segment"; readonly segment: number }
  /** Constants that `const_as_box` of this type refers to, in its segment. */
  | { readonly kind: "const"; readonly segment: number; readonly type: number }
  /** Descriptor of a circuit type. */
  | { readonly kind: "circuit"; readonly type: number }
  /** Position after all code and constants. */
  | { readonly kind: "end_of_program" };

/** Adds the distance to a location to the immediate of an instruction. */
export interface Relocation {
  /** Index among the instructions of the invocation. */
  readonly instruction: number;
  readonly target: RelocationTarget;
}

/** Branch of built code: its label, the cells of its outputs, and its target. */
export interface BranchOutputs {
  /** `FALLTHROUGH`, or a label of the code. */
  readonly label: string;
  /** Cells of each output. */
  readonly outputs: readonly (readonly Var[])[];
  /** Target statement; `undefined` for the next one. */
  readonly target?: number | undefined;
}

/** Expected costs of built code, besides its steps. */
export interface CostCheck {
  /** Builtin pointers at the start and the end: the cells in between were used. */
  readonly builtins?: readonly {
    readonly token: "RangeCheck" | "RangeCheck96";
    readonly start: Var;
    readonly end: Var;
  }[];
  /** Additional gas, per branch: of amortized work, or of withdrawn gas. */
  readonly extra?: readonly number[];
}

/** Code that precedes the code of a builder. */
export interface PlainCode {
  readonly instructions: readonly Instruction[];
  readonly relocations: readonly Relocation[];
  readonly gas: number;
}

/** State of a function's frame with regard to locals. */
export type FrameState =
  | { readonly kind: "before" }
  /** Locals use cells from `fp + first` on. */
  | { readonly kind: "allocating"; readonly allocated: number; readonly first: number }
  | { readonly kind: "finalized"; readonly allocated: number };

/** Distance of `ap` from a position where it was known. */
export type ApTracking =
  | { readonly kind: "disabled" }
  | {
      readonly kind: "enabled";
      /** Statement at which tracking began; `undefined` for the start of the function. */
      readonly base: number | undefined;
      readonly cells: number;
    };

/** Result of {@link InvocationBuilder}, for the compiler. */
export interface CompiledInvocation {
  readonly instructions: readonly Instruction[];
  readonly relocations: readonly Relocation[];
  /** Cells of each output of each branch, relative to `ap` at the end of the branch. */
  readonly outputs: readonly (readonly (readonly CellExpression[])[])[];
  /** Frame state after the invocation. */
  readonly frame: FrameState;
}

/** Interface through which a libfunc's `build` creates the code of one invocation. */
export interface InvocationBuilder {
  readonly statement: number;
  /** Cells of each argument. */
  readonly args: readonly (readonly CellExpression[])[];
  readonly info: StatementInfo;
  readonly frame: FrameState;
  readonly apTracking: ApTracking;
  /** Entry statement of a function. */
  entryOf(functionId: number): number;
  /**
   * Cells by which this statement moves `ap`, from the metadata; for `branch_align`. 0 if the metadata has
   * none.
   */
  readonly alignCells: number;
  /**
   * Amount of a gas token that this statement moves, from the metadata; for `withdraw_gas`, `redeposit_gas`
   * and similar libfuncs. 0 if the metadata has no amount and gas is not checked.
   *
   * @throws {CompileError} when the amount is negative, or missing while gas is checked
   */
  gasVariable(token: CostToken): number;
  /** Cells of the value of a constant type. */
  constCells(type: number): readonly bigint[];
  /** Arguments that must have one cell each. @throws {CompileError} when one has another size */
  singles(): readonly CellExpression[];
  /** Statement that branch `index` leads to; the fallthrough leads to the next one. */
  target(index: number): number;
  /** Finishes with code from a builder, which is checked against the declared `ap` changes and costs. */
  finish(
    builder: CasmBuilder,
    branches: readonly BranchOutputs[],
    check?: CostCheck,
    before?: PlainCode,
  ): CompiledInvocation;
  /** Finishes with instructions that were created without a builder. */
  finishPlain(
    instructions: readonly Instruction[],
    relocations: readonly Relocation[],
    outputs: readonly (readonly (readonly CellExpression[])[])[],
    frame?: FrameState,
  ): CompiledInvocation;
  /** Finishes without code: the outputs of the only branch are other names for cells. */
  rename(outputs: readonly (readonly CellExpression[])[]): CompiledInvocation;
}
