import { type Option, type OptionTable, type OptionUser, optionsIn } from "./option.ts";

/** Groups of a node's options, in the order of help and documentation. Other groups keep their own order. */
const GROUPS: readonly string[] = [
  "Chain",
  "Threads and memory",
  "Compiler",
  "Storage",
  "JSON-RPC",
  "JSON-RPC limits",
  "L1 and prices",
  "Development chains",
  "Forks",
  "Full nodes",
  "Several machines",
  "Other endpoints",
  "Logs",
];

/** Users by the words for them in help. Options for `--preset devnet` name it in their summary. */
const USERS: Readonly<Record<OptionUser, string>> = {
  sequencer: " (sequencers only)",
  full: " (full nodes only)",
  follower: "",
  devnet: "",
};

/** The options of a table by group. */
export function optionGroups(
  table: OptionTable,
): readonly (readonly [group: string, options: readonly Option<unknown>[]])[] {
  const groups = [...Map.groupBy(optionsIn(table), ({ group }) => group)];
  return groups.sort(([left], [right]) => GROUPS.indexOf(left) - GROUPS.indexOf(right));
}

/** Meaning of an option and the nodes that use it. */
export function meaningOf({ summary, usedBy }: Option<unknown>): string {
  return usedBy === undefined ? summary : summary + USERS[usedBy];
}
