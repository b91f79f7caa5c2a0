import { feltFromShortString, type Timer } from "#base/primitives/index.ts";
import type { L1Finality, L1Source } from "#io/l1/index.ts";
import type { ChainConfig } from "#protocol/config/index.ts";
import {
  type L1Alarm,
  type L1ChainPort,
  type L1MessageTaker,
  type MessageIndex,
  MessageListing,
  type MessageLimits,
  MessageWatch,
} from "#services/l1-watch/index.ts";
import type { L1Report } from "./reports/l1-report.ts";
import type { L1ProductionPorts } from "./l1-connection.ts";

/** Messages that are kept for who asks for them by the transaction on L1 that sent them. */
export const INDEXED_MESSAGES = 50_000;

/**
 * What is held of messages that wait. A batch is executed in turns with transactions, and looked at once
 * more on L1 before: some hundred are one request there, and a second of execution.
 */
export const MESSAGE_LIMITS: MessageLimits = {
  heldMessages: 20_000,
  heldBytes: 64 * 2 ** 20,
  batchMessages: 200,
  batchBytes: 2 * 2 ** 20,
  leftOutMessages: 1_000,
  retryMs: { first: 1_000, most: 10_000 },
};

/** What messages from L1 are taken with. */
export interface MessageTakerDeps {
  readonly source: Pick<L1Source, "view">;
  readonly finality: L1Finality;
  readonly config: Pick<ChainConfig, "chainId">;
  readonly chain: L1ChainPort;
  readonly report: Pick<L1Report, "message">;
  readonly timer: Timer;
  readonly index: MessageIndex;
  readonly onAlarm: (alarm: L1Alarm) => void;
}

/** Who takes messages from L1: on a full node they are only told of. */
export interface MessageTaker extends L1MessageTaker {
  /** Messages that count on L1 and are in no block yet. */
  readonly backlog: number;
  stop(): void;
}

/** Has messages from L1 executed. */
export function messageWatch(
  { config, report, ...deps }: MessageTakerDeps,
  execute: L1ProductionPorts["execute"],
): MessageTaker {
  return new MessageWatch({
    ...deps,
    chainId: feltFromShortString(config.chainId),
    limits: MESSAGE_LIMITS,
    yieldToOthers,
    execute,
    onEvent: (event) => report.message(event),
  });
}

/** Lists messages from L1 for who asks. */
export function messageListing({ config, chain, index }: MessageTakerDeps): MessageTaker {
  const chainId = feltFromShortString(config.chainId);
  const listing = new MessageListing({ chain, chainId, index, yieldToOthers });
  return {
    backlog: 0,
    begins: (fromBlock) => listing.begins(fromBlock),
    logs: (messages) => listing.logs(messages),
    step: () => listing.step(),
    reset: () => listing.reset(),
    stop: () => listing.reset(),
  };
}

function yieldToOthers(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
