import { describe, expect, test } from "bun:test";
import { hexFromFelt } from "#base/primitives/index.ts";
import { rawCall } from "#test/helpers/binary.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import {
  FOLLOWED_VERSIONS,
  ofRpc,
  ofRpcReceipt,
  rpcBlock,
  startLived,
} from "#test/helpers/strict-follower/index.ts";
import { useStoppedChain } from "#test/helpers/use-chain.ts";
import { type Pathfinder, PATHFINDER_VERSION, usePathfinders } from "./pathfinder.ts";

const CHAIN_ID = "APPCHAIN_DEVNET";
const TRANSFERS = 3;
const TIMEOUT_MS = 300_000;
const SYNC_TIMEOUT_MS = 120_000;

/** Newest version that Pathfinder can execute, which traces require. */
const TRACED = "0.14.2";

const { PATHFINDER: pathfinder = "", ANVIL: anvil = "" } = process.env;
/** `scripts/test-follower` sets both. */
const isAvailable = pathfinder !== "";
const start = usePathfinders({ pathfinder, anvil });

/** Waits until a condition holds. @throws with Pathfinder's output */
async function until(what: string, node: Pathfinder, isSo: () => Promise<boolean>): Promise<void> {
  const endsAtMs = Date.now() + SYNC_TIMEOUT_MS;
  while (!(await isSo())) {
    if (Date.now() > endsAtMs) throw new TypeError(`never: ${what}:\n${node.output()}`);
    await Bun.sleep(100);
  }
}

async function untilBlock(node: Pathfinder, blockNumber: number): Promise<void> {
  await until(`block ${blockNumber}`, node, async () => {
    const { result } = await rawCall(node.url, "starknet_blockNumber");
    return typeof result === "number" && result >= blockNumber;
  });
}

test.skipIf(!isAvailable)(`Pathfinder has version ${PATHFINDER_VERSION}`, async () => {
  const child = Bun.spawn([pathfinder, "--version"], { stdout: "pipe" });
  expect(await new Response(child.stdout).text()).toContain(PATHFINDER_VERSION);
});

describe.skipIf(!isAvailable)("Pathfinder follows a chain", () => {
  for (const version of FOLLOWED_VERSIONS) {
    const chain = useStoppedChain();

    test(
      `of ${version}: blocks, roots, receipts and traces match, and forwarded transactions are included`,
      async () => {
        const { story, gateway } = await startLived(chain, version);
        const ours = { url: `${chain.url}/rpc/v0_9` };
        const node = await start(gateway);
        const newest = await story.latest();
        await untilBlock(node, newest);
        const isTraced = Bun.semver.order(version, TRACED) <= 0;
        for (let number = 0; number <= newest; number++) {
          const told = [await ofRpc(node, number, isTraced), await ofRpc(ours, number, isTraced)];
          expect([number, told[0]]).toEqual([number, told[1]]);
        }

        const signer = chain.signer(5);
        const hashes: string[] = [];
        for (let nonce = 0n; nonce < TRANSFERS; nonce++) {
          const { hash, body } = signedTransfer(CHAIN_ID, signer, nonce, 0x77n);
          const headers = { "content-type": "application/json" };
          const answer = await fetch(node.url, { method: "POST", headers, body });
          hashes.push(hexFromFelt(hash));
          expect(await answer.json()).toMatchObject({
            result: { transaction_hash: hashes.at(-1) },
          });
        }
        const receiptsOf = async (url: string) => {
          const { transactions } = await rpcBlock({ url }, "pre_confirmed");
          return transactions.map(({ receipt }) => ofRpcReceipt(receipt));
        };
        await until("pre-confirmed", node, async () => {
          const receipts = await receiptsOf(node.url);
          return receipts.length === hashes.length;
        });
        expect(await receiptsOf(node.url)).toEqual(await receiptsOf(ours.url));

        await story.ask("devnet_createBlock", {});
        await untilBlock(node, newest + 1);
        expect(await ofRpc(node, newest + 1, isTraced)).toEqual(
          await ofRpc(ours, newest + 1, isTraced),
        );
        await node.stop();
        await chain.stop();
      },
      TIMEOUT_MS,
    );
  }
});
