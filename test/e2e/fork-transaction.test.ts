import { beforeAll, describe, expect, test } from "bun:test";
import { Account, type CompiledSierra, ec, hash } from "starknet";
import { rawCall, resultOf, type RunningChain } from "#test/helpers/binary.ts";
import { DECLARE_BOUNDS } from "#test/helpers/declares.ts";
import {
  FORK_SEED,
  newestBlock,
  RECIPIENT,
  transactionsOf,
  transferAs,
} from "#test/helpers/fork/fork-chain.ts";
import { otherClass, otherClassHash } from "#test/helpers/other-class.ts";
import { refusedStart } from "#test/helpers/refused-start.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { NO_ESTIMATE, STRK, strkBalance, transferCall } from "#test/helpers/tokens.ts";
import { useChain, useStoppedChain } from "#test/helpers/use-chain.ts";

describe("a fork before a transaction", () => {
  const origin = useChain({ args: ["--block-generation-on", "demand"] });
  const fork = useStoppedChain();
  const before = (transaction: string): readonly string[] => [
    ...["--fork-url", `${origin.url}/rpc`, "--fork-transaction", transaction, ...FORK_SEED],
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
    const first = await newestBlock(fork);
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
    expect((await newestBlock(fork)).block_number).toBe(BLOCK + 1);
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
