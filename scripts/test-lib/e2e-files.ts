/** Property of an end-to-end test file that the runner needs to know. */
type Trait =
  /** Loads the chain with the whole machine, and asserts an upper bound on the wait of an honest client. */
  | "loads"
  /** Kills a process repeatedly: runs only in exhaustive runs. */
  | "kills"
  /** A long test with random steps from a seed: runs only in exhaustive runs. */
  | "long"
  /** Attacks at small size: a quick run has a third of them; a full run has all of them at full size instead. */
  | "attacks";

/** Files with a trait, from `test/e2e`. */
const FILES: Readonly<Record<string, readonly Trait[]>> = {
  "attacks-requests": ["attacks", "loads"],
  "attacks-work": ["attacks", "loads"],
  flood: ["loads"],
  hostile: ["loads"],
  "websocket-attack": ["loads"],
  "attacks-keeping": ["attacks"],
  "attacks-large": ["attacks"],
  "attacks-fences": ["attacks"],
  "attacks-gateways": ["attacks"],
  "attacks-origins": ["attacks"],
  "attacks-untimed": ["attacks"],
  "attacks-waiting": ["attacks"],
  "db-kill": ["kills"],
  kill: ["kills"],
  "revert-kill": ["kills"],
  "events-random": ["long"],
  followed: ["long"],
  history: ["long"],
  "revert-flood": ["long"],
  "rpc-fuzz": ["long"],
};

function filesThat(trait: Trait): readonly string[] {
  return Object.entries(FILES)
    .filter(([, traits]) => traits.includes(trait))
    .map(([name]) => `test/e2e/${name}.test.ts`);
}

/** End-to-end tests that load the chain: they run after all others. */
export const LOADING_FILES: readonly string[] = filesThat("loads");

/** Loops of kills. */
export const KILL_LOOPS: readonly string[] = filesThat("kills");

/** Long random stories. */
export const LONG_STORIES: readonly string[] = filesThat("long");

/** Attacks at small size. */
export const SMALL_ATTACKS: readonly string[] = filesThat("attacks");

/** Number of groups of small attacks, of about the same cost. */
const ATTACK_GROUPS = 3;

/** One of the groups of {@link SMALL_ATTACKS}; the commit's hash decides which one. */
export function smallAttacksOf(commit: string): readonly string[] {
  const group = Number(BigInt(`0x${commit}`) % BigInt(ATTACK_GROUPS));
  return SMALL_ATTACKS.filter((_file, at) => at % ATTACK_GROUPS === group);
}
