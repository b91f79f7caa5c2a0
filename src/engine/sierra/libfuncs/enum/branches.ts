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
 * Returns the `ap` changes and costs of a libfunc with one branch per variant. With two variants,
 * the second takes one jump. With more, all except the first take two. With one there is no jump.
 *
 * @param load - cells and steps before the jump, if there is one
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
 * Branches on a selector in a cell; the first branch is the next statement.
 *
 * @param before - preceding instructions
 * @param outputs - cells of the only output of each branch, at the end of the branch
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
