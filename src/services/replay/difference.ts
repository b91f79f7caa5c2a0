import { AppError } from "#base/errors/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";

/** A transaction by its place in the block, from 0, and its hash. */
export interface TransactionPlace {
  readonly index: number;
  readonly hash: Felt;
}

/** The first thing in which a block is not what its node says. */
export interface Difference {
  /** The field, by the specification's names, and where it stands: `header.state_diff_commitment`. */
  readonly field: string;
  readonly ours: string;
  readonly theirs: string;
  /** The transaction whose field it is. */
  readonly transaction?: TransactionPlace;
}

/** Ends a replay: the block differs, or an answer about it is not true. */
export class DifferenceFound extends AppError {
  readonly difference: Difference;

  constructor(difference: Difference) {
    const { field, ours, theirs } = difference;
    super("REPLAY_DIFFERS", `${field}: ours ${ours}, theirs ${theirs}`);
    this.difference = difference;
  }
}

/** Longest text of a value that is shown. */
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
 * Ends a replay when two values are not the same.
 *
 * @throws {DifferenceFound} then
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
 * Ends a replay when two lists are not the same, at the first value that is another one.
 *
 * @throws {DifferenceFound} then
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

/** A felt as hex, anything else as it is. */
function textOf(value: string | bigint | number): string {
  return typeof value === "bigint" ? hexFromFelt(value) : String(value);
}

/** Long texts are shown from a little before the place where they part. */
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
