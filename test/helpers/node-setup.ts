import type { NodeSetup } from "#app/node/setup/setup.ts";
import { defaultsOf, threadOptions } from "#app/options/index.ts";
import { createClockPage, createL1PricesPage } from "#services/sequencer/index.ts";
import { METHOD_LIMITS } from "./serving.ts";

const { executionMemoryBytes: _ofTheComputer, ...threads } = defaultsOf(threadOptions);

/**
 * Members of a thread's setup with the defaults of an ordinary node, without development features.
 */
export const ORDINARY_SETUP = {
  ...threads,
  l1PricesPage: createL1PricesPage(),
  clockPage: createClockPage(),
  followsL1: false,
  freePolicy: "untilToken",
  devnet: null,
  follow: null,
  fork: null,
  gate: null,
  warmUpTransfers: 0,
  hashThreads: 0,
  explorer: false,
  storage: {},
  methodLimits: METHOD_LIMITS,
  maxAnswerBytes: 64 << 20,
} as const satisfies Partial<NodeSetup>;
