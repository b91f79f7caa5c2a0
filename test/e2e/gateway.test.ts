import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { hexFromFelt } from "#base/primitives/index.ts";
import { contractAddress, legacyClassHash, unpackLegacyClass } from "#protocol/chain/index.ts";
import { publicKey as publicKeyOf, selectorFromName } from "#protocol/crypto/index.ts";
import { resultOf, type RunningChain } from "#test/helpers/binary.ts";
import {
  addTransaction,
  gatewaySierra,
  type GatewaySend,
  MAX_FEE_MEMBERS,
  signedForGateway,
  strkTransfer,
  undeclaredAccount,
  V3_MEMBERS,
  withGateway,
} from "#test/helpers/gateway-sends.ts";
import { packedClass, sentPackedClass } from "#test/helpers/packed-class.ts";
import { ETH, ONE_TOKEN } from "#test/helpers/tokens.ts";
import { type UsedChain, useChain, useChains } from "#test/helpers/use-chain.ts";

const CHAIN_ID = "APPCHAIN_DEVNET";
const KEY = 0x1234n;

const gateway = await withGateway();
const old = await withGateway(["--chain-config-override", "latest_protocol_version=0.13.6"]);
const chain = useChain({ args: gateway.args });
const oldChain = useChain({ args: old.args });
const start = useChains();

let nextNonce = 0n;

/** Signs for the first account, or for another one. */
function sign(unsigned: GatewaySend, contractClass?: unknown, index = 0, of: RunningChain = chain) {
  return signedForGateway(of.signer(index), CHAIN_ID, unsigned, contractClass);
}

/** Sends a transaction and waits for its receipt. @returns the gateway's response */
async function included(url: string, of: RunningChain, { body, hash }: ReturnType<typeof sign>) {
  const answer = await addTransaction(url, body);
  expect(answer).toMatchObject({
    status: 200,
    json: { code: "TRANSACTION_RECEIVED", transaction_hash: hexFromFelt(hash) },
  });
  const receipt = await of.provider.waitForTransaction(hexFromFelt(hash), { retryInterval: 50 });
  expect(receipt.isSuccess()).toBe(true);
  return answer.json;
}

const CLASS = undeclaredAccount('["by the gateway"]');
const SIERRA = gatewaySierra(CLASS.sierra);
const sender = () => chain.signer(0);

describe("add_transaction includes", () => {
  test("of version 3: an invoke, a declaration, and a deployment of the declared class", async () => {
    const { classHash } = CLASS;
    const publicKey = publicKeyOf(KEY);
    const address = contractAddress(0n, 7n, classHash, [publicKey]);
    await included(
      gateway.url,
      chain,
      sign(strkTransfer(sender(), address, nextNonce++, ONE_TOKEN)),
    );
    const declared = sign(CLASS.declare(sender().address, nextNonce++), SIERRA);
    expect(await included(gateway.url, chain, declared)).toMatchObject({
      class_hash: hexFromFelt(classHash),
    });
    const deployed = signedForGateway({ privateKey: KEY }, CHAIN_ID, {
      type: "DEPLOY_ACCOUNT",
      ...V3_MEMBERS,
      contractAddress: address,
      contractAddressSalt: 7n,
      classHash,
      constructorCalldata: [publicKey],
    });
    expect(await included(gateway.url, chain, deployed)).toMatchObject({
      address: hexFromFelt(address),
    });
    const at = await chain.provider.getClassHashAt(hexFromFelt(address));
    expect(BigInt(at)).toBe(classHash);
  }, 60_000);

  test("a compressed body", async () => {
    const { body, hash } = sign(strkTransfer(sender(), 1n, nextNonce++));
    const packed = new Uint8Array(gzipSync(JSON.stringify(body)));
    const answer = await addTransaction(gateway.url, packed, { "content-encoding": "gzip" });
    expect(answer.json).toMatchObject({ transaction_hash: hexFromFelt(hash) });
  });

  test("of version 1 on an older chain: an invoke, a Cairo 0 class, a deployment in decimals", async () => {
    const senderAddress = oldChain.signer(0).address;
    const classHash = BigInt(await oldChain.provider.getClassHashAt(hexFromFelt(senderAddress)));
    const publicKey = publicKeyOf(KEY);
    const address = contractAddress(0n, 7n, classHash, [publicKey]);
    const selector = selectorFromName("transfer");
    const calldata = [1n, BigInt(ETH), selector, 3n, address, ONE_TOKEN, 0n];
    const send = (unsigned: GatewaySend, contractClass?: unknown) =>
      included(old.url, oldChain, sign(unsigned, contractClass, 0, oldChain));
    await send({ type: "INVOKE", ...MAX_FEE_MEMBERS, senderAddress, calldata });
    const parts = { felts: 3 };
    const unpacked = unpackLegacyClass(packedClass(parts), 100_000);
    if (unpacked === undefined) throw new RangeError("the class is too large");
    const declared = legacyClassHash(unpacked.contractClass);
    expect(
      await send(
        { type: "DECLARE", ...MAX_FEE_MEMBERS, nonce: 1n, senderAddress, classHash: declared },
        sentPackedClass(parts),
      ),
    ).toMatchObject({ class_hash: hexFromFelt(declared) });
    const deployment = signedForGateway({ privateKey: KEY }, CHAIN_ID, {
      type: "DEPLOY_ACCOUNT",
      ...MAX_FEE_MEMBERS,
      contractAddress: address,
      contractAddressSalt: 7n,
      classHash,
      constructorCalldata: [publicKey],
    });
    expect(deployment.body["constructor_calldata"]).toEqual([String(publicKey)]);
    expect(await included(old.url, oldChain, deployment)).toMatchObject({
      address: hexFromFelt(address),
    });
  }, 60_000);
});

describe("limits", () => {
  test("a compression bomb is rejected at the limit, and the node continues", async () => {
    const bomb = new Uint8Array(gzipSync(new Uint8Array(1 << 30)));
    const headers = { "content-encoding": "gzip" };
    const bombs = Array.from({ length: 8 }, () => addTransaction(gateway.url, bomb, headers));
    for (const { status, json } of await Promise.all(bombs)) {
      expect([status, json]).toMatchObject([413, { code: "StarkErrorCode.MALFORMED_REQUEST" }]);
    }
    expect((await fetch(`${gateway.url}/health`)).status).toBe(200);
  }, 60_000);

  test("a compression bomb in a program is rejected", async () => {
    const sierra_program = gzipSync(new Uint8Array(1 << 28)).toString("base64");
    const body = sign(CLASS.declare(sender().address, nextNonce), {
      ...SIERRA,
      sierra_program,
    }).body;
    const { status, json } = await addTransaction(gateway.url, body);
    expect([status, json]).toMatchObject([
      400,
      { code: "StarknetErrorCode.CONTRACT_CLASS_OBJECT_SIZE_TOO_LARGE" },
    ]);
  }, 60_000);

  test("the request rate is limited per address, for this port only", async () => {
    const limited = await withGateway(["--gateway-rate-limit", "2"]);
    const node = await start({ args: limited.args });
    const statuses: number[] = [];
    for (let i = 0; i < 15; i++) {
      const headers = { "x-throttling-bypass": "key" };
      const { status, headers: received } = await fetch(`${limited.url}/health`, { headers });
      statuses.push(status);
      if (status === 429) expect(received.get("retry-after")).toMatch(/^[1-9]\d*$/);
    }
    expect(statuses.slice(0, 10)).toEqual(Array<number>(10).fill(200));
    expect(statuses).toContain(429);
    expect((await addTransaction(limited.url, "{}")).status).toBe(429);
    for (let i = 0; i < 15; i++) expect(await resultOf(node, "starknet_blockNumber")).toBe(0);
  }, 60_000);
});

test("acknowledged transactions survive a kill", async () => {
  const own = await withGateway(["--block-time", "1h"]);
  const node: UsedChain = await start({ args: own.args });
  const sent = await Promise.all(
    [0, 1, 2, 3, 4, 5].flatMap((index) =>
      [0n, 1n].map(async (nonce) => {
        const one = sign(strkTransfer(node.signer(index), 9n, nonce), undefined, index, node);
        return { ...one, answer: await addTransaction(own.url, one.body) };
      }),
    ),
  );
  await node.stop("SIGKILL");
  await node.start();
  for (const { hash, answer } of sent) {
    expect(answer.status).toBe(200);
    const params = [hexFromFelt(hash)];
    const found = await resultOf<{ finality_status: string }>(
      node,
      "starknet_getTransactionStatus",
      params,
    );
    expect(["RECEIVED", "CANDIDATE", "PRE_CONFIRMED"]).toContain(found.finality_status);
  }
}, 60_000);
