import type { Var } from "../casm/builder-state.ts";
import type { CasmBuilder } from "../casm/casm-builder.ts";
import type { CellExpression } from "../casm/cell-expression.ts";
import type { Instruction } from "../casm/instruction.ts";
import type { CostToken } from "./branch-cost.ts";
import type { StatementInfo } from "./program-info.ts";

/** A place that is known when all code is laid out. */
export type RelocationTarget =
  | { readonly kind: "statement"; readonly statement: number }
  /** The `ret` that a segment of constants begins with. */
  | { readonly kind: "segment"; readonly segment: number }
  /** The constants that `const_as_box` of this type points to, in its segment. */
  | { readonly kind: "const"; readonly segment: number; readonly type: number }
  /** The descriptor of a circuit type. */
  | { readonly kind: "circuit"; readonly type: number }
  /** What comes after all code and constants. */
  | { readonly kind: "end_of_program" };

/** The immediate of an instruction gets the distance to a place added to it. */
export interface Relocation {
  /** Of the instructions of the invocation. */
  readonly instruction: number;
  readonly target: RelocationTarget;
}

/** A branch of built code: its label, its outputs in their cells, and where it leads. */
export interface BranchOutputs {
  /** `FALLTHROUGH`, or a label of the code. */
  readonly label: string;
  /** Per output, its cells. */
  readonly outputs: readonly (readonly Var[])[];
  /** The statement; `undefined` for the next one. */
  readonly target?: number | undefined;
}

/** What the costs of built code are compared with, beyond its steps. */
export interface CostCheck {
  /** Builtin pointers at the beginning and at the end: what is between them was used. */
  readonly builtins?: readonly {
    readonly token: "RangeCheck" | "RangeCheck96";
    readonly start: Var;
    readonly end: Var;
  }[];
  /** Gas beyond that, per branch: of amortized work, or of gas that is withdrawn. */
  readonly extra?: readonly number[];
}

/** Code that runs before that of a builder. */
export interface PlainCode {
  readonly instructions: readonly Instruction[];
  readonly relocations: readonly Relocation[];
  /** Gas of it. */
  readonly gas: number;
}

/** The frame of a function while its locals are allocated. */
export type FrameState =
  | { readonly kind: "before" }
  /** Locals take cells from `fp + first` on. */
  | { readonly kind: "allocating"; readonly allocated: number; readonly first: number }
  | { readonly kind: "finalized"; readonly allocated: number };

/** How far `ap` is from a place where it was known. */
export type ApTracking =
  | { readonly kind: "disabled" }
  | {
      readonly kind: "enabled";
      /** The statement at which tracking began; `undefined` for the beginning of the function. */
      readonly base: number | undefined;
      readonly cells: number;
    };

/** The result of {@link InvocationBuilder}; what the compiler goes on with. */
export interface CompiledInvocation {
  readonly instructions: readonly Instruction[];
  readonly relocations: readonly Relocation[];
  /** Per branch and output: the cells, relative to `ap` at the end of the branch. */
  readonly outputs: readonly (readonly (readonly CellExpression[])[])[];
  /** The frame after it. */
  readonly frame: FrameState;
}

/** One invocation while its code is made: what a libfunc's `build` works with. */
export interface InvocationBuilder {
  /** Index of the statement. */
  readonly statement: number;
  /** The arguments: the cells of each. */
  readonly args: readonly (readonly CellExpression[])[];
  readonly info: StatementInfo;
  readonly frame: FrameState;
  readonly apTracking: ApTracking;
  /** Entry statement of a function. */
  entryOf(functionId: number): number;
  /** Value of an `ap` variable of the metadata for this statement, of `branch_align`. */
  readonly alignCells: number;
  /** Gas that the metadata gives a variable of this statement: of `withdraw_gas`, `redeposit_gas` and the like. */
  gasVariable(token: CostToken): number;
  /** Cells of the value of a constant type. */
  constCells(type: number): readonly bigint[];
  /** Arguments of one cell each. @throws {CompileError} when one is of another size */
  singles(): readonly CellExpression[];
  /** The statement that branch `index` leads to; the fallthrough leads to the next one. */
  target(index: number): number;
  /** Ends with code, which is checked against the tables of `ap` and costs. */
  finish(
    builder: CasmBuilder,
    branches: readonly BranchOutputs[],
    check?: CostCheck,
    before?: PlainCode,
  ): CompiledInvocation;
  /** Ends with instructions that were made without a builder. */
  finishPlain(
    instructions: readonly Instruction[],
    relocations: readonly Relocation[],
    outputs: readonly (readonly (readonly CellExpression[])[])[],
    frame?: FrameState,
  ): CompiledInvocation;
  /** Ends without code: the outputs of the only branch are other names for cells. */
  rename(outputs: readonly (readonly CellExpression[])[]): CompiledInvocation;
}
