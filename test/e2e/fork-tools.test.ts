import { beforeAll, describe, expect, test } from "bun:test";
import { Account, hash } from "starknet";
import { hexFromFelt } from "#base/primitives/index.ts";
import { balanceKey } from "#engine/execution/index.ts";
import { rawCall, resultOf, type RunningChain } from "#test/helpers/binary.ts";
import { NO_ESTIMATE, STRK, strkBalance, transferCall } from "#test/helpers/tokens.ts";
import { useChain, useStoppedChain } from "#test/helpers/use-chain.ts";

const RECIPIENT = "0x1a57";
/** Different accounts than those of the forked network. */
const SEED = ["--seed", "77"];

interface Newest {
  readonly block_number: number;
  readonly block_hash: string;
}

const latest = (chain: RunningChain): Promise<number> => resultOf(chain, "starknet_blockNumber");

const newest = (chain: RunningChain): Promise<Newest> =>
  resultOf(chain, "starknet_blockHashAndNumber");

/** Hashes of the transactions of a block. */
async function transactionsOf(chain: RunningChain, block: number): Promise<readonly bigint[]> {
  const traces = await resultOf<readonly { readonly transaction_hash: string }[]>(
    chain,
    "starknet_traceBlockTransactions",
    [{ block_number: block }],
  );
  return traces.map(({ transaction_hash }) => BigInt(transaction_hash));
}

/** Sends a transfer for an account of the chain without its key. */
async function transferAs(chain: RunningChain, address: string, nonce: number, amount: bigint) {
  const account = new Account({ provider: chain.provider, address, signer: "0xbad" });
  const call = transferCall(RECIPIENT, amount);
  const { transaction_hash } = await account.execute(call, { ...NO_ESTIMATE, nonce });
  return transaction_hash;
}

describe("on a fork", () => {
  const origin = useChain();
  const fork = useStoppedChain(() => ({ args: ["--fork-url", `${origin.url}/rpc`, ...SEED] }));
  let whale = "";

  beforeAll(async () => {
    whale = origin.accounts[0]?.address ?? "";
    await origin.account(0).execute(transferCall(RECIPIENT, 100n), NO_ESTIMATE);
    await fork.start();
  }, 60_000);

  test("an account of the forked network is impersonated with its nonce and its tokens", async () => {
    await resultOf(fork, "devnet_impersonateAccount", [whale]);
    await transferAs(fork, whale, 1, 11n);
    expect(await strkBalance(fork.provider, RECIPIENT)).toBe(111n);
    expect(await strkBalance(origin.provider, RECIPIENT)).toBe(100n);
  }, 30_000);

  test("a balance in a token of the forked network is set, and spent", async () => {
    const amount = 10n ** 30n;
    const params = { token: STRK, account: whale, amount: String(amount) };
    await resultOf(fork, "devnet_setErc20Balance", params);
    expect(await strkBalance(fork.provider, whale)).toBe(amount);
    await transferAs(fork, whale, 2, 10n ** 29n);
    expect(await strkBalance(fork.provider, RECIPIENT)).toBe(111n + 10n ** 29n);
  }, 30_000);

  test("storage, nonce and class of a contract of the forked network are set", async () => {
    const key = hexFromFelt(balanceKey(BigInt(RECIPIENT)));
    await resultOf(fork, "dev_setStorageAt", [STRK, key, "0x7"]);
    expect(await strkBalance(fork.provider, RECIPIENT)).toBe(7n);
    const accountClass = await resultOf<string>(origin, "starknet_getClassHashAt", [
      "latest",
      whale,
    ]);
    const state_diff = {
      nonces: [{ contract_address: whale, nonce: "0x0" }],
      storage_diffs: [{ address: STRK, storage_entries: [{ key, value: "0x9" }] }],
      replaced_classes: [{ contract_address: STRK, class_hash: accountClass }],
    };
    await resultOf(fork, "devnet_applyStateDiff", { state_diff });
    expect(await resultOf(fork, "starknet_getStateUpdate", ["latest"])).toMatchObject({
      state_diff: {
        nonces: [{ nonce: "0x0" }],
        replaced_classes: [{ class_hash: accountClass }],
        storage_diffs: [{ storage_entries: [{ key, value: "0x9" }] }],
      },
    });
    const unknown = {
      ...state_diff,
      replaced_classes: [{ contract_address: STRK, class_hash: "0x5" }],
    };
    const { error } = await rawCall(fork.url, "devnet_applyStateDiff", { state_diff: unknown });
    expect(error).toMatchObject({ code: 28 });
  }, 30_000);

  test("balances, settings and messages work with contracts of the forked network", async () => {
    const config = await resultOf<Record<string, unknown>>(fork, "devnet_getConfig");
    expect(config["fork_config"]).toMatchObject({ url: `${origin.url}/`, block_number: 1 });
    const known = { address: origin.accounts[1]?.address ?? "" };
    expect(await resultOf(fork, "devnet_getAccountBalance", known)).toEqual(
      await resultOf(origin, "devnet_getAccountBalance", known),
    );
    await resultOf(fork, "devnet_restart");
    expect(await resultOf(fork, "devnet_mint", { address: "0x4321", amount: 5 })).toMatchObject({
      new_balance: "5",
    });
    const { transaction_hash } = await resultOf<{ readonly transaction_hash: string }>(
      fork,
      "devnet_postmanSendMessageToL2",
      {
        l2_contract_address: STRK,
        entry_point_selector: hash.getSelectorFromName("unknown"),
        l1_contract_address: `0x${"1".padStart(40, "0")}`,
        payload: ["0x1"],
        paid_fee_on_l1: "0x1",
        nonce: "0x5",
      },
    );
    expect(await transactionsOf(fork, await latest(fork))).toEqual([BigInt(transaction_hash)]);
    const unknown = { l2_contract_address: "0x987654" };
    const { error } = await rawCall(fork.url, "devnet_postmanSendMessageToL2", {
      ...unknown,
      entry_point_selector: "0x1",
      l1_contract_address: `0x${"1".padStart(40, "0")}`,
      payload: [],
      paid_fee_on_l1: "0x1",
      nonce: "0x6",
    });
    expect(error).toMatchObject({ code: 20 });
    expect(await resultOf(fork, "devnet_postmanFlush", { dry_run: true })).toMatchObject({
      messages_to_l1: [],
    });
  }, 30_000);

  test("devnet_restart keeps the fork, and discards the rest", async () => {
    expect(await latest(fork)).toBeGreaterThan(2);
    await resultOf(fork, "devnet_restart");
    expect(await latest(fork)).toBe(2);
    expect(await strkBalance(fork.provider, RECIPIENT)).toBe(100n);
    const { error } = await rawCall(fork.url, "devnet_abortBlocks", [{ block_number: 1 }]);
    expect(error).toMatchObject({
      code: -1,
      message: expect.stringContaining("forked network") as string,
    });
  }, 30_000);
});

describe("the dump of a fork", () => {
  const origin = useChain();
  const dumping = ["--dump-on", "request", ...SEED];
  const fork = useStoppedChain(() => ({ args: ["--fork-url", `${origin.url}/rpc`, ...dumping] }));

  test("is loaded into a fork of the same block, and refused elsewhere", async () => {
    await fork.start();
    const params = { token: STRK, account: RECIPIENT, amount: 5 };
    await resultOf(fork, "devnet_setErc20Balance", params);
    const before = await newest(fork);
    const dump = await resultOf<readonly { readonly id: unknown }[]>(fork, "devnet_dump");
    const { block_hash } = await newest(origin);
    expect(dump[0]?.id).toBe(`appchain:fork:0:${block_hash}:APPCHAIN_DEVNET`);
    const refused = await rawCall(origin.url, "devnet_load", { dump });
    expect(refused.error).toMatchObject({
      message: `the dump is of a fork of block 0 (${block_hash}) of APPCHAIN_DEVNET, and this chain is no fork`,
    });
    await resultOf(fork, "devnet_load", { dump });
    expect(await newest(fork)).toEqual(before);
    expect(await strkBalance(fork.provider, RECIPIENT)).toBe(5n);
  }, 60_000);
});

describe("a fork before a transaction", () => {
  const origin = useChain({ args: ["--block-generation-on", "demand"] });
  const fork = useStoppedChain();

  test("has the transactions before it in its first block, and executes it with other calldata", async () => {
    const { address } = origin.account(0);
    await resultOf(origin, "devnet_impersonateAccount", [address]);
    const sent = [
      (await origin.account(1).execute(transferCall(RECIPIENT, 20n), { ...NO_ESTIMATE, nonce: 0 }))
        .transaction_hash,
      await resultOf<{ readonly transaction_hash: string }>(
        origin,
        "devnet_postmanSendMessageToL2",
        {
          l2_contract_address: STRK,
          entry_point_selector: hash.getSelectorFromName("unknown"),
          l1_contract_address: `0x${"1".padStart(40, "0")}`,
          payload: ["0x1"],
          paid_fee_on_l1: "0x1",
          nonce: "0x5",
        },
      ).then(({ transaction_hash }) => transaction_hash),
      (await origin.account(2).execute(transferCall(RECIPIENT, 300n), { ...NO_ESTIMATE, nonce: 0 }))
        .transaction_hash,
    ] as const;
    await resultOf(origin, "devnet_createBlock");
    await resultOf(origin, "devnet_createBlock");
    expect(await transactionsOf(origin, 1)).toEqual(sent.map(BigInt));
    const args = ["--fork-url", `${origin.url}/rpc`, "--fork-transaction", sent[2], ...SEED];
    await fork.start({ args });
    const first = await newest(fork);
    expect(first.block_number).toBe(1);
    expect(await transactionsOf(fork, 1)).toEqual(sent.slice(0, 2).map(BigInt));
    expect(fork.output()).not.toContain("another result");
    expect(await strkBalance(fork.provider, RECIPIENT)).toBe(20n);
    const sender = origin.account(2).address;
    await resultOf(fork, "devnet_impersonateAccount", [sender]);
    await transferAs(fork, sender, 0, 4n);
    expect(await strkBalance(fork.provider, RECIPIENT)).toBe(24n);
    await fork.stop();
    await fork.start({ args });
    expect((await newest(fork)).block_number).toBe(2);
    expect(await transactionsOf(fork, 1)).toEqual(sent.slice(0, 2).map(BigInt));
  }, 90_000);
});
