import { describe, expect, test } from "bun:test";
import { hexFromFelt } from "#base/primitives/index.ts";
import { rawCall, resultOf, type RunningChain } from "#test/helpers/binary.ts";
import { signedTransfer, type SignedTransfer } from "#test/helpers/load.ts";
import { WsClient } from "#test/helpers/ws-client.ts";
import { NO_ESTIMATE, STRK, strkBalance, transferCall } from "#test/helpers/tokens.ts";
import { untilTrue } from "#test/helpers/until-true.ts";
import { useChain } from "#test/helpers/use-chain.ts";

const MANY = 15;
const L1_CONTRACT = "0x8359E4B0152ed5A731162D3c7B0D8D56edB165A0";
/** More than the cost of a transfer, less than the maximum fee that these transfers offer. */
const LEFT_OVER = 10n ** 13n;
const BALANCE = 10n ** 18n;
/** Far below the 30 s after which the node responds whatever the state of the transaction. */
const AT_ONCE_MS = 15_000;

function transfer(chain: RunningChain, sender: number, nonce: bigint, amount = 1n): SignedTransfer {
  const signer = chain.signer(sender);
  return signedTransfer("APPCHAIN_DEVNET", signer, nonce, 0x9000n + BigInt(sender), amount);
}

async function post(chain: RunningChain, { body }: Pick<SignedTransfer, "body">): Promise<unknown> {
  return (await fetch(chain.url, { method: "POST", body })).json();
}

const statusOf = (chain: RunningChain, { hash }: SignedTransfer) =>
  rawCall(chain.url, "starknet_getTransactionStatus", [hexFromFelt(hash)]);

const received = { result: { transaction_hash: expect.any(String) } };

/**
 * Sends three transactions of one account in a batch: the first spends what the second needs, the
 * third follows both. If the first executes before the second is validated, the second is rejected
 * instead of dropped; then the next account tries.
 */
async function overdrawn(
  chain: RunningChain,
  senders: readonly number[],
): Promise<{ readonly dropped: SignedTransfer; readonly answers: readonly unknown[] }> {
  let answers: readonly unknown[] = [];
  let dropped = transfer(chain, 0, 1n);
  for (const sender of senders) {
    const bodies = [BALANCE - LEFT_OVER, 1n, 1n].map(
      (amount, nonce) => transfer(chain, sender, BigInt(nonce), amount).body,
    );
    answers = (await post(chain, { body: `[${bodies.join(",")}]` })) as readonly unknown[];
    dropped = transfer(chain, sender, 1n);
    if (!JSON.stringify(answers).includes('"error"')) break;
  }
  return { dropped, answers };
}

describe("with a block per transaction, once a submission is acknowledged", () => {
  const chain = useChain({ args: ["--dev-balance", String(BALANCE)] });

  test("every read has the transaction, on any connection and thread", async () => {
    const account = chain.account(0);
    for (let sent = 1; sent <= MANY; sent++) {
      const { transaction_hash: hash } = await account.execute(
        transferCall("0x77", 1n),
        NO_ESTIMATE,
      );
      const [nonce, receipt, latest, traced, balance] = await Promise.all([
        resultOf(chain, "starknet_getNonce", ["latest", account.address]),
        resultOf(chain, "starknet_getTransactionReceipt", [hash]),
        resultOf(chain, "starknet_getBlockWithTxHashes", ["latest"]),
        resultOf(chain, "starknet_traceTransaction", [hash]),
        strkBalance(chain.provider, "0x77"),
      ]);
      expect([Number(nonce), balance]).toEqual([sent, BigInt(sent)]);
      expect(receipt).toMatchObject({ finality_status: "ACCEPTED_ON_L2" });
      expect((latest as { transactions: string[] }).transactions).toEqual([hash]);
      expect(traced).toMatchObject({ type: "INVOKE" });
    }
  }, 60_000);

  test("the same connection reads the new nonce, also over a WebSocket", async () => {
    const client = await WsClient.open(chain.url.replace("http", "ws"));
    const { address } = chain.accounts[1] ?? {};
    for (let nonce = 0n; nonce < 5n; nonce++) {
      const { method, params } = JSON.parse(transfer(chain, 1, nonce).body) as {
        readonly method: string;
        readonly params: unknown;
      };
      expect(await client.ask(method, params)).toMatchObject(received);
      const { result } = await client.ask("starknet_getNonce", ["latest", address]);
      expect(result).toBe(hexFromFelt(nonce + 1n));
    }
    client.close();
  }, 60_000);

  test("transactions submitted concurrently are acknowledged in any order", async () => {
    const transfers = Array.from({ length: MANY }, (_, nonce) => transfer(chain, 2, BigInt(nonce)));
    // Highest nonce first: each has a nonce gap before it and is acknowledged nevertheless.
    const answers = await Promise.all(transfers.toReversed().map((one) => post(chain, one)));
    expect(answers).toEqual(transfers.map(() => expect.objectContaining(received)));
    // The response to the first waits until its block is accepted; the others follow it.
    const first = transfers[0] as SignedTransfer;
    expect((await statusOf(chain, first)).result).toMatchObject({
      finality_status: "ACCEPTED_ON_L2",
    });
  }, 60_000);

  test("minted tokens are in the latest balance", async () => {
    for (let minted = 1n; minted <= 10n; minted++) {
      await resultOf(chain, "devnet_mint", { address: "0x99", amount: 7 });
      expect(await strkBalance(chain.provider, "0x99")).toBe(minted * 7n);
    }
  }, 60_000);

  test("L1 messages, created blocks and storage writes are visible", async () => {
    const message = {
      l2_contract_address: STRK,
      entry_point_selector: "0x12",
      l1_contract_address: L1_CONTRACT,
      payload: [],
      paid_fee_on_l1: "0x1",
      nonce: "0x0",
    };
    const sent = (await resultOf(chain, "devnet_postmanSendMessageToL2", message)) as {
      transaction_hash: string;
    };
    const hash = sent.transaction_hash;
    expect(await resultOf(chain, "starknet_getTransactionReceipt", [hash])).toMatchObject({
      finality_status: "ACCEPTED_ON_L2",
    });
    const made = await resultOf(chain, "devnet_createBlock", {});
    const latest = await resultOf(chain, "starknet_getBlockWithTxHashes", ["latest"]);
    expect(latest).toMatchObject(made as object);
    await resultOf(chain, "dev_setStorageAt", ["0x777", "0x5", "0x6"]);
    const written = await resultOf(chain, "starknet_getStorageAt", ["0x777", "0x5", "latest"]);
    expect(written).toBe("0x6");
  }, 60_000);

  test("a transaction with a nonce gap and one that is dropped are acknowledged promptly", async () => {
    const startedMs = performance.now();
    const gap = transfer(chain, 3, 2n);
    expect(await post(chain, gap)).toMatchObject(received);
    expect((await statusOf(chain, gap)).result).toMatchObject({ finality_status: "RECEIVED" });
    const { dropped, answers } = await overdrawn(chain, [4, 6, 7, 8]);
    expect(answers).toEqual([0, 1, 2].map(() => expect.objectContaining(received)));
    expect((await statusOf(chain, dropped)).error?.data).toContain("rejected: ");
    expect(performance.now() - startedMs).toBeLessThan(AT_ONCE_MS);
  }, 60_000);

  test("pending requests get a response when the node stops", async () => {
    const transfers = Array.from({ length: 4 }, (_, nonce) => transfer(chain, 5, BigInt(nonce)));
    const [first] = transfers as [SignedTransfer];
    const answers = Promise.allSettled(transfers.map((one) => post(chain, one)));
    // At least one request has arrived before the node stops.
    const hasArrived = async () => (await statusOf(chain, first)).result !== undefined;
    expect(await untilTrue(hasArrived)).toBe(true);
    expect(await chain.stop()).toBe(0);
    // Received, or rejected because the node was stopping; no connection hangs without a response.
    const responses = (await answers).flatMap((one) =>
      one.status === "fulfilled" ? [one.value] : [],
    );
    expect(responses.length).toBeGreaterThan(0);
    for (const answer of responses) expect(answer).toHaveProperty("id");
    await chain.start({});
  }, 60_000);
});

describe("with blocks on request, once a submission is acknowledged", () => {
  const chain = useChain({ args: ["--block-generation-on", "demand"] });

  test("only the pre-confirmed block has the transaction", async () => {
    const account = chain.account(0);
    for (let sent = 1; sent <= MANY; sent++) {
      const { transaction_hash: hash } = await account.execute(transferCall("0x77", 1n), {
        ...NO_ESTIMATE,
        nonce: sent - 1,
      });
      expect(await resultOf(chain, "starknet_getTransactionReceipt", [hash])).toMatchObject({
        finality_status: "PRE_CONFIRMED",
      });
      const nonces = await Promise.all(
        ["pre_confirmed", "latest"].map((tag) =>
          resultOf(chain, "starknet_getNonce", [tag, account.address]),
        ),
      );
      expect(nonces.map(Number)).toEqual([sent, 0]);
    }
    await resultOf(chain, "devnet_mint", { address: "0x99", amount: 7 });
    expect(await strkBalance(chain.provider, "0x99", "pre_confirmed")).toBe(7n);
    await resultOf(chain, "devnet_createBlock", {});
    expect(await strkBalance(chain.provider, "0x77")).toBe(BigInt(MANY));
  }, 60_000);
});
