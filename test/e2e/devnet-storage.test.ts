import { expect, test } from "bun:test";
import { TransactionFinalityStatus } from "starknet";
import { hexFromFelt } from "#base/primitives/index.ts";
import { balanceKey } from "#engine/execution/index.ts";
import { resultOf } from "#test/helpers/binary.ts";
import { STRK, strkBalance, transferCall } from "#test/helpers/tokens.ts";
import { useChains } from "#test/helpers/use-chain.ts";

const start = useChains();

interface StateUpdate {
  readonly new_root: string;
  readonly old_root: string;
  readonly state_diff: {
    readonly storage_diffs: readonly {
      readonly address: string;
      readonly storage_entries: readonly { readonly key: string; readonly value: string }[];
    }[];
  };
}

const cellOf = ({ state_diff }: StateUpdate, address: string, key: string) =>
  state_diff.storage_diffs
    .find((diff) => BigInt(diff.address) === BigInt(address))
    ?.storage_entries.find((entry) => entry.key === key)?.value;

test("setting a storage variable makes a block, and survives a restart", async () => {
  const chain = await start();
  expect(await resultOf(chain, "dev_setStorageAt", [STRK, "0x20", "0xabc"])).toBeNull();
  expect(await resultOf(chain, "starknet_getStorageAt", [STRK, "0x20", "latest"])).toBe("0xabc");
  // Also works for a contract that is not deployed yet, as in Katana.
  expect(await resultOf(chain, "dev_setStorageAt", ["0x1337", "0x20", "0xdef"])).toBeNull();
  const update = await resultOf<StateUpdate>(chain, "starknet_getStateUpdate", ["latest"]);
  expect(cellOf(update, "0x1337", "0x20")).toBe("0xdef");
  expect(update.new_root).not.toBe(update.old_root);
  const before = await resultOf(chain, "starknet_getBlockWithTxHashes", ["latest"]);
  expect(before).toMatchObject({ block_number: 2, transactions: [] });
  await chain.stop();
  await chain.start();
  expect(await resultOf(chain, "starknet_getBlockWithTxHashes", ["latest"])).toEqual(before);
  expect(await resultOf(chain, "starknet_getStorageAt", [STRK, "0x20", "latest"])).toBe("0xabc");
  const { transaction_hash: hash } = await chain.account(0).execute(transferCall("0x77", 5n));
  const receipt = await chain.provider.waitForTransaction(hash, { retryInterval: 50 });
  expect(receipt.isSuccess()).toBe(true);
}, 60_000);

test("a later transaction reads the written value, and traces are the same before and after acceptance", async () => {
  const chain = await start({ args: ["--block-generation-on", "demand"] });
  const send = async (nonce: number, amount: bigint): Promise<string> => {
    // The latest block does not have the first transfer yet.
    const details = { nonce, tip: 0n };
    const sent = await chain.account(0).execute(transferCall("0x77", amount), details);
    const successStates = [TransactionFinalityStatus.PRE_CONFIRMED];
    await chain.provider.waitForTransaction(sent.transaction_hash, {
      retryInterval: 50,
      successStates,
    });
    return sent.transaction_hash;
  };
  const first = await send(0, 5n);
  // Balance of the receiver: the second transfer reads the cell, and its trace has the sum.
  const key = hexFromFelt(balanceKey(0x77n));
  await resultOf(chain, "dev_setStorageAt", [STRK, key, "0x123456"]);
  expect(await resultOf(chain, "starknet_getStorageAt", [STRK, key, "pre_confirmed"])).toBe(
    "0x123456",
  );
  const second = await send(1, 6n);
  const pending = await Promise.all(
    [first, second].map((hash) => resultOf(chain, "starknet_traceTransaction", [hash])),
  );
  await resultOf(chain, "devnet_createBlock");
  const blocks = await resultOf<number>(chain, "starknet_blockNumber");
  expect(blocks).toBe(2);
  for (const [i, hash] of [first, second].entries()) {
    const id = { block_number: i + 1 };
    const traces = await resultOf<readonly { readonly transaction_hash: string }[]>(
      chain,
      "starknet_traceBlockTransactions",
      [id],
    );
    expect(traces.map(({ transaction_hash }) => BigInt(transaction_hash))).toEqual([BigInt(hash)]);
    expect(await resultOf(chain, "starknet_traceTransaction", [hash])).toEqual(pending[i]);
  }
  const update = await resultOf<StateUpdate>(chain, "starknet_getStateUpdate", [
    { block_number: 1 },
  ]);
  expect(cellOf(update, STRK, key)).toBe("0x123456");
  expect(await strkBalance(chain.provider, "0x77")).toBe(0x123456n + 6n);
}, 60_000);
