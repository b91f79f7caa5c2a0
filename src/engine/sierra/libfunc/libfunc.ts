import type { ApChange } from "./ap-change.ts";
import type { BranchCost } from "./branch-cost.ts";
import type { ProgramInfo, StatementInfo } from "./program-info.ts";
import type { CompiledInvocation, InvocationBuilder } from "./invocation-builder.ts";
import type { LibfuncSignature } from "./signature.ts";

/**
 * A libfunc with its arguments: what it takes and gives, what it does to `ap`, what it costs, and its
 * code, together. The code is checked against the other three whenever it is built.
 */
export interface Libfunc {
  readonly signature: LibfuncSignature;
  /** Per branch. */
  apChanges(info: StatementInfo): readonly ApChange[];
  /** Per branch. */
  costs(info: ProgramInfo): readonly BranchCost[];
  /**
   * @throws {CompileError} SIERRA_INVALID when the arguments are not in a form that it takes
   */
  build(invocation: InvocationBuilder): CompiledInvocation;
}
