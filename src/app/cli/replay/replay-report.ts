import { hexFromFelt } from "#base/primitives/index.ts";
import type { Difference, ReplayOutcome } from "#services/replay/index.ts";
import { printable } from "../printable.ts";

type Agreement = Extract<ReplayOutcome, { kind: "agrees" }>;

/** Formats a block that agrees: one line, plus one for each class whose code came from the node. */
export function agreementLines(outcome: Agreement): readonly string[] {
  const trusted = outcome.trustedClasses.map(
    (classHash) =>
      `  class ${hexFromFelt(classHash)}: uses the node's code, whose hints were not verified`,
  );
  return [agreementLine(outcome), ...trusted];
}

function agreementLine({ header, isGenesis }: Agreement): string {
  const { number, transactionCount: count, hash, newRoot } = header;
  const roots = `hash ${hexFromFelt(hash)}, state root ${hexFromFelt(newRoot)}`;
  if (isGenesis) {
    return `block ${number} agrees: the genesis, which has no transactions; only its hashes were recomputed; ${roots}`;
  }
  return `block ${number} agrees: ${count} ${count === 1 ? "transaction" : "transactions"}, ${roots}`;
}

/** Formats the first difference; the node's text is escaped for terminals. */
export function differenceLines(number: number, difference: Difference): readonly string[] {
  const { field, ours, theirs, transaction } = difference;
  const where =
    transaction === undefined
      ? []
      : [`  transaction ${transaction.index}: ${hexFromFelt(transaction.hash)}`];
  const lines = [
    `block ${number} differs: ${field}`,
    ...where,
    `  ours:   ${ours}`,
    `  theirs: ${theirs}`,
  ];
  return lines.map((line) => printable(line.replaceAll("\n", "\\n")));
}

/** Formats the last line after a replay of blocks `first` to `last`, inclusive, that all agree. */
export function summaryLine(first: number, last: number): string {
  return `${last - first + 1} blocks agree`;
}
