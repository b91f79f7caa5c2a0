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

/**
 * End-to-end tests that wait for compilers, whose processes have the lowest priority and stand still beside
 * the load of others: one for each processor.
 */
export const COMPILING: readonly string[] = [
  "test/e2e/bootstrap.test.ts",
  "test/e2e/declare-life.test.ts",
  "test/e2e/declare.test.ts",
  "test/e2e/feeder-gateway.test.ts",
  "test/e2e/postman.test.ts",
  "test/e2e/snapshot-followed.test.ts",
  "test/e2e/snapshot-standby.test.ts",
  "test/e2e/snapshot.test.ts",
];

/** Attacks at small size. */
export const ATTACKING: readonly string[] = [
  "test/e2e/attacks.test.ts",
  "test/e2e/attacks-waiting.test.ts",
];
