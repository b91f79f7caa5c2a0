import { beforeAll, describe, expect, test } from "bun:test";
import { Account, type CompiledSierra, ec, hash } from "starknet";
import { hexFromFelt } from "#base/primitives/index.ts";
import { balanceKey } from "#engine/execution/index.ts";
import { rawCall, resultOf, type RunningChain } from "#test/helpers/binary.ts";
import { DECLARE_BOUNDS } from "#test/helpers/declares.ts";
import { otherClass, otherClassHash } from "#test/helpers/other-class.ts";
import { refusedStart } from "#test/helpers/refused-start.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
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
  const before = (transaction: string): readonly string[] => [
    ...["--fork-url", `${origin.url}/rpc`, "--fork-transaction", transaction, ...SEED],
  ];
  /** Block of the transactions. */
  const BLOCK = 3;
  const DECLARED_LATER = "erc20";
  const DECLARED_BEFORE = "universal_deployer";
  /** Compiled class hashes of both classes. */
  const compiled = new Map<string, string>();
  let sent: readonly string[] = [];

  /** Sends a declaration of a class for an account. @returns the transaction hash */
  async function declareOf(account: Account, name: Parameters<typeof otherClass>[0]) {
    const { transaction_hash } = await account.declare(
      {
        contract: { ...otherClass(name), abi: [] } as unknown as CompiledSierra,
        classHash: otherClassHash(name),
        compiledClassHash: compiled.get(name) ?? "",
      },
      { ...DECLARE_BOUNDS, nonce: 0 },
    );
    return transaction_hash;
  }

  /** Status, fee and events of each transaction of a block. */
  async function receiptsOf(chain: RunningChain, block_number: number) {
    const block = await resultOf<{ readonly transactions: readonly Record<string, unknown>[] }>(
      chain,
      "starknet_getBlockWithReceipts",
      [{ block_number }],
    );
    return block.transactions.map(({ receipt }) => receipt);
  }

  beforeAll(async () => {
    const { state_diff } = await resultOf<{
      readonly state_diff: {
        readonly declared_classes: readonly Readonly<Record<string, string>>[];
      };
    }>(origin, "starknet_getStateUpdate", [{ block_number: 0 }]);
    const erc20 = await resultOf(origin, "starknet_getClassHashAt", ["latest", STRK]);
    const shipped = state_diff.declared_classes.find(({ class_hash }) => class_hash === erc20);
    compiled.set(DECLARED_LATER, shipped?.["compiled_class_hash"] ?? "");
    const { classes } = await resultOf<{
      readonly classes: readonly Readonly<Record<string, string>>[];
    }>(origin, "devnet_applyStateDiff", {
      state_diff: {},
      classes: [{ contract_class: otherClass(DECLARED_BEFORE) }],
    });
    compiled.set(DECLARED_BEFORE, classes[0]?.["compiled_class_hash"] ?? "");
    const classHash = await resultOf<string>(origin, "starknet_getClassHashAt", [
      "latest",
      origin.account(0).address,
    ]);
    const constructorCalldata = [ec.starkCurve.getStarkKey("0x1234")];
    const salt = "0x99";
    const address = hash.calculateContractAddressFromHash(salt, classHash, constructorCalldata, 0);
    await resultOf(origin, "devnet_mint", { address, amount: 10 ** 19 });
    await resultOf(origin, "devnet_createBlock");
    const { provider } = origin;
    const fresh = new Account({ provider, address, signer: "0x1234" });
    const deployment = { classHash, constructorCalldata, addressSalt: salt };
    const transfer = async (index: number, amount: bigint): Promise<string> => {
      const call = transferCall(RECIPIENT, amount);
      const details = { ...NO_ESTIMATE, nonce: 0 };
      return (await origin.account(index).execute(call, details)).transaction_hash;
    };
    sent = [
      await transfer(1, 20n),
      await declareOf(origin.account(3), DECLARED_LATER),
      (await fresh.deployAccount(deployment, NO_ESTIMATE)).transaction_hash,
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
      // More than the account has.
      await transfer(4, 10n ** 30n),
      await transfer(2, 300n),
    ];
    await resultOf(origin, "devnet_createBlock");
    await resultOf(origin, "devnet_createBlock");
  }, 60_000);

  test("has the transactions before it in its first block, and executes it with other calldata", async () => {
    expect(await transactionsOf(origin, BLOCK)).toEqual(sent.map(BigInt));
    const target = sent.at(-1) ?? "";
    await fork.start({ args: before(target) });
    const first = await newest(fork);
    expect(first.block_number).toBe(BLOCK);
    expect(await transactionsOf(fork, BLOCK)).toEqual(sent.slice(0, -1).map(BigInt));
    expect(fork.output()).not.toContain("another result");
    const receipts = await receiptsOf(fork, BLOCK);
    expect(receipts).toEqual((await receiptsOf(origin, BLOCK)).slice(0, -1));
    expect(receipts.map((receipt) => (receipt as { readonly type: string }).type)).toEqual([
      ...["INVOKE", "DECLARE", "DEPLOY_ACCOUNT", "L1_HANDLER", "INVOKE"],
    ]);
    expect(receipts.at(-1)).toMatchObject({ execution_status: "REVERTED" });
    expect(await strkBalance(fork.provider, RECIPIENT)).toBe(20n);
    const sender = origin.account(2).address;
    await resultOf(fork, "devnet_impersonateAccount", [sender]);
    await transferAs(fork, sender, 0, 4n);
    expect(await strkBalance(fork.provider, RECIPIENT)).toBe(24n);
    await fork.stop();
    await fork.start({ args: before(target) });
    expect((await newest(fork)).block_number).toBe(BLOCK + 1);
    expect(await transactionsOf(fork, BLOCK)).toEqual(sent.slice(0, -1).map(BigInt));
  }, 90_000);

  test("refuses a transaction that is in no block", async () => {
    using folder = temporaryFolder();
    const { code, output } = await refusedStart(folder.path, { args: before("0x1234") });
    expect(code).toBe(2);
    expect(output).toContain(
      "--fork-transaction 0x1234: the forked network has no such transaction",
    );
  }, 30_000);

  test("continues the block before the first transaction of a block, whose classes are not declared", async () => {
    const args = [...before(sent[0] ?? ""), "--reset"];
    await fork.stop();
    await fork.start({ args });
    expect(await transactionsOf(fork, BLOCK)).toEqual([]);
    expect(await strkBalance(fork.provider, RECIPIENT)).toBe(0n);
    const refused: unknown = await declareOf(fork.account(0), DECLARED_BEFORE).catch(
      (error: unknown) => error,
    );
    expect(String(refused)).toContain("51: ");
    await declareOf(fork.account(0), DECLARED_LATER);
    const declared = ["latest", otherClassHash(DECLARED_LATER)];
    expect((await rawCall(fork.url, "starknet_getClass", declared)).error).toBeUndefined();
  }, 60_000);
});
