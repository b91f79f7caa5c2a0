import { invariant } from "#base/errors/index.ts";
import { CompileError } from "../compile-error.ts";
import type { CostToken } from "../libfunc/branch-cost.ts";
import type { ProgramInfo } from "../libfunc/program-info.ts";
import type { CompiledInvocation } from "../libfunc/invocation-builder.ts";
import type { Libfunc } from "../libfunc/libfunc.ts";
import type { LibfuncSignature } from "../libfunc/signature.ts";
import { BranchGas } from "../metadata/branch-gas.ts";
import { statementInfo } from "../metadata/program-info.ts";
import type { Invocation } from "../program/program.ts";
import type { Annotations, StatementInput } from "./annotations.ts";
import { apEffect } from "./ap-effect.ts";
import { requireTypes } from "./arguments.ts";
import { type BranchChange, branchChange } from "./branch-change.ts";
import type { CodeBuffer } from "./code-buffer.ts";
import { requireSizes } from "./output-forms.ts";
import { stateAfter } from "./propagation.ts";
import { requireAffordable } from "./reference-budget.ts";
import { type InvocationSources, StatementInvocation } from "./statement-invocation.ts";
import { copiedState, type StatementState } from "./statement-state.ts";

/** Dependencies of {@link InvocationCompiler}. */
export interface CompilerSources extends InvocationSources {
  readonly info: ProgramInfo;
}

/** Compiles the invocations of a program, one after another. */
export class InvocationCompiler {
  readonly #sources: CompilerSources;
  readonly #annotations: Annotations;
  readonly #code: CodeBuffer;
  readonly #checkGas: boolean;
  readonly #gas: BranchGas;

  constructor(
    sources: CompilerSources,
    annotations: Annotations,
    code: CodeBuffer,
    checkGas: boolean,
  ) {
    this.#sources = sources;
    this.#annotations = annotations;
    this.#code = code;
    this.#checkGas = checkGas;
    this.#gas = new BranchGas(sources.metadata, sources.info);
  }

  /**
   * Appends the code of an invocation, and records the resulting state at the target of each branch.
   *
   * @param input - state before it, and its arguments
   * @throws {CompileError} SIERRA_INVALID when the invocation breaks a rule
   */
  compile(statement: number, invocation: Invocation, { state, args }: StatementInput): void {
    const { registry, metadata, info: programInfo } = this.#sources;
    const libfunc = registry.libfuncs[invocation.libfunc] ?? refuse("its libfunc does not exist");
    requireStructure(invocation, libfunc.signature);
    requireTypes(args, libfunc.signature.params);
    requireAffordable(outputTypes(libfunc.signature), programInfo);
    const { environment } = state;
    const info = statementInfo(
      programInfo,
      (token) => metadata.gasVariables(token, statement) ?? 0,
    );
    const costs = this.#checkGas ? this.#gas.at(statement, libfunc) : undefined;
    const site = { statement, invocation, libfunc, args, environment, info, costs };
    const built = new StatementInvocation(this.#sources, site);
    const compiled = libfunc.build(built);
    this.#code.append(compiled.instructions, compiled.relocations);
    const changes = this.#changes(built, libfunc, compiled, { state, args }, costs);
    const after =
      compiled.frame === environment.frame
        ? state
        : { ...state, environment: { ...environment, frame: compiled.frame } };
    this.#propagate(statement, invocation, after, changes);
  }

  #changes(
    { statement, apChanges }: StatementInvocation,
    { signature }: Libfunc,
    { outputs, frame }: CompiledInvocation,
    { state, args }: StatementInput,
    costs: readonly ReadonlyMap<CostToken, number>[] | undefined,
  ): BranchChange[] {
    const { branches } = signature;
    const isWhole = outputs.length === branches.length && apChanges.length === branches.length;
    invariant(isWhole, "a libfunc declares the effects of each branch");
    invariant(costs === undefined || costs.length === branches.length, "each branch has a cost");
    return branches.map((branch, i) => {
      const apChange = apChanges[i];
      invariant(apChange !== undefined, "each branch declares its change of ap");
      const ap = apEffect(apChange, statement, this.#sources.metadata, frame);
      const gas = costs?.[i] ?? NO_GAS;
      const built = { signature: branch, cells: outputs[i] ?? [], ap, gas };
      requireSizes(built, this.#sources.info);
      return branchChange(built, args, state.environment.stackSize);
    });
  }

  #propagate(
    source: number,
    { branches }: Invocation,
    state: StatementState,
    changes: readonly BranchChange[],
  ): void {
    const isFork = changes.length > 1;
    changes.forEach((change, i) => {
      const { target, results } = branches[i] ?? refuse("a branch is missing");
      const destination = target ?? source + 1;
      if (isFork) this.#requireFreshAlign(destination);
      const own = i === changes.length - 1 ? state : copiedState(state);
      const next = stateAfter(own, { source, destination, results, isFork }, change);
      this.#annotations.reach(destination, next);
    });
  }

  /**
   * Checks that the target of one of several branches is reached only by it, and starts with `branch_align`.
   */
  #requireFreshAlign(destination: number): void {
    const { program, registry } = this.#sources;
    const statement = program.statements[destination];
    const libfunc =
      statement?.kind === "invocation" ? registry.libfuncs[statement.libfunc] : undefined;
    const branches = libfunc?.signature.branches;
    if (branches?.length !== 1 || branches[0]?.apChange !== "branch_align") {
      refuse(`a branch leads to statement #${destination}, which is not a branch_align`);
    }
    if (this.#annotations.isReached(destination)) {
      refuse(`a branch leads to statement #${destination}, as another path does`);
    }
  }
}

const NO_GAS: ReadonlyMap<CostToken, number> = new Map();

/** Types of the outputs of all branches. */
function* outputTypes({ branches }: LibfuncSignature): Iterable<number> {
  for (const { variables } of branches) for (const { type } of variables) yield type;
}

/** Checks that an invocation has the branches and results of its libfunc. */
function requireStructure(
  { branches }: Invocation,
  { branches: expected, fallthrough }: LibfuncSignature,
): void {
  const isSame =
    branches.length === expected.length &&
    branches.every(
      ({ results, target }, i) =>
        results.length === expected[i]?.variables.length &&
        (target === undefined) === (i === fallthrough),
    );
  if (!isSame) refuse("its branches are not those of its libfunc");
}

function refuse(message: string): never {
  throw new CompileError("SIERRA_INVALID", message);
}
