import { afterAll, beforeAll, expect, test } from "bun:test";
import { hash as selectors } from "starknet";
import { resultOf } from "#test/helpers/binary.ts";
import { BRIDGED_TOKEN, deposit, writeBridgeConfig } from "#test/helpers/bridge-config.ts";
import { integerOfEnvironment } from "#test/helpers/environment.ts";
import { executedMessages, L1Senders, type MessageToL2 } from "#test/helpers/l1-senders.ts";
import { statusFindings } from "#test/helpers/message-statuses.ts";
import { createRandom } from "#test/helpers/random.ts";
import { STRK } from "#test/helpers/tokens.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { useStoppedChain } from "#test/helpers/use-chain.ts";

/** Confirmations before a message counts. */
const DEPTH = 2;
const KILLS = bySize({ quick: 2, full: 3 });
const DEADLINE_MS = 30_000;
const SELECTOR = BigInt(selectors.getSelectorFromName("handle_deposit"));

const chain = useStoppedChain();
let l1: L1Senders;
let sent = 0;
let canceledNonce: number;

beforeAll(async () => {
  l1 = await L1Senders.start();
}, 30_000);

afterAll(() => l1.stop());

function start(): Promise<void> {
  const chainConfig = writeBridgeConfig(chain.folder.path);
  return chain.start({ chainConfig, args: ["--dev-accounts", "1", ...l1.options(DEPTH)] });
}

/** Message to a missing contract, or to one without such a handler. */
function message(value: number, to = 0x1234n): MessageToL2 {
  return { to, selector: SELECTOR, payload: [BigInt(value)] };
}

async function send(...messages: MessageToL2[]): Promise<readonly string[]> {
  sent += messages.length;
  const hashes = await l1.send(messages);
  await l1.mine(DEPTH);
  return hashes;
}

/** Waits until accepted blocks have this many messages. */
async function untilExecuted(count: number): Promise<void> {
  const until = performance.now() + DEADLINE_MS;
  while ((await executedMessages(chain)).length < count) {
    if (performance.now() > until) {
      throw new Error(`${(await executedMessages(chain)).length} of ${count}:\n${chain.output()}`);
    }
    await Bun.sleep(100);
  }
}

test("messages are consumed in order, also by contracts without the handler", async () => {
  await start();
  const sentMessages = [message(1), message(2, BigInt(STRK)), deposit(0xabcn), message(3)];
  const l1Hashes = await send(...sentMessages);
  await untilExecuted(sent);
  const messages = await executedMessages(chain);
  expect(messages.map(({ nonce }) => nonce)).toEqual([0, 1, 2, 3]);
  for (const [index, { hash }] of messages.entries()) {
    const receipt = await resultOf<Record<string, string>>(
      chain,
      "starknet_getTransactionReceipt",
      [hash],
    );
    const execution_status = index === 2 ? "SUCCEEDED" : "REVERTED";
    expect(receipt).toMatchObject({ type: "L1_HANDLER", execution_status });
    const statuses = await resultOf(chain, "starknet_getMessagesStatus", [l1Hashes[index]]);
    expect(statuses).toEqual([
      {
        transaction_hash: hash,
        finality_status: "ACCEPTED_ON_L2",
        execution_status,
        ...(index === 2 ? {} : { failure_reason: expect.any(String) }),
      },
    ]);
  }
  const balance = await chain.provider.callContract({
    contractAddress: BRIDGED_TOKEN,
    entrypoint: "balance_of",
    calldata: ["0xabc"],
  });
  expect(balance).toEqual(["0x1", "0x0"]);
}, 60_000);

test("a message whose cancellation started while the chain was down is skipped", async () => {
  await chain.stop();
  const canceled = message(4);
  const nonce = BigInt(sent);
  canceledNonce = sent;
  await send(canceled, message(5));
  await l1.cancel(canceled, nonce);
  await start();
  await untilExecuted(sent - 1);
  const nonces = (await executedMessages(chain)).map((executed) => BigInt(executed.nonce));
  expect(nonces).not.toContain(nonce);
  expect(nonces).toContain(nonce + 1n);
  expect(chain.output()).toContain(`nonce=${nonce}`);
}, 60_000);

test(`killed ${KILLS} times around blocks of messages, the chain executes each message once`, async () => {
  const seed = integerOfEnvironment("FUZZ_SEED") ?? Date.now() % 2 ** 32;
  console.log(`FUZZ_SEED=${seed}`);
  const random = createRandom(seed);
  const l1Hashes: string[] = [];
  let isOver = false;
  const findings = (async () => {
    const found: string[] = [];
    let looks = 0;
    for (; !isOver; await Bun.sleep(5)) {
      const l1Hash = l1Hashes[random.below(Math.max(1, l1Hashes.length))];
      if (l1Hash !== undefined) found.push(...(await statusFindings(chain, l1Hash)));
      looks++;
    }
    return { found, looks };
  })();
  for (let kill = 0; kill < KILLS; kill++) {
    const deposits = Array.from({ length: 20 }, (_, index) => deposit(BigInt(index + 1)));
    l1Hashes.push(...(await send(...deposits)));
    await Bun.sleep(random.below(2_500));
    await chain.stop("SIGKILL");
    await start();
  }
  await untilExecuted(sent - 1);
  isOver = true;
  expect((await findings).found).toEqual([]);
  expect((await findings).looks).toBeGreaterThan(KILLS);
  for (const l1Hash of l1Hashes) {
    const [status] = await resultOf<{ finality_status: string }[]>(
      chain,
      "starknet_getMessagesStatus",
      [l1Hash],
    );
    expect(status?.finality_status).toBe("ACCEPTED_ON_L2");
    expect(await statusFindings(chain, l1Hash)).toEqual([]);
  }
  const nonces = (await executedMessages(chain)).map(({ nonce }) => nonce);
  expect(nonces).toEqual(
    Array.from({ length: sent }, (_, nonce) => nonce).filter((n) => n !== canceledNonce),
  );
  expect(await chain.stop()).toBe(0);
}, 120_000);
