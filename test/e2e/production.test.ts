import { describe, expect, test } from "bun:test";
import { rawCall } from "#test/helpers/binary.ts";
import { transferCall } from "#test/helpers/tokens.ts";
import { useChains } from "#test/helpers/use-chain.ts";

const start = useChains();

interface Header {
  readonly block_number: number;
  readonly timestamp: number;
  readonly parent_hash: string;
  readonly block_hash: string;
  readonly starknet_version: string;
  readonly sequencer_address: string;
}

async function header(url: string, number: number): Promise<Header> {
  const { result } = await rawCall(url, "starknet_getBlockWithTxHashes", [
    { block_number: number },
  ]);
  return result as Header;
}

async function waitForBlock(url: string, number: number): Promise<void> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const { result } = await rawCall(url, "starknet_blockNumber");
    if (typeof result === "number" && result >= number) return;
    if (Date.now() > deadline) throw new Error(`block ${number} did not come`);
    await Bun.sleep(20);
  }
}

describe("a chain with a block time", () => {
  test.each([
    ["appchain", "0.13.2"],
    ["mainnet", "0.14.4"],
  ])(
    "preset %s produces consecutive empty blocks of protocol %s",
    async (preset, protocol) => {
      const chain = await start({
        preset,
        args: [
          "--block-time",
          "200ms",
          "--chain-config-override",
          "pending_block_update_time=100ms",
        ],
      });
      // Block 10 is the first that writes an old block's hash into contract 0x1.
      await waitForBlock(chain.url, 11);
      let parent = "0x0";
      let timestamp = 0;
      for (let number = 0; number <= 11; number++) {
        const block = await header(chain.url, number);
        expect(block.parent_hash).toBe(parent);
        expect(block.timestamp).toBeGreaterThanOrEqual(timestamp);
        expect(block.starknet_version).toBe(protocol);
        expect(block.sequencer_address).not.toBe("0x0");
        parent = block.block_hash;
        timestamp = block.timestamp;
      }
      const block0 = await header(chain.url, 0);
      const stored = await rawCall(chain.url, "starknet_getStorageAt", [
        "0x1",
        "0x0",
        { block_number: 10 },
      ]);
      expect(stored.result).toBe(block0.block_hash);
      expect(await chain.stop()).toBe(0);
    },
    60_000,
  );

  test("a restarted chain continues after its newest block", async () => {
    const chain = await start({ args: ["--block-time", "200ms"] });
    await waitForBlock(chain.url, 2);
    await chain.stop("SIGKILL");
    await chain.start();
    const { result } = await rawCall(chain.url, "starknet_blockNumber");
    await waitForBlock(chain.url, (result as number) + 1);
    const next = await header(chain.url, (result as number) + 1);
    expect(next.parent_hash).toBe((await header(chain.url, result as number)).block_hash);
  }, 60_000);
});

describe("a chain on demand", () => {
  test("produces no empty blocks, and is ready", async () => {
    const chain = await start();
    await Bun.sleep(300);
    expect((await rawCall(chain.url, "starknet_blockNumber")).result).toBe(0);
    const ready = await fetch(`${chain.url}/ready?max_lag=0`);
    expect(ready.status).toBe(200);
  }, 60_000);

  test("without fees, zero bounds are accepted and nothing is charged", async () => {
    const chain = await start({ args: ["--no-charge-fee"] });
    const none = { max_amount: 0n, max_price_per_unit: 0n };
    const options = { resourceBounds: { l1_gas: none, l1_data_gas: none, l2_gas: none }, tip: 0n };
    const account = chain.account(0);
    const { transaction_hash } = await account.execute(transferCall("0x77", 5n), options);
    const receipt = await chain.provider.waitForTransaction(transaction_hash, {
      retryInterval: 20,
    });
    expect(receipt.isSuccess()).toBe(true);
    const { events } = receipt.value as { events: readonly unknown[] };
    // One event of the transfer itself; a fee would add a second one.
    expect(events).toHaveLength(1);
  }, 60_000);
});
