import { beforeAll, expect, test } from "bun:test";
import { hexFromFelt } from "#base/primitives/index.ts";
import { sierraClassCodec } from "#protocol/chain/index.ts";
import { rawCall } from "#test/helpers/binary.ts";
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
/** Converts the declaration in a gateway body to its JSON-RPC form. */
function declareOf(body: Readonly<Record<string, unknown>>, sierra: typeof CLASS.sierra) {
  const { resource_bounds: bounds, contract_class: _packed, ...rest } = body;
  const { L1_GAS, L1_DATA_GAS, L2_GAS } = bounds as Record<string, unknown>;
  return {
    ...rest,
    contract_class: sierraClassCodec.encode(sierra),
    account_deployment_data: [],
    nonce_data_availability_mode: "L1",
    fee_data_availability_mode: "L1",
    resource_bounds: { l1_gas: L1_GAS, l1_data_gas: L1_DATA_GAS, l2_gas: L2_GAS },
  };
}

const transfer = (nonce: bigint) => sign(strkTransfer(chain.signer(0), 9n, nonce));

beforeAll(async () => {
  await node.start({ gateways: [sequencer.url], args: middle.args });
}, 120_000);

test("a full node's gateway forwards transactions and classes, and has them in its blocks", async () => {
  const declare = CLASS.declare(chain.signer(0).address, 1n);
  for (const { body, hash } of [transfer(0n), sign(declare, gatewaySierra(CLASS.sierra))]) {
    const answer = await addTransaction(middle.url, body);
    expect(answer).toMatchObject({ status: 200, json: { transaction_hash: hexFromFelt(hash) } });
    const seen = await node.provider.waitForTransaction(hexFromFelt(hash), { retryInterval: 50 });
    expect(seen.isSuccess()).toBe(true);
  }
}, 120_000);

test("rejections are the sequencer's, word for word", async () => {
  const unsigned = { ...transfer(2n).body, signature: ["0x1", "0x2"] };
  const class_ = { ...gatewaySierra(CLASS.sierra), sierra_program: "AAAA" };
  const broken = sign(CLASS.declare(chain.signer(0).address, 2n), class_).body;
  for (const body of [transfer(0n).body, unsigned, broken, "{", { type: "INVOKE" }]) {
    const own = await addTransaction(sequencer.url, body);
    expect(own.status).toBe(400);
    expect(await addTransaction(middle.url, body)).toEqual(own);
  }
}, 60_000);

test("a rejected declaration keeps its error code, through the gateway and JSON-RPC", async () => {
  const { address } = chain.signer(0);
  const other = undeclaredAccount('["another"]');
  const cases = [
    ["DUPLICATED_TRANSACTION", 59, CLASS, 1n],
    ["CLASS_ALREADY_DECLARED", 51, CLASS, 2n],
    ["INVALID_TRANSACTION_NONCE", 52, other, 1n],
  ] as const;
  for (const [code, number, of, nonce] of cases) {
    const { body } = sign(of.declare(address, nonce), gatewaySierra(of.sierra));
    const { json } = await addTransaction(middle.url, body);
    expect(json).toMatchObject({ code: `StarknetErrorCode.${code}` });
    const params = [declareOf(body, of.sierra)];
    for (const url of [node.url, chain.url]) {
      const { error } = await rawCall(url, "starknet_addDeclareTransaction", params);
      expect(error).toMatchObject({ code: number });
    }
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

test("without the sequencer a submission fails with a retryable status", async () => {
  await chain.stop("SIGKILL");
  const { status, json } = await addTransaction(middle.url, transfer(2n).body);
  expect([status, typeof json]).toEqual([502, "string"]);
}, 60_000);
