import { ASYNC_SUBMISSION, resultOf, type RunningChain, startChain } from "#test/helpers/binary.ts";
import { integerOfEnvironment } from "#test/helpers/environment.ts";
import { executedMessages, L1Senders } from "#test/helpers/l1-senders.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import { createRandom } from "#test/helpers/random.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import type { Attack, AttackReport, AttackScale } from "./attack.ts";

const DEPTH = 1;
const SENDERS = 8;
const CHAIN_ID = "APPCHAIN_DEVNET";
const SHORTEST_LIFE_MS = 300;
const END_MS = 120_000;

/** Gas prices that signed transfers can pay. */
const CHEAP = ["--l1-gas-price", "1", "--blob-gas-price", "1", "--strk-per-eth", "1"];
/** Fewer transfers would mean that messages starve them. */
const FEWEST_TRANSFERS_PER_SECOND = 2;

interface Size {
  readonly messages: number;
  readonly kills: number;
  readonly transfersPerSecond: number;
  readonly longestLifeMs: number;
}

const SIZES: Readonly<Record<AttackScale, Size>> = {
  small: { messages: 60, kills: 1, transfersPerSecond: 60, longestLifeMs: 800 },
  full: { messages: 2_000, kills: 20, transfersPerSecond: 200, longestLifeMs: 2_500 },
};

/** Transfers of some accounts at a steady rate, over all restarts of a chain. */
class Transfers {
  readonly #nonces = Array.from({ length: SENDERS }, () => 0);
  #isOver = false;

  get accepted(): number {
    return this.#nonces.reduce((sum, nonce) => sum + nonce, 0);
  }

  end(): void {
    this.#isOver = true;
  }

  /** Sends the transfers of one account, each until its receipt is confirmed. */
  async send(chain: () => RunningChain, index: number, perSecond: number): Promise<void> {
    const pauseMs = (SENDERS * 1000) / perSecond;
    const headers = { "content-type": "application/json" };
    let due = performance.now();
    while (!this.#isOver) {
      due = Math.max(due + pauseMs, performance.now() - 1000);
      await Bun.sleep(Math.max(1, due - performance.now()));
      const { url } = chain();
      const nonce = BigInt(this.#nonces[index] ?? 0);
      const { body } = signedTransfer(CHAIN_ID, chain().signer(index), nonce, 0xabcn);
      try {
        const response = await fetch(url, { method: "POST", headers, body });
        const { error } = (await response.json()) as { error?: { code: number } };
        // Received before a kill that cut off the response.
        const isKnown = error?.code === 59 || error?.code === 52;
        if (error === undefined || isKnown) this.#nonces[index] = Number(nonce) + 1;
      } catch {
        await Bun.sleep(20);
      }
    }
  }

  /** Whether accepted blocks have all received transfers. */
  async areAccepted(chain: RunningChain): Promise<boolean> {
    const nonces = await Promise.all(
      this.#nonces.map((_, index) =>
        resultOf<string>(chain, "starknet_getNonce", ["latest", chain.accounts[index]?.address]),
      ),
    );
    return nonces.every((nonce, index) => Number(nonce) === this.#nonces[index]);
  }
}

async function run(scale: AttackScale): Promise<AttackReport> {
  const { messages, kills, transfersPerSecond, longestLifeMs } = SIZES[scale];
  const seed = integerOfEnvironment("FUZZ_SEED") ?? Date.now() % 2 ** 32;
  const random = createRandom(seed);
  using folder = temporaryFolder();
  const l1 = await L1Senders.start();
  const args = ["--dev-accounts", String(SENDERS), ...l1.options(DEPTH), ...CHEAP];
  const options = { basePath: folder.path, args, env: ASYNC_SUBMISSION };
  let chain = await startChain(options).catch(async (error: unknown) => {
    await l1.stop();
    throw error;
  });
  const transfers = new Transfers();
  const sending = Promise.all(
    Array.from({ length: SENDERS }, (_, index) =>
      transfers.send(() => chain, index, transfersPerSecond),
    ),
  );
  try {
    const startedMs = performance.now();
    for (let kill = 0, sent = 0; kill < kills; kill++) {
      const count = Math.floor((messages * (kill + 1)) / kills) - sent;
      await l1.send(
        Array.from({ length: count }, (_, index) => ({
          to: 0x1234n,
          selector: 0x5e1n,
          payload: [BigInt(sent + index)],
        })),
      );
      sent += count;
      await l1.mine(DEPTH);
      await Bun.sleep(SHORTEST_LIFE_MS + random.below(longestLifeMs - SHORTEST_LIFE_MS));
      await chain.stop("SIGKILL");
      chain = await startChain(options);
    }
    const nonces = await untilAll(chain, messages);
    const seconds = (performance.now() - startedMs) / 1000;
    transfers.end();
    await sending;
    const until = performance.now() + END_MS;
    let areAccepted = await transfers.areAccepted(chain);
    while (!areAccepted && performance.now() < until) {
      await Bun.sleep(200);
      areAccepted = await transfers.areAccepted(chain);
    }
    const isInOrder = nonces.every((nonce, index) => nonce === index);
    const isStarved = transfers.accepted < seconds * FEWEST_TRANSFERS_PER_SECOND;
    const held = isInOrder && nonces.length === messages && areAccepted && !isStarved;
    return {
      held,
      figures:
        `${nonces.length} of ${messages} messages, ${isInOrder ? "each once, in order" : "NOT each once in order"}, ` +
        `beside ${transfers.accepted} transfers${isStarved ? " (STARVED)" : ""}, ${areAccepted ? "all accepted" : "NOT all accepted"}, ` +
        `in ${seconds.toFixed(0)} s with ${kills} kills (FUZZ_SEED=${seed})`,
    };
  } finally {
    transfers.end();
    await chain.stop();
    await sending;
    await l1.stop();
  }
}

/** Nonces of the messages in accepted blocks once there are enough, or at the timeout. */
async function untilAll(chain: RunningChain, count: number): Promise<readonly number[]> {
  const until = performance.now() + END_MS;
  const found: number[] = [];
  for (let block = 0; ;) {
    const newest = await resultOf<number>(chain, "starknet_blockNumber");
    if (newest >= block) {
      const executed = await executedMessages(chain, block, newest);
      found.push(...executed.map(({ nonce }) => nonce));
      block = newest + 1;
    }
    if (found.length >= count || performance.now() > until) return found;
    await Bun.sleep(200);
  }
}

/** L1 messages in parallel with transfers, through kills. */
export const L1_MESSAGES: Attack = {
  name: "l1-messages",
  about: "executes a backlog of L1 messages once and in order during transfers, through kills",
  run,
};
