import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { branchCosts } from "#engine/sierra/metadata/branch-gas.ts";
import { LEGACY_SOLVERS } from "#engine/sierra/metadata/legacy/legacy-solvers.ts";
import { LINEAR_SOLVERS } from "#engine/sierra/metadata/linear-solvers.ts";
import { computeMetadata } from "#engine/sierra/metadata/metadata.ts";
import { programInfo } from "#engine/sierra/metadata/program-info.ts";
import { assertProperty } from "#test/helpers/property.ts";
import {
  align,
  buy,
  call,
  fork,
  jump,
  libfuncOf,
  redeposit,
  refund,
  ret,
  sketchedProgram,
  type StatementSketch,
  withdraw,
  work,
} from "#test/helpers/sierra/flow-sketch.ts";

const info = programInfo({ sizes: [], circuits: new Map() });

/** Steps of a function; branches merge again after them. */
type Plan = readonly Step[];
type Step =
  | { kind: "work"; steps: number; bitwise: number }
  | { kind: "redeposit" }
  | { kind: "call"; function: number; isCoupon: boolean }
  | { kind: "branches"; isWithdrawal: boolean; first: Plan; second: Plan };

const plans = fc.letrec<{ plan: Plan }>((tie) => ({
  plan: fc.array(
    fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.record({ kind: fc.constant("work" as const), steps: fc.nat(9), bitwise: fc.nat(2) }),
      fc.constant({ kind: "redeposit" as const }),
      fc.record({
        kind: fc.constant("call" as const),
        function: fc.nat(3),
        isCoupon: fc.boolean(),
      }),
      fc.record({
        kind: fc.constant("branches" as const),
        isWithdrawal: fc.boolean(),
        first: tie("plan"),
        second: tie("plan"),
      }),
    ),
    { maxLength: 5 },
  ),
})).plan;

/** Function of a plan, number of functions, and whether builtins and coupons are used. */
interface Place {
  readonly id: number;
  readonly count: number;
  readonly isRich: boolean;
}

/** Statements of a plan from `start` on; calls go to later functions, if there are any. */
function laidOut(plan: Plan, start: number, place: Place): StatementSketch[] {
  const sketches: StatementSketch[] = [];
  for (const step of plan) {
    const at = start + sketches.length;
    if (step.kind === "work")
      sketches.push(work(step.steps, place.isRich ? { Bitwise: step.bitwise } : {}));
    else if (step.kind === "redeposit") sketches.push(redeposit);
    else if (step.kind === "call") {
      const called = place.id + 1 + step.function;
      if (called >= place.count) continue;
      sketches.push(
        ...(place.isRich && step.isCoupon ? [buy(called), refund(called)] : [call(called)]),
      );
    } else {
      const first = laidOut(step.first, at + 2, place);
      const other = at + first.length + 3;
      const second = laidOut(step.second, other + 1, place);
      const end = other + 1 + second.length;
      sketches.push(step.isWithdrawal ? withdraw(other) : fork(other));
      sketches.push(align, ...first, jump(end), align, ...second);
    }
  }
  return sketches;
}

function programOf(functions: readonly Plan[], isRich: boolean): [StatementSketch[], number[]] {
  const sketches: StatementSketch[] = [];
  const entries: number[] = [];
  for (const [id, plan] of functions.entries()) {
    entries.push(sketches.length);
    sketches.push(...laidOut(plan, sketches.length, { id, count: functions.length, isRich }), ret);
  }
  return [sketches, entries];
}

const rules = [
  { name: "today", solvers: LINEAR_SOLVERS, isRich: true },
  // Under these rules coupons refund nothing, and withdraw_gas without a table takes no builtins.
  { name: "before Sierra 1.4.0", solvers: LEGACY_SOLVERS, isRich: false },
];

describe.each(rules)("branch gas by the rules of $name", ({ solvers, isRich }) => {
  test("reduces a function's cost to zero, equally on each path and never below", () => {
    assertProperty(
      fc.property(fc.array(plans, { minLength: 1, maxLength: 4 }), (functions) => {
        const [sketches, entries] = programOf(functions, isRich);
        const { program, registry } = sketchedProgram(sketches, entries);
        const metadata = computeMetadata(program, registry, { enforced: new Map(), solvers });
        const wallets = new Map<number, Record<string, number>>();
        for (const [id, entry] of entries.entries()) {
          wallets.set(entry, Object.fromEntries(metadata.functionCosts.get(id) ?? []));
        }
        for (const [statement, sketch] of sketches.entries()) {
          const wallet = wallets.get(statement) ?? {};
          if (sketch.targets === "return") {
            expect(wallet).toEqual({});
            continue;
          }
          const costs = branchCosts(metadata, statement, libfuncOf(sketch), info);
          for (const [branch, gas] of costs.entries()) {
            const left: Record<string, number> = { ...wallet };
            for (const [token, count] of gas) left[token] = (left[token] ?? 0) - count;
            for (const [token, count] of Object.entries(left)) {
              expect(count).toBeGreaterThanOrEqual(0);
              if (count === 0) delete left[token];
            }
            const target = sketch.targets[branch] ?? statement + 1;
            expect(left).toEqual(wallets.get(target) ?? left);
            wallets.set(target, left);
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});
