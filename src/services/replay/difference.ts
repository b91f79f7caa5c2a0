import { AppError } from "#base/errors/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";

/** A transaction's position in its block, from 0, and its hash. */
export interface TransactionPlace {
  readonly index: number;
  readonly hash: Felt;
}

/** The first field in which a block differs from the node's version. */
export interface Difference {
  /** Path of the field, in the specification's names: `header.state_diff_commitment`. */
  readonly field: string;
  readonly ours: string;
  readonly theirs: string;
  readonly transaction?: TransactionPlace;
}

/** Ends a replay: the block differs, or the node's data about it is wrong. */
export class DifferenceFound extends AppError {
  readonly difference: Difference;

  constructor(difference: Difference) {
    const { field, ours, theirs } = difference;
    super("REPLAY_DIFFERS", `${field}: ours ${ours}, theirs ${theirs}`);
    this.difference = difference;
  }
}

/** Maximum length of a displayed value. */
const MAX_SHOWN = 300;

/**
 * Ends a replay.
 *
 * @throws {DifferenceFound} always
 */
export function differ(
  field: string,
  ours: string | bigint | number,
  theirs: string | bigint | number,
  transaction?: TransactionPlace,
): never {
  const [shownOurs, shownTheirs] = shownPair(textOf(ours), textOf(theirs));
  throw new DifferenceFound({
    field,
    ours: shownOurs,
    theirs: shownTheirs,
    ...(transaction === undefined ? {} : { transaction }),
  });
}

/**
 * Requires two values to be the same.
 *
 * @throws {DifferenceFound} when they differ
 */
export function requireSame<T extends string | bigint | number>(
  field: string,
  ours: T,
  theirs: T,
  transaction?: TransactionPlace,
): void {
  if (ours !== theirs) differ(field, ours, theirs, transaction);
}

/**
 * Requires two lists to be the same.
 *
 * @throws {DifferenceFound} when their lengths differ, otherwise at the first value that differs
 */
export function requireSameList(
  field: string,
  ours: readonly Felt[],
  theirs: readonly Felt[],
  transaction: TransactionPlace,
): void {
  requireSame(`${field}.length`, ours.length, theirs.length, transaction);
  for (const [i, value] of ours.entries()) {
    const other = theirs[i];
    if (other !== value) differ(`${field}[${i}]`, value, other ?? "nothing", transaction);
  }
}

/** A felt as hex, other values unchanged. */
function textOf(value: string | bigint | number): string {
  return typeof value === "bigint" ? hexFromFelt(value) : String(value);
}

/** Shortens long texts to the part from shortly before the first difference. */
function shownPair(ours: string, theirs: string): readonly [string, string] {
  if (ours.length <= MAX_SHOWN && theirs.length <= MAX_SHOWN) return [ours, theirs];
  let at = 0;
  while (at < ours.length && ours[at] === theirs[at]) at++;
  const from = Math.max(0, at - MAX_SHOWN / 3);
  const cut = (text: string): string => {
    const part = text.slice(from, from + MAX_SHOWN);
    return `${from > 0 ? "..." : ""}${part}${from + MAX_SHOWN < text.length ? "..." : ""}`;
  };
  return [cut(ours), cut(theirs)];
}
