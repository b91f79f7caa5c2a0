/**
 * End-to-end tests that run one after the other: they load the chain with all that the machine has, and
 * bound how long an honest client waits beside it.
 */
export const ALONE: readonly string[] = [
  "test/e2e/attacks.test.ts",
  "test/e2e/flood.test.ts",
  "test/e2e/hostile.test.ts",
  "test/e2e/websocket-attack.test.ts",
];

/** Tests that kill a process again and again: exhaustive runs alone have them. */
export const KILL_LOOPS: readonly string[] = [
  "test/e2e/kill.test.ts",
  "test/e2e/revert-kill.test.ts",
  "test/e2e/db-kill.test.ts",
];

/** Long stories whose steps are random by a seed: exhaustive runs alone have them. */
export const LONG_STORIES: readonly string[] = [
  "test/e2e/events-random.test.ts",
  "test/e2e/followed.test.ts",
  "test/e2e/history.test.ts",
  "test/e2e/revert-flood.test.ts",
  "test/e2e/rpc-fuzz.test.ts",
];

/** Attacks at small size. */
export const ATTACKING: readonly string[] = [
  "test/e2e/attacks.test.ts",
  "test/e2e/attacks-fences.test.ts",
  "test/e2e/attacks-gateways.test.ts",
  "test/e2e/attacks-keeping.test.ts",
  "test/e2e/attacks-large.test.ts",
  "test/e2e/attacks-untimed.test.ts",
  "test/e2e/attacks-waiting.test.ts",
];
