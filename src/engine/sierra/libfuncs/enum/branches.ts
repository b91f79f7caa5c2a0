import type { CellExpression } from "../../casm/cell-expression.ts";
import type { Instruction } from "../../casm/instruction.ts";
import { type CellRef, deref, immediate } from "../../casm/operand.ts";
import { known } from "../../libfunc/ap-change.ts";
import { regularCost } from "../../libfunc/branch-cost.ts";
import type {
  CompiledInvocation,
  InvocationBuilder,
  Relocation,
} from "../../libfunc/invocation-builder.ts";
import type { Libfunc } from "../../libfunc/libfunc.ts";

/**
 * Tables of a libfunc with a branch per variant: one of two variants takes a jump; with more, all but the
 * first take two, and there is none for a single one.
 *
 * @param load - cells and steps that come before the jump, where there is one
 */
export function matchTables(count: number, load: number): Pick<Libfunc, "apChanges" | "costs"> {
  const before = count > 1 ? load : 0;
  const apChange = known(before);
  const costs = Array.from({ length: count }, (_, i) =>
    regularCost({ steps: before + jumpsTo(i, count) }),
  );
  return { apChanges: () => costs.map(() => apChange), costs: () => costs };
}

function jumpsTo(index: number, count: number): number {
  if (count === 1) return 0;
  return count === 2 || index === 0 ? 1 : 2;
}

/**
 * Branches on a selector in a cell: the first branch is what comes next.
 *
 * @param before - instructions that come first
 * @param outputs - of each branch the cells of its only output, at its end
 */
export function finishMatch(
  invocation: InvocationBuilder,
  selector: CellRef,
  before: readonly Instruction[],
  outputs: readonly (readonly CellExpression[])[],
): CompiledInvocation {
  const count = outputs.length;
  const instructions: Instruction[] = [...before];
  const relocations: Relocation[] = [];
  const add = (body: Instruction["body"]): number =>
    instructions.push({ body, incAp: false, hints: [] }) - 1;
  const addTo = (branch: number, body: Instruction["body"]): void => {
    const statement = invocation.target(branch);
    relocations.push({ instruction: add(body), target: { kind: "statement", statement } });
  };
  if (count === 2) addTo(1, { kind: "jnz", target: immediate(0), condition: selector });
  if (count > 2) {
    add({ kind: "jump", target: deref(selector), relative: true });
    for (let branch = count - 1; branch > 0; branch--) {
      addTo(branch, { kind: "jump", target: immediate(0), relative: true });
    }
  }
  const branches = outputs.map((cells) => [cells]);
  return invocation.finishPlain(instructions, relocations, branches);
}
