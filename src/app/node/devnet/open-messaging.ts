import { readFileSync } from "node:fs";
import type { MessagingOrder } from "#api/rpc/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { MockMessaging } from "#io/l1/index.ts";
import artifact from "../../../../contracts/l1/MockStarknetMessaging.json" with { type: "file" };

/**
 * Key of the first account that Anvil and Hardhat fund, known to everybody.
 *
 * Source: the mnemonic "test test test test test test test test test test test junk".
 */
const DEVELOPMENT_KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";

/** How long an answer of L1 may take, milliseconds: somebody waits for it. */
const ANSWER_MS = 5_000;

/** How long an L1 that asks for it is waited for, milliseconds. */
const MAX_THROTTLE_MS = 1_000;

/** How long L1 may take for what one request has it do, milliseconds. */
const TIMEOUT_MS = 20_000;

/**
 * Reaches an L1 for development. viem, which that takes, is not loaded before.
 *
 * @param signal - ends everything that is asked there
 * @throws {L1Error} as {@link MockMessaging.open}
 */
export async function openMessaging(
  { url, address, privateKey }: MessagingOrder,
  timer: Timer,
  signal: AbortSignal,
): Promise<MockMessaging> {
  const { L1_LIMITS, MockMessaging: Messaging } = await import("#io/l1/index.ts");
  // TypeScript types a JSON import by its content; as `file` it is a path.
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
