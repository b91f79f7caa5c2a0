import type { ApChange } from "./ap-change.ts";
import type { BranchCost } from "./branch-cost.ts";
import type { ProgramInfo, StatementInfo } from "./program-info.ts";
import type { CompiledInvocation, InvocationBuilder } from "./invocation-builder.ts";
import type { LibfuncSignature } from "./signature.ts";

/**
 * Specialized libfunc: signature, `ap` changes, costs and code. The code is checked against the other three
 * whenever it is built.
 */
export interface Libfunc {
  readonly signature: LibfuncSignature;
  /** Declared `ap` change of each branch. */
  apChanges(info: StatementInfo): readonly ApChange[];
  /** Declared cost of each branch. */
  costs(info: ProgramInfo): readonly BranchCost[];
  /** @throws {CompileError} SIERRA_INVALID when an argument has an unsupported form */
  build(invocation: InvocationBuilder): CompiledInvocation;
}
