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

/**
 * Maximum number of L1 messages in the index by which requests find them by their L1 transaction.
 */
export const INDEXED_MESSAGES = 50_000;

/**
 * Limits of waiting messages. A batch executes between transactions, and is verified on L1 right before.
 * Several hundred messages take one request there, and one second of execution.
 */
export const MESSAGE_LIMITS: MessageLimits = {
  heldMessages: 20_000,
  heldBytes: 64 * 2 ** 20,
  batchMessages: 200,
  batchBytes: 2 * 2 ** 20,
  heldBackMessages: 1_000,
  retryMs: { first: 1_000, most: 10_000 },
};

/** Dependencies of {@link messageWatch} and {@link messageListing}. */
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

/** Consumer of messages from L1; a full node only lists them. */
export interface MessageTaker extends L1MessageTaker {
  /** Number of messages that are final on L1 and in no block yet. */
  readonly backlog: number;
  stop(): void;
}

/** Creates a taker that executes messages from L1. */
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

/** Creates a taker that lists messages from L1 for requests. */
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
