import { beforeAll, expect, test } from "bun:test";
import { hexFromFelt } from "#base/primitives/index.ts";
import { useFollower, waitForBlock } from "#test/helpers/follower.ts";
import {
  addTransaction,
  gatewaySierra,
  type GatewaySend,
  signedForGateway,
  strkTransfer,
  undeclaredAccount,
  withGateway,
} from "#test/helpers/gateway-sends.ts";
import { useChain } from "#test/helpers/use-chain.ts";

const CHAIN_ID = "APPCHAIN_DEVNET";
const [sequencer, middle] = await Promise.all([withGateway(), withGateway()]);
const chain = useChain({ args: sequencer.args });
const node = useFollower();
const last = useFollower();
const CLASS = undeclaredAccount('["forwarded"]');

const sign = (unsigned: GatewaySend, contractClass?: unknown) =>
  signedForGateway(chain.signer(0), CHAIN_ID, unsigned, contractClass);
const transfer = (nonce: bigint) => sign(strkTransfer(chain.signer(0), 9n, nonce));

beforeAll(async () => {
  await node.start({ gateways: [sequencer.url], args: middle.args });
}, 120_000);

test("a full node's gateway hands transactions and classes on, and has them in its blocks", async () => {
  const declare = CLASS.declare(chain.signer(0).address, 1n);
  for (const { body, hash } of [transfer(0n), sign(declare, gatewaySierra(CLASS.sierra))]) {
    const answer = await addTransaction(middle.url, body);
    expect(answer).toMatchObject({ status: 200, json: { transaction_hash: hexFromFelt(hash) } });
    const seen = await node.provider.waitForTransaction(hexFromFelt(hash), { retryInterval: 50 });
    expect(seen.isSuccess()).toBe(true);
  }
}, 120_000);

test("what is refused there is refused in the sequencer's words", async () => {
  const unsigned = { ...transfer(2n).body, signature: ["0x1", "0x2"] };
  const class_ = { ...gatewaySierra(CLASS.sierra), sierra_program: "AAAA" };
  const broken = sign(CLASS.declare(chain.signer(0).address, 2n), class_).body;
  for (const body of [transfer(0n).body, unsigned, broken, "{", { type: "INVOKE" }]) {
    const own = await addTransaction(sequencer.url, body);
    expect(own.status).toBe(400);
    expect(await addTransaction(middle.url, body)).toEqual(own);
  }
}, 60_000);

test("a full node follows a full node", async () => {
  await last.start({ gateways: [middle.url] });
  const newest = await chain.provider.getBlockNumber();
  await waitForBlock(last, newest);
  const [ours, theirs] = await Promise.all(
    [chain, last].map(({ provider }) => provider.getBlockWithReceipts(newest)),
  );
  expect(theirs).toEqual(ours as NonNullable<typeof ours>);
}, 120_000);

test("without the sequencer nothing is received, and nothing is refused for good", async () => {
  await chain.stop("SIGKILL");
  const { status, json } = await addTransaction(middle.url, transfer(2n).body);
  expect([status, typeof json]).toEqual([502, "string"]);
}, 60_000);
