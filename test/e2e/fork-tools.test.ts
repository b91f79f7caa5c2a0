import { beforeAll, describe, expect, test } from "bun:test";
import { hash } from "starknet";
import { hexFromFelt, shortStringFromFelt } from "#base/primitives/index.ts";
import { balanceKey } from "#engine/execution/index.ts";
import { rawCall, resultOf, type RunningChain } from "#test/helpers/binary.ts";
import {
  FORK_SEED,
  newestBlock,
  RECIPIENT,
  transactionsOf,
  transferAs,
} from "#test/helpers/fork/fork-chain.ts";
import { post, type Submitted } from "#test/helpers/kill-load.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import { NO_ESTIMATE, STRK, strkBalance, transferCall } from "#test/helpers/tokens.ts";
import { useChain, useStoppedChain } from "#test/helpers/use-chain.ts";

const latest = (chain: RunningChain): Promise<number> => resultOf(chain, "starknet_blockNumber");

describe("on a fork", () => {
  const origin = useChain();
  const fork = useStoppedChain(() => ({ args: ["--fork-url", `${origin.url}/rpc`, ...FORK_SEED] }));
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
  const dumping = ["--dump-on", "request", ...FORK_SEED];
  const fork = useStoppedChain(() => ({ args: ["--fork-url", `${origin.url}/rpc`, ...dumping] }));

  test("is loaded into a fork of the same block, and refused elsewhere", async () => {
    await fork.start();
    const params = { token: STRK, account: RECIPIENT, amount: 5 };
    await resultOf(fork, "devnet_setErc20Balance", params);
    const before = await newestBlock(fork);
    const dump = await resultOf<readonly { readonly id: unknown }[]>(fork, "devnet_dump");
    const { block_hash } = await newestBlock(origin);
    expect(dump[0]?.id).toBe(`appchain:fork:0:${block_hash}:APPCHAIN_DEVNET`);
    const refused = await rawCall(origin.url, "devnet_load", { dump });
    expect(refused.error).toMatchObject({
      message: `the dump is of a fork of block 0 (${block_hash}) of APPCHAIN_DEVNET, and this chain is no fork`,
    });
    await resultOf(fork, "devnet_load", { dump });
    expect(await newestBlock(fork)).toEqual(before);
    expect(await strkBalance(fork.provider, RECIPIENT)).toBe(5n);
  }, 60_000);
});

describe("a fork with another chain id", () => {
  const origin = useChain();
  const fork = useStoppedChain(() => ({
    args: ["--fork-url", `${origin.url}/rpc`, "--chain-id", "OTHER_ID", "--dev-accounts", "1"],
  }));

  test("accepts signatures for that id alone, and has the origin's chain", async () => {
    await origin.account(1).execute(transferCall(RECIPIENT, 100n), NO_ESTIMATE);
    await fork.start();
    const ids = await Promise.all(
      [origin, fork].map((chain) => resultOf<string>(chain, "starknet_chainId")),
    );
    expect(ids.map((id) => shortStringFromFelt(BigInt(id)))).toEqual([
      "APPCHAIN_DEVNET",
      "OTHER_ID",
    ]);
    const send = (chainId: string) => {
      const { body } = signedTransfer(chainId, origin.signer(2), 0n, BigInt(RECIPIENT));
      return post<Submitted>(fork.url, body);
    };
    expect(await send("APPCHAIN_DEVNET")).toMatchObject({ error: { code: 55 } });
    expect(await send("OTHER_ID")).toHaveProperty("result");
    expect(await strkBalance(fork.provider, RECIPIENT)).toBe(101n);
    const block = [{ block_number: 1 }];
    for (const method of ["getBlockWithReceipts", "traceBlockTransactions"]) {
      expect(await resultOf(fork, `starknet_${method}`, block)).toEqual(
        await resultOf(origin, `starknet_${method}`, block),
      );
    }
  }, 60_000);
});
