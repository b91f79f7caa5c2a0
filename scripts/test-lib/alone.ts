/**
 * End-to-end tests that run one after the other. Some load the chain with all that the machine has, and bound
 * how long an honest client waits beside it; some wait for compilers, whose processes have the lowest
 * priority and stand still beside such load.
 */
export const ALONE: readonly string[] = [
  "test/e2e/attacks.test.ts",
  "test/e2e/declare-life.test.ts",
  "test/e2e/declare.test.ts",
  "test/e2e/flood.test.ts",
  "test/e2e/hostile.test.ts",
  "test/e2e/websocket-attack.test.ts",
];
