import { readFileSync } from "node:fs";
import type { MessagingOrder } from "#api/rpc/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { MockMessaging } from "#io/l1/index.ts";
import artifact from "../../../../contracts/l1/MockStarknetMessaging.json" with { type: "file" };

/**
 * Publicly known key of the first account that Anvil and Hardhat fund.
 *
 * Source: the mnemonic "test test test test test test test test test test test junk".
 */
const DEVELOPMENT_KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";

/** Timeout of a single L1 response, in milliseconds; short, because a client waits for it. */
const ANSWER_MS = 5_000;

/** Maximum wait for an L1 that throttles requests, in milliseconds. */
const MAX_THROTTLE_MS = 1_000;

/** Timeout of all L1 work for one request, in milliseconds. */
const TIMEOUT_MS = 20_000;

/**
 * Connects to a development L1. Loads viem lazily, because other nodes do not need it.
 *
 * @param signal - aborts all requests to it
 * @throws {L1Error} as {@link MockMessaging.open}
 */
export async function openMessaging(
  { url, address, privateKey }: MessagingOrder,
  timer: Timer,
  signal: AbortSignal,
): Promise<MockMessaging> {
  const { L1_LIMITS, MockMessaging: Messaging } = await import("#io/l1/index.ts");
  // TypeScript types a JSON import by its content, but an import with type `file` is a path.
  const text = readFileSync(artifact as unknown as string, "utf8");
  const { bytecode } = JSON.parse(text) as { readonly bytecode: `0x${string}` };
  return Messaging.open({
    url,
    address,
    privateKey: privateKey ?? DEVELOPMENT_KEY,
    bytecode,
    timeoutMs: TIMEOUT_MS,
    limits: { ...L1_LIMITS, answerMs: ANSWER_MS, maxThrottleMs: MAX_THROTTLE_MS },
    timer,
    signal,
  });
}
