import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import { createHttpChannel, NodeClient } from "#io/client/index.ts";
import { requireNoFork } from "./require-no-fork.ts";
import { requireSpecVersion } from "./spec-version.ts";

/** Maximum size of a response in bytes; traces are decoded while they arrive, and may have any length. */
const MAX_ANSWER_BYTES = 256 << 20;

/** Settings of {@link connectChainNode}. */
export interface ChainNodeOptions {
  /** Address of the node's JSON-RPC. */
  readonly url: string;
  /** Deadline of one request in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum repetitions of a request that failed. */
  readonly retries: number;
  readonly signal: AbortSignal;
}

/** What a command does with the chain, for messages. */
export interface ChainUse {
  /** "settling" or "a replay" needs JSON-RPC 0.10. */
  readonly needs: string;
  /** A fork cannot be "settled" or "replayed". */
  readonly done: string;
}

/**
 * Creates the client of a node whose chain a command verifies by its state roots.
 *
 * @throws {NodeError} when the node does not answer, or lacks JSON-RPC 0.10
 * @throws {ConfigError} when its chain is a fork
 */
export async function connectChainNode(
  { url, timeoutMs, retries, signal }: ChainNodeOptions,
  { needs, done }: ChainUse,
): Promise<NodeClient> {
  const channel = createHttpChannel({
    url,
    timeoutMs,
    retries,
    maxAnswerBytes: MAX_ANSWER_BYTES,
    signal,
    timer: SYSTEM_TIMER,
  });
  const node = new NodeClient(channel);
  await requireSpecVersion(node, url, needs);
  await requireNoFork(channel, url, done);
  return node;
}
