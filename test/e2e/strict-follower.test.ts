import { describe, expect, test } from "bun:test";
import { hexFromFelt } from "#base/primitives/index.ts";
import { addTransaction, signedForGateway, strkTransfer } from "#test/helpers/gateway-sends.ts";
import {
  FOLLOWED_VERSIONS,
  KnownPreConfirmed,
  ofGateway,
  ofGatewayReceipt,
  ofRpc,
  ofRpcReceipt,
  rpcBlock,
  startLived,
  StrictFollower,
  wholePreConfirmed,
} from "#test/helpers/strict-follower/index.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { useStoppedChain } from "#test/helpers/use-chain.ts";

const CHAIN_ID = "APPCHAIN_DEVNET";
const TRANSFERS = 3;
/** Quick runs have the oldest and the newest form of blocks. */
const VERSIONS = bySize<readonly string[]>({
  quick: ["0.13.0", "0.14.4"],
  full: FOLLOWED_VERSIONS,
});

/** A follower with Pathfinder's rules that shares no code with the product. */
describe("a follower as strict as Pathfinder", () => {
  for (const version of VERSIONS) {
    const chain = useStoppedChain();

    test(`follows a chain of ${version} through accepted and pre-confirmed blocks, and forwards transactions`, async () => {
      const { story, gateway } = await startLived(chain, version);
      const follower = new StrictFollower(gateway);
      await follower.begin();
      await follower.catchUp();
      const { length } = follower.blocks;
      expect(length).toBe((await story.latest()) + 1);
      const rpc = { url: `${chain.url}/rpc/v0_9` };
      for (const [number, block] of follower.blocks.entries()) {
        expect([number, ofGateway(block)]).toEqual([number, await ofRpc(rpc, number, true)]);
      }

      const known = new KnownPreConfirmed(follower);
      const signer = chain.signer(5);
      const hashes: string[] = [];
      for (let nonce = 0n; nonce < TRANSFERS; nonce++) {
        const { hash, body } = signedForGateway(
          signer,
          CHAIN_ID,
          strkTransfer(signer, 0x77n, nonce),
        );
        const { status, json } = await addTransaction(gateway, body);
        expect([status, json]).toEqual([
          200,
          { code: "TRANSACTION_RECEIVED", transaction_hash: hexFromFelt(hash) },
        ]);
        hashes.push(hexFromFelt(hash));
        await known.until(hashes.length);
        expect(known.hashes).toEqual(hashes);
        expect(await known.isComplete()).toBe(true);
        expect(known.hashes).toEqual(hashes);
      }
      const open = await rpcBlock(rpc, "pre_confirmed");
      const receipts = open.transactions.map(({ receipt }) => ofRpcReceipt(receipt));
      const whole = await wholePreConfirmed(follower);
      for (const source of [known.receipts, whole.transaction_receipts]) {
        const read = source.map((receipt) => receipt && ofGatewayReceipt(receipt));
        expect(read).toEqual(receipts);
      }

      await story.ask("devnet_createBlock", {});
      await follower.catchUp();
      expect(follower.blocks.length).toBe(length + 1);
      const { transactions } = follower.blocks[length]?.block ?? { transactions: [] };
      expect(transactions.map(({ transaction_hash }) => transaction_hash)).toEqual(hashes);
      for (const hash of hashes) {
        const question = `get_transaction_status?transactionHash=${hash}`;
        expect(await follower.read<object>("transactionStatus", question)).toMatchObject({
          finality_status: "ACCEPTED_ON_L2",
          execution_status: "SUCCEEDED",
        });
      }
      await chain.stop();
    }, 180_000);
  }
});
