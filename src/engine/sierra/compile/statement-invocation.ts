import { invariant } from "#base/errors/index.ts";
import type { CasmBuilder } from "../casm/casm-builder.ts";
import type { CellExpression } from "../casm/cell-expression.ts";
import type { Instruction } from "../casm/instruction.ts";
import { CompileError } from "../compile-error.ts";
import type { ApChange } from "../libfunc/ap-change.ts";
import type { CostToken } from "../libfunc/branch-cost.ts";
import type { StatementInfo } from "../libfunc/program-info.ts";
import type {
  ApTracking,
  BranchOutputs,
  CompiledInvocation,
  CostCheck,
  FrameState,
  InvocationBuilder,
  PlainCode,
  Relocation,
} from "../libfunc/invocation-builder.ts";
import type { Libfunc } from "../libfunc/libfunc.ts";
import type { Metadata } from "../metadata/metadata.ts";
import type { Invocation, Program } from "../program/program.ts";
import type { Environment } from "./environment.ts";
import type { ReferenceValue } from "./reference-value.ts";
import { requireApChanges, requireCosts } from "./self-check.ts";
import type { RegistrySource } from "./sources.ts";

/** Program with its registry and metadata. */
export interface InvocationSources {
  readonly program: Program;
  readonly registry: RegistrySource;
  readonly metadata: Metadata;
}

/** Statement to be compiled. */
export interface InvocationSite {
  readonly statement: number;
  readonly invocation: Invocation;
  readonly libfunc: Libfunc;
  readonly args: readonly ReferenceValue[];
  readonly environment: Environment;
  readonly info: StatementInfo;
  /** Gas per branch; `undefined` when gas is not checked. */
  readonly costs: readonly ReadonlyMap<CostToken, number>[] | undefined;
}

/** Invocation whose code is being built. */
export class StatementInvocation implements InvocationBuilder {
  readonly args: readonly (readonly CellExpression[])[];
  /** Declared change of `ap`, per branch. */
  readonly apChanges: readonly ApChange[];
  readonly #sources: InvocationSources;
  readonly #site: InvocationSite;

  constructor(sources: InvocationSources, site: InvocationSite) {
    this.#sources = sources;
    this.#site = site;
    this.args = site.args.map(({ cells }) => cells);
    this.apChanges = site.libfunc.apChanges(site.info);
  }

  get statement(): number {
    return this.#site.statement;
  }

  get info(): StatementInfo {
    return this.#site.info;
  }

  get frame(): FrameState {
    return this.#site.environment.frame;
  }

  get apTracking(): ApTracking {
    return this.#site.environment.apTracking;
  }

  entryOf(functionId: number): number {
    const declaration = this.#sources.program.functions[functionId];
    return declaration?.entry ?? refuse(`function ${functionId} does not exist`);
  }

  get alignCells(): number {
    return this.#sources.metadata.apVariables.get(this.statement) ?? 0;
  }

  gasVariable(token: CostToken): number {
    const value = this.#sources.metadata.gasVariables(token, this.statement);
    if (value === undefined) {
      return this.#site.costs === undefined ? 0 : refuse(`gas of ${token} is unknown`);
    }
    return value < 0 ? refuse(`gas of ${token} is negative`) : value;
  }

  constCells(type: number): readonly bigint[] {
    return this.#sources.registry.constCells(type);
  }

  singles(): readonly CellExpression[] {
    return this.args.map((cells, i) => {
      const [cell] = cells;
      return cells.length === 1 && cell !== undefined
        ? cell
        : refuse(`argument ${i} is not one cell`);
    });
  }

  target(index: number): number {
    const branch = this.#site.invocation.branches[index];
    if (branch === undefined) return refuse(`branch ${index} does not exist`);
    if (branch.target !== undefined) return branch.target;
    return index === this.#site.libfunc.signature.fallthrough
      ? this.statement + 1
      : refuse(`branch ${index} must lead to a statement`);
  }

  finish(
    builder: CasmBuilder,
    branches: readonly BranchOutputs[],
    check: CostCheck = {},
    before: PlainCode = { instructions: [], relocations: [], gas: 0 },
  ): CompiledInvocation {
    const built = builder.build(branches.map(({ label }) => label));
    const states = built.branches.map(({ state }) => state);
    requireApChanges(this.apChanges, states);
    if (this.#site.costs !== undefined) {
      requireCosts(this.#site.costs, states, check, before.gas);
    }
    const relocations = [...before.relocations];
    const outputs = built.branches.map(({ state, jumps }, i) => {
      const branch = branches[i];
      invariant(branch !== undefined, "a built branch was requested");
      const { target } = branch;
      invariant((jumps.length === 0) === (target === undefined), "an exit leads somewhere");
      for (const jump of jumps) {
        const instruction = before.instructions.length + jump;
        relocations.push({ instruction, target: { kind: "statement", statement: target ?? 0 } });
      }
      return branch.outputs.map((vars) => vars.map((each) => state.adjusted(each)));
    });
    const instructions = [...before.instructions, ...built.instructions];
    return this.finishPlain(instructions, relocations, outputs);
  }

  finishPlain(
    instructions: readonly Instruction[],
    relocations: readonly Relocation[],
    outputs: readonly (readonly (readonly CellExpression[])[])[],
    frame: FrameState = this.frame,
  ): CompiledInvocation {
    return { instructions, relocations, outputs, frame };
  }

  rename(outputs: readonly (readonly CellExpression[])[]): CompiledInvocation {
    return this.finishPlain([], [], [outputs]);
  }
}

function refuse(message: string): never {
  throw new CompileError("SIERRA_INVALID", message);
}
