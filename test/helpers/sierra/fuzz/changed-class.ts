import { starknetKeccak } from "#protocol/crypto/index.ts";
import type { EntryPointType, SierraEntryPoint } from "#protocol/chain/index.ts";
import type { Random } from "../../random.ts";
import { withMoreTypes } from "./added-types.ts";
import { DECLARATION_CHANGES } from "./changed-declarations.ts";
import { FUNCTION_CHANGES } from "./changed-functions.ts";
import { STATEMENT_CHANGES } from "./changed-statements.ts";
import { type Change, inProgram, someSwapped } from "./changes.ts";
import type { ClassParts } from "./class-parts.ts";
import { STATEMENT_INSERTIONS } from "./inserted-statements.ts";
import { TYPED_CHANGES } from "./typed-calls.ts";

const TYPES = ["EXTERNAL", "L1_HANDLER", "CONSTRUCTOR"] as const satisfies EntryPointType[];

const CLASS_CHANGES: Readonly<Record<string, Change>> = {
  "another function of an entry point": atEntryPoints((list, parts, random) => {
    const at = random.below(list.length);
    const functionIdx = random.below(parts.program.functions.length + 1);
    return list.map((each, i) => (i === at ? { ...each, functionIdx } : each));
  }),
  "functions of two entry points swapped": atEntryPoints((list, _, random) => {
    const functions = someSwapped(
      list.map(({ functionIdx }) => functionIdx),
      random,
    );
    return list.map((each, i) => ({ ...each, functionIdx: functions?.[i] ?? each.functionIdx }));
  }),
  "an entry point more": atEntryPoints((list, _, random) => {
    const original = random.pick(list);
    if (original === undefined) return list;
    const added = { ...original, selector: original.selector + 1n };
    return random.below(2) === 0
      ? [...list, added]
      : list.toSpliced(list.indexOf(original) + 1, 0, added);
  }),
  "an entry point less": atEntryPoints((list, _, random) =>
    list.toSpliced(random.below(list.length), 1),
  ),
  "an entry point in another list": ({ entryPoints, ...parts }, random) => {
    const [from = "EXTERNAL", to = "L1_HANDLER"] = random.shuffled([...TYPES]);
    const moved = random.pick(entryPoints[from]);
    if (moved === undefined) return undefined;
    const selector = to === "CONSTRUCTOR" ? starknetKeccak("constructor") : moved.selector;
    const rest = entryPoints[from].filter((each) => each !== moved);
    const list = [...entryPoints[to], { ...moved, selector }];
    return { ...parts, entryPoints: { ...entryPoints, [from]: rest, [to]: list } };
  },
  "another version of Sierra": ({ versions, ...parts }, random) => {
    // Before 1.4.0 the reference picks any of several solutions; only programs of that age have a
    // single one.
    const oldest = (versions[1] ?? 0n) < 4n ? 0 : 4;
    return { ...parts, versions: versions.with(1, BigInt(oldest + random.below(12 - oldest))) };
  },
};

/** Kinds of changes, weighted by their reach. */
const CHANGES: readonly (readonly Change[])[] = [
  ...Array.from({ length: 4 }, () => Object.values(STATEMENT_CHANGES).map(inProgram)),
  ...Array.from({ length: 3 }, () => Object.values(STATEMENT_INSERTIONS).map(inProgram)),
  ...Array.from({ length: 4 }, () => Object.values(TYPED_CHANGES).map(inProgram)),
  ...Array.from({ length: 3 }, () => Object.values(DECLARATION_CHANGES).map(inProgram)),
  ...Array.from({ length: 2 }, () => Object.values(FUNCTION_CHANGES)),
  Object.values(CLASS_CHANGES),
];

/** Maximum attempts to find something to change. */
const MAX_TRIES = 50;

/** A class with one to three changes that preserve its structure. */
export function changedClass(original: ClassParts, random: Random): ClassParts {
  if (random.below(4) === 0) return extendedClass(original, random);
  return changedTimes(original, 1 + Math.floor(random.below(8) / 3), random, () =>
    random.pick(random.pick(CHANGES) ?? []),
  );
}

/** A class with more types, and calls with arguments and results of them: mostly valid. */
function extendedClass({ program, ...parts }: ClassParts, random: Random): ClassParts {
  const extended = { ...parts, program: withMoreTypes(program, random) ?? program };
  const change = TYPED_CHANGES["a call of any libfunc"];
  return changedTimes(extended, 1 + random.below(5), random, () => change && inProgram(change));
}

function changedTimes(
  original: ClassParts,
  times: number,
  random: Random,
  pick: () => Change | undefined,
): ClassParts {
  let changed = original;
  let left = times;
  for (let tries = 0; left > 0 && tries < MAX_TRIES; tries++) {
    const next = pick()?.(changed, random);
    if (next === undefined) continue;
    changed = next;
    left--;
  }
  return changed;
}

/** Applies a change to one of a class's lists of entry points. */
function atEntryPoints(
  change: (
    list: readonly SierraEntryPoint[],
    parts: ClassParts,
    random: Random,
  ) => readonly SierraEntryPoint[],
): Change {
  return (parts, random) => {
    const type = random.pick(TYPES.filter((each) => parts.entryPoints[each].length > 0));
    if (type === undefined) return undefined;
    const list = change(parts.entryPoints[type], parts, random);
    return { ...parts, entryPoints: { ...parts.entryPoints, [type]: list } };
  };
}
