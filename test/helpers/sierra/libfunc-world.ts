import type { BuilderState } from "#engine/sierra/casm/builder-state.ts";
import { type CellExpression, cellWithOffset } from "#engine/sierra/casm/cell-expression.ts";
import { type BranchCost, constGas, type CostToken } from "#engine/sierra/libfunc/branch-cost.ts";
import type { StatementInfo } from "#engine/sierra/libfunc/program-info.ts";
import type {
  ApTracking,
  CompiledInvocation,
  CostCheck,
  FrameState,
  InvocationBuilder,
  PlainCode,
} from "#engine/sierra/libfunc/invocation-builder.ts";
import type { Libfunc } from "#engine/sierra/libfunc/libfunc.ts";
import type {
  FunctionSignature,
  LibfuncFamily,
  SpecializationContext,
} from "#engine/sierra/libfunc/specialization.ts";
import type { GenericArgument, TypeInfo } from "#engine/sierra/program/program.ts";
import type { ConcreteType, TypeData } from "#engine/sierra/types/concrete-type.ts";

const FREE_INFO: TypeInfo = {
  storable: true,
  droppable: true,
  duplicatable: true,
  zeroSized: false,
};

/** A type of a {@link LibfuncWorld}. */
export interface WorldType {
  readonly args?: readonly GenericArgument[];
  readonly info?: Partial<TypeInfo>;
  readonly data?: TypeData;
  readonly size?: number;
}

/** Environment of an invocation; omitted fields are 0, or as at the start of a function. */
export interface WorldSite {
  readonly args?: readonly (readonly CellExpression[])[];
  readonly frame?: FrameState;
  readonly apTracking?: ApTracking;
  readonly alignCells?: number;
  readonly gas?: Readonly<Partial<Record<CostToken, number>>>;
  readonly constCells?: readonly bigint[];
}

/**
 * Types and functions, and libfuncs of them; branch `i` of an invocation leads to statement `100 +
 * i`.
 */
export class LibfuncWorld implements SpecializationContext {
  readonly functions: FunctionSignature[] = [];
  readonly #types: ConcreteType[] = [];
  readonly #sizes: number[] = [];

  /** Declares a type. */
  declare(genericId: string, { args = [], info, data, size = 1 }: WorldType = {}): number {
    const id = this.#types.length;
    this.#types.push({
      id,
      genericId,
      args,
      info: { ...FREE_INFO, ...info },
      data: data ?? { kind: "plain" },
    });
    this.#sizes.push(size);
    return id;
  }

  /** Declares `genericId<inner>`. */
  wrap(genericId: string, inner: number, type: Omit<WorldType, "args" | "data"> = {}): number {
    const args = [{ kind: "type", type: inner }] as const;
    return this.declare(genericId, { ...type, args, data: { kind: "wrapper", inner } });
  }

  typeOf(id: number): ConcreteType {
    const type = this.#types[id];
    if (type === undefined) throw new RangeError(`no type ${id}`);
    return type;
  }

  find(genericId: string, args: readonly GenericArgument[] = []): number {
    const key = keyOf(args);
    const found = this.#types.find(
      (type) => type.genericId === genericId && keyOf(type.args) === key,
    );
    if (found === undefined) throw new RangeError(`no type ${genericId} ${key}`);
    return found.id;
  }

  functionOf(id: number): FunctionSignature {
    const signature = this.functions[id];
    if (signature === undefined) throw new RangeError(`no function ${id}`);
    return signature;
  }

  /** Creates a libfunc of a family. */
  make(family: LibfuncFamily, id: string, ...args: readonly GenericArgument[]): Libfunc {
    const specialize = family[id];
    if (specialize === undefined) throw new RangeError(`no libfunc ${id}`);
    return specialize(this, args);
  }

  /** Builds the code of an invocation, and compares it with the tables of the libfunc. */
  build(libfunc: Libfunc, site: WorldSite = {}): CompiledInvocation {
    return libfunc.build(this.#invocation(libfunc, site));
  }

  /** Costs of the branches of a libfunc. */
  costs(libfunc: Libfunc): readonly BranchCost[] {
    return libfunc.costs(this.#info({}));
  }

  #info(gas: WorldSite["gas"] & object): StatementInfo {
    return {
      sizeOf: (type) => this.#sizes[type] ?? 0,
      circuitOf: () => {
        throw new RangeError("no circuits");
      },
      tokenUsages: (token) => gas[token] ?? 0,
    };
  }

  #invocation(libfunc: Libfunc, site: WorldSite): InvocationBuilder {
    const args = site.args ?? [];
    const frame = site.frame ?? { kind: "before" };
    const info = this.#info(site.gas ?? {});
    const finishPlain: InvocationBuilder["finishPlain"] = (
      instructions,
      relocations,
      outputs,
      after = frame,
    ) => ({ instructions, relocations, outputs, frame: after });
    return {
      statement: 7,
      args,
      info,
      frame,
      apTracking: site.apTracking ?? { kind: "enabled", base: undefined, cells: 0 },
      entryOf: (id) => 1000 + id,
      alignCells: site.alignCells ?? 0,
      gasVariable: (token) => site.gas?.[token] ?? 0,
      constCells: () => site.constCells ?? [],
      singles: () => args.flat(),
      target: (index) => 100 + index,
      finish: (builder, branches, check = {}, before = NOTHING) => {
        const { instructions, branches: built } = builder.build(branches.map(({ label }) => label));
        const changes = libfunc.apChanges(info);
        const costs = libfunc.costs(info);
        const outputs = branches.map((branch, i) => {
          const state = built[i]?.state;
          if (state === undefined) throw new RangeError(`no branch ${i}`);
          requireEqual({ kind: "known", cells: state.apChange }, changes[i]);
          const cost = costs[i];
          if (cost?.kind === "regular") {
            requireEqual(gasOf(state, check, i) + before.gas, constGas(cost.cost));
          }
          return branch.outputs.map((vars) => vars.map((each) => state.adjusted(each)));
        });
        const jumps = built.flatMap((each, i) =>
          each.jumps.map((jump) => ({
            instruction: before.instructions.length + jump,
            target: { kind: "statement", statement: branches[i]?.target ?? -1 } as const,
          })),
        );
        return finishPlain(
          [...before.instructions, ...instructions],
          [...before.relocations, ...jumps],
          outputs,
        );
      },
      finishPlain,
      rename: (outputs) => finishPlain([], [], [outputs]),
    };
  }
}

const NOTHING: PlainCode = { instructions: [], relocations: [], gas: 0 };

function gasOf(state: BuilderState, { builtins = [], extra }: CostCheck, branch: number): number {
  let gas = constGas({ steps: state.steps }) + (extra?.[branch] ?? 0);
  for (const { start, end } of builtins) {
    const from = cellWithOffset(state.get(start))?.offset ?? 0n;
    const to = cellWithOffset(state.get(end))?.offset ?? 0n;
    gas += constGas({ rangeChecks: Number(to - from) });
  }
  return gas;
}

function requireEqual(actual: unknown, expected: unknown): void {
  if (Bun.deepEquals(actual, expected)) return;
  throw new RangeError(
    `expected ${Bun.inspect(expected)}, but the code has ${Bun.inspect(actual)}`,
  );
}

function keyOf(args: readonly GenericArgument[]): string {
  return args.map((arg) => Object.values(arg).join(":")).join(",");
}
