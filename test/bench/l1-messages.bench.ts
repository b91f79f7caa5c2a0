/**
 * L1 messages compared with transfers, end to end: pre-signed transfers to fresh recipients, then
 * as many deposits to fresh recipients by messages from L1 (anvil) to a token bridge, each until
 * the last one is ACCEPTED_ON_L2; then single deposits, from their finality on L1 until their block
 * is accepted. Each pair is measured in one run, in alternating order. Prints rates, the ratio, and
 * seconds.
 *
 * Arguments: number of each (default 2000), rounds (default 3), single deposits (default 10).
 */
import { rawCall, resultOf, startChain } from "#test/helpers/binary.ts";
import { deposit, writeBridgeConfig } from "#test/helpers/bridge-config.ts";
import { executedMessages, L1Senders } from "#test/helpers/l1-senders.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { median } from "./pairs.ts";

const [count = 2_000, rounds = 3, singles = 10] = process.argv.slice(2).map(Number);
const ACCOUNTS = 200;
const CONNECTIONS = 64;

using folder = temporaryFolder();
const l1 = await L1Senders.start();
const chain = await startChain({
  basePath: folder.path,
  chainConfig: writeBridgeConfig(folder.path),
  args: [
    ...["--dev-accounts", String(ACCOUNTS), "--log-level", "warn"],
    ...["--l1-gas-price", "1", "--blob-gas-price", "1", "--strk-per-eth", "1"],
    ...l1.options(1),
  ],
}).catch(async (error: unknown) => {
  await l1.stop();
  throw error;
});

let recipient = 0x10_0000_0000n;
let sentMessages = 0;

/** Transfers per second. */
async function transfers(round: number): Promise<number> {
  const perAccount = Math.ceil(count / ACCOUNTS);
  const bodies = Array.from({ length: perAccount * ACCOUNTS }, (_, i) => {
    const nonce = BigInt(round * perAccount + Math.floor(i / ACCOUNTS));
    return signedTransfer("APPCHAIN_DEVNET", chain.signer(i % ACCOUNTS), nonce, recipient++);
  });
  const startedMs = performance.now();
  let next = 0;
  const post = async (): Promise<void> => {
    for (let i = next++; i < bodies.length; i = next++) {
      const headers = { "content-type": "application/json" };
      const body = bodies[i]?.body ?? "";
      await (await fetch(chain.url, { method: "POST", headers, body })).text();
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, post));
  for (const { hash } of bodies.slice(-ACCOUNTS)) await accepted(`0x${hash.toString(16)}`);
  return bodies.length / ((performance.now() - startedMs) / 1000);
}

/** Messages per second, counted from their finality on L1. */
async function messages(): Promise<number> {
  await l1.send(Array.from({ length: count }, () => deposit(recipient++)));
  sentMessages += count;
  const startedMs = performance.now();
  await l1.mine(1);
  await untilExecuted(sentMessages);
  return count / ((performance.now() - startedMs) / 1000);
}

/** Seconds from a message's finality on L1 until its block is accepted. */
async function single(): Promise<number> {
  await l1.send([deposit(recipient++)]);
  sentMessages++;
  const startedMs = performance.now();
  await l1.mine(1);
  await untilExecuted(sentMessages);
  return (performance.now() - startedMs) / 1000;
}

async function accepted(hash: string): Promise<void> {
  for (;;) {
    const { result } = await rawCall(chain.url, "starknet_getTransactionStatus", [hash]);
    const status = (result as { finality_status?: string } | undefined)?.finality_status;
    if (status === "ACCEPTED_ON_L2") return;
    await Bun.sleep(20);
  }
}

let executed = 0;
let looked = 0;
async function untilExecuted(total: number): Promise<void> {
  while (executed < total) {
    const newest = await resultOf<number>(chain, "starknet_blockNumber");
    if (newest >= looked) {
      executed += (await executedMessages(chain, looked, newest)).length;
      looked = newest + 1;
    }
    await Bun.sleep(20);
  }
}

try {
  const pairs: { readonly transfers: number; readonly messages: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const first = round % 2 === 0 ? await transfers(round) : await messages();
    const second = round % 2 === 0 ? await messages() : await transfers(round);
    const pair =
      round % 2 === 0
        ? { transfers: first, messages: second }
        : { transfers: second, messages: first };
    pairs.push(pair);
    console.log(
      `round ${round + 1}: ${pair.transfers.toFixed(0)} transfers/s, ${pair.messages.toFixed(0)} messages/s`,
    );
  }
  const ratio = median(pairs.map((pair) => pair.messages / pair.transfers));
  const seconds: number[] = [];
  for (let i = 0; i < singles; i++) seconds.push(await single());
  console.log(
    [
      `transfers/s: ${median(pairs.map((pair) => pair.transfers)).toFixed(0)}`,
      `messages/s: ${median(pairs.map((pair) => pair.messages)).toFixed(0)}`,
      `messages/s for each transfer/s, median of ${rounds}: ${ratio.toFixed(2)}`,
      `final on L1 to accepted, p50 of ${singles}: ${median(seconds).toFixed(2)} s`,
    ].join("\n"),
  );
} finally {
  await chain.stop();
  await l1.stop();
}
