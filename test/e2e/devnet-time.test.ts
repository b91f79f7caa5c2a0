import { expect, test } from "bun:test";
import { resultOf, type RunningChain } from "#test/helpers/binary.ts";
import { strkBalance, transferCall } from "#test/helpers/tokens.ts";
import { useChains } from "#test/helpers/use-chain.ts";

interface Block {
  readonly block_hash: string;
  readonly block_number: number;
  readonly timestamp: number;
  readonly transactions: readonly string[];
}

const start = useChains();

const blockOf = (chain: RunningChain, id: unknown): Promise<Block> =>
  resultOf(chain, "starknet_getBlockWithTxHashes", [id]);

const ahead = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

/** Traces re-execute a block; they exist only if its receipts are reproduced. */
async function expectTraces(chain: RunningChain, { block_number, transactions }: Block) {
  const id = { block_number };
  const traces = await resultOf<readonly { transaction_hash: string }[]>(
    chain,
    "starknet_traceBlockTransactions",
    [id],
  );
  expect(traces.map(({ transaction_hash }) => BigInt(transaction_hash))).toEqual(
    transactions.map(BigInt),
  );
}

for (const generation of ["demand", "600"]) {
  test(`setting the time applies to the block being built (blocks: ${generation})`, async () => {
    const args = ["--block-generation-on", generation, "--dump-on", "request"];
    const chain = await start({ args });
    const account = chain.account(0);
    const sent: string[] = [];
    let nonce = 0;
    const send = async (): Promise<void> => {
      const call = transferCall("0x77", 7n);
      const { transaction_hash } = await account.execute(call, { nonce: nonce++ });
      sent.push(transaction_hash);
    };
    await send();
    await send();
    const before = await resultOf<number>(chain, "starknet_blockNumber");
    const time = ahead(100_000);
    const { block_hash } = await resultOf<{ block_hash: string }>(chain, "devnet_setTime", {
      time,
    });
    const made = await blockOf(chain, "latest");
    expect(made).toMatchObject({ block_hash, block_number: before + 1, timestamp: time });
    expect(made.transactions.map(BigInt)).toEqual(sent.splice(0).map(BigInt));
    await expectTraces(chain, made);

    await send();
    const later = time + 100_000;
    await resultOf(chain, "devnet_setTime", { time: later, generate_block: false });
    const open = await blockOf(chain, "pre_confirmed");
    expect([open.timestamp, open.transactions.length]).toEqual([later, 1]);
    await send();
    await resultOf(chain, "dev_setStorageAt", ["0x123", "0x5", "0x6"]);
    const increased = await resultOf<{ block_hash: string }>(chain, "devnet_increaseTime", {
      time: 5_000,
    });
    const last = await blockOf(chain, "latest");
    expect([last.block_number, last.block_hash]).toEqual([before + 2, increased.block_hash]);
    expect(last.timestamp).toBeWithin(later + 5_000, later + 6_000);
    expect(last.transactions.map(BigInt)).toEqual(sent.map(BigInt));
    await expectTraces(chain, last);
    expect(await strkBalance(chain.provider, "0x77")).toBe(28n);
    for (const hash of last.transactions) {
      const receipt = await resultOf(chain, "starknet_getTransactionReceipt", [hash]);
      expect(receipt).toMatchObject({ block_hash: last.block_hash, execution_status: "SUCCEEDED" });
    }
    expect(await resultOf<string>(chain, "starknet_getStorageAt", ["0x123", "0x5", "latest"])).toBe(
      "0x6",
    );

    // Replaying the requests produces the same blocks.
    const dump = await resultOf<unknown>(chain, "devnet_dump", {});
    await resultOf(chain, "devnet_load", { dump });
    expect(await blockOf(chain, { block_number: last.block_number })).toEqual(last);
  }, 120_000);
}
