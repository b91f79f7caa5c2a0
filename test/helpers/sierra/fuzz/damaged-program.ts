import { packedWords, type ProgramWords, wordsOf } from "./program-words.ts";
import type { Random } from "../../random.ts";

type Words = readonly bigint[];

const KINDS = ["types", "libfuncs", "statements", "functions"] as const;

/** Edge values of words in a program. */
const EDGES = [
  0n,
  1n,
  2n,
  5n,
  255n,
  2n ** 15n,
  2n ** 31n - 1n,
  2n ** 53n,
  2n ** 64n - 1n,
  2n ** 64n,
  2n ** 127n,
  2n ** 128n - 1n,
  2n ** 128n,
  2n ** 128n * 7n,
  2n ** 250n,
];

/**
 * A damaged program, packed: one to three times, a word or an item (type, libfunc, statement,
 * function) of a valid one is changed, swapped, added or removed.
 */
export function damagedProgram(program: ProgramWords, random: Random): bigint[] {
  let mutated = program;
  for (let left = 1 + Math.floor(random.below(6) / 3); left > 0; left--) {
    if (random.below(8) === 0) {
      return packedWords(mutated.versions, mutatedList(wordsOf(mutated), random, mutatedWord));
    }
    mutated = mutatedItems(mutated, random);
  }
  return packedWords(mutated.versions, wordsOf(mutated));
}

function mutatedItems(program: ProgramWords, random: Random): ProgramWords {
  const kind = random.pick([...KINDS, "statements", "statements", "libfuncs"] as const) ?? "types";
  const change = (item: Words, others: readonly Words[]): Words =>
    random.below(3) === 0
      ? mutatedList(item, random, mutatedWord)
      : // A word of another item in the same place is often of the right kind.
        likeAnother(item, random.pick(others) ?? [], random);
  const items: readonly Words[] = program[kind];
  const changed =
    random.below(3) === 0
      ? mutatedList(items, random, change)
      : replaced(items, random.below(items.length), (item) => change(item, items));
  return { ...program, [kind]: changed };
}

/** Changes, duplicates, drops or swaps an item of a list. */
function mutatedList<T>(
  list: readonly T[],
  random: Random,
  change: (item: T, others: readonly T[], random: Random) => T,
): T[] {
  const at = random.below(list.length);
  const other = random.below(list.length);
  const [one, two] = [list[at], list[other]];
  if (one === undefined || two === undefined) return [...list];
  switch (random.below(5)) {
    case 0:
      return list.toSpliced(at, 1);
    case 1:
      return list.toSpliced(at, 0, two);
    case 2:
      return list.with(at, two).with(other, one);
    default:
      return replaced(list, at, (item) => change(item, list, random));
  }
}

function mutatedWord(word: bigint, others: readonly bigint[], random: Random): bigint {
  switch (random.below(4)) {
    case 0:
      return word + 1n;
    case 1:
      return word > 0n ? word - 1n : 1n;
    case 2:
      return random.pick(EDGES) ?? 0n;
    default:
      return random.pick(others) ?? 0n;
  }
}

function likeAnother(item: Words, other: Words, random: Random): Words {
  const at = random.below(item.length);
  return replaced(item, at, (word) => {
    if (random.below(3) === 0) return mutatedWord(word, item, random);
    return other[at] ?? mutatedWord(word, item, random);
  });
}

function replaced<T>(list: readonly T[], at: number, change: (item: T) => T): T[] {
  return list.map((item, i) => (i === at ? change(item) : item));
}
