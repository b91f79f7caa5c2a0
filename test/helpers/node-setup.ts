import type { NodeSetup } from "#app/node/setup/setup.ts";
import { createClockPage, createL1PricesPage } from "#services/sequencer/index.ts";
import { METHOD_LIMITS } from "./serving.ts";

/** Setup members of an ordinary node that operators can change. */
export const ORDINARY_SETUP = {
  l1PricesPage: createL1PricesPage(),
  clockPage: createClockPage(),
  followsL1: false,
  freePolicy: "untilToken",
  devnet: null,
  follow: null,
  gate: null,
  warmUpTransfers: 0,
  maxSteps: null,
  hashThreads: 0,
  startTimeoutMs: 30_000,
  admissionThreads: 1,
  storage: {},
  methodLimits: METHOD_LIMITS,
  maxAnswerBytes: 64 << 20,
} as const satisfies Partial<NodeSetup>;
