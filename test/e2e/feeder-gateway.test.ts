import { describe, expect, test } from "bun:test";
import { hexFromFelt } from "#base/primitives/index.ts";
import { contractAddress } from "#protocol/chain/index.ts";
import { publicKey as publicKeyOf } from "#protocol/crypto/index.ts";
import { resultOf, type RunningChain } from "#test/helpers/binary.ts";
import {
  addTransaction,
  gatewaySierra,
  type GatewaySend,
  signedForGateway,
  strkTransfer,
  undeclaredAccount,
  V3_MEMBERS,
  withGateway,
} from "#test/helpers/gateway-sends.ts";
import { readStrictly, type StrictForm } from "#test/helpers/strict-gateway/index.ts";
import { useChain } from "#test/helpers/use-chain.ts";

const CHAIN_ID = "APPCHAIN_DEVNET";
const KEY = 0x1234n;

/** Sends a transaction and waits until it is in a block. @returns its hash */
async function included(
  url: string,
  chain: RunningChain,
  send: GatewaySend,
  contractClass?: unknown,
) {
  const key = send.type === "DEPLOY_ACCOUNT" ? { privateKey: KEY } : chain.signer(0);
  const { body, hash } = signedForGateway(key, CHAIN_ID, send, contractClass);
  const { status, json } = await addTransaction(url, body);
  expect([status, json]).toMatchObject([200, { transaction_hash: hexFromFelt(hash) }]);
  await chain.provider.waitForTransaction(hexFromFelt(hash), { retryInterval: 20 });
  return hexFromFelt(hash);
}

describe.each(["0.13.4", "0.14.0", "0.14.4"])("a chain of %s", async (version) => {
  const gateway = await withGateway([
    "--chain-config-override",
    `latest_protocol_version=${version}`,
  ]);
  const chain = useChain({ args: gateway.args });
  const feeder = `${gateway.url}/feeder_gateway`;

  /** Reads a response strictly. @returns its text */
  async function read(form: StrictForm, path: string): Promise<unknown> {
    const response = await fetch(`${feeder}/${path}`);
    const text = await response.text();
    expect([path, response.status, response.ok ? "" : text]).toEqual([path, 200, ""]);
    return readStrictly(form, text);
  }

  test("serves members and denials that a strict reader accepts", async () => {
    const { classHash, sierra, declare } = undeclaredAccount('["by a feeder"]', version);
    const sender = () => chain.signer(0);
    const publicKey = publicKeyOf(KEY);
    const address = contractAddress(0n, 7n, classHash, [publicKey]);
    const hashes: string[] = [];
    hashes.push(
      await included(gateway.url, chain, strkTransfer(sender(), address, 0n, 10n ** 18n)),
    );
    hashes.push(
      await included(gateway.url, chain, declare(sender().address, 1n), gatewaySierra(sierra)),
    );
    const deploy = {
      type: "DEPLOY_ACCOUNT",
      ...V3_MEMBERS,
      contractAddress: address,
      contractAddressSalt: 7n,
      classHash,
      constructorCalldata: [publicKey],
    } as const;
    hashes.push(await included(gateway.url, chain, deploy));
    // Exceeds the balance: it is reverted.
    hashes.push(await included(gateway.url, chain, strkTransfer(sender(), 1n, 2n, 1n << 120n)));

    const latest = await chain.provider.getBlockNumber();
    for (let number = 0; number <= latest; number++) {
      const at = `blockNumber=${number}`;
      const header = await read("headerOnly", `get_block?${at}&headerOnly=true`);
      expect(header).toMatchObject({ block_number: BigInt(number) });
      await read("block", `get_block?${at}`);
      await read("stateUpdate", `get_state_update?${at}`);
      await read("wholeBlock", `get_state_update?${at}&includeBlock=true`);
      await read("wholeBlock", `get_state_update?${at}&includeBlock=true&includeSignature=true`);
      await read("signature", `get_signature?${at}`);
      if (number > 0) await read("blockTraces", `get_block_traces?${at}`);
    }
    for (const hash of hashes) {
      await read("transactionStatus", `get_transaction_status?transactionHash=${hash}`);
      await read("transactionTrace", `get_transaction_trace?transactionHash=${hash}`);
    }
    const reverted = await fetch(
      `${feeder}/get_transaction_status?transactionHash=${hashes.at(-1)}`,
    );
    expect(await reverted.json()).toMatchObject({ execution_status: "REVERTED" });
    await read("contractClass", `get_class_by_hash?classHash=${hexFromFelt(classHash)}`);
    await read(
      "compiledClass",
      `get_compiled_class_by_class_hash?classHash=${hexFromFelt(classHash)}`,
    );
    await read("publicKey", "get_public_key");
    await read("contractAddresses", "get_contract_addresses");
    await read("preConfirmed", `get_preconfirmed_block?blockNumber=${latest + 1}`);
    const weights = await fetch(`${feeder}/get_block_bouncer_weights?blockNumber=${latest}`);
    expect(await weights.json()).toMatchObject({ n_txs: 1 });
  }, 60_000);

  test("agrees with JSON-RPC", async () => {
    const json = async (path: string): Promise<unknown> =>
      (await fetch(`${feeder}/${path}`)).json();
    const { address } = chain.signer(0);
    const contract = hexFromFelt(address);
    expect(await json(`get_nonce?contractAddress=${contract}`)).toBe(
      await chain.provider.getNonceForAddress(contract),
    );
    expect(await json(`get_class_hash_at?contractAddress=${contract}`)).toBe(
      await chain.provider.getClassHashAt(contract),
    );
    const block = await chain.provider.getBlockWithTxHashes("latest");
    expect(await json("get_block?headerOnly=true")).toEqual({
      block_hash: "block_hash" in block ? block.block_hash : "",
      block_number: "block_number" in block ? block.block_number : -1,
    });
  });

  test("responds to a missing block with 400 BLOCK_NOT_FOUND", async () => {
    for (const route of ["get_block", "get_state_update", "get_signature", "get_block_traces"]) {
      const response = await fetch(`${feeder}/${route}?blockNumber=1000`);
      expect([response.status, await response.json()]).toEqual([
        400,
        { code: "StarknetErrorCode.BLOCK_NOT_FOUND", message: "Block not found" },
      ]);
    }
  });
});

describe("a block being built", async () => {
  const gateway = await withGateway();
  const onDemand = [...gateway.args, "--block-generation-on", "demand"];
  const chain = useChain({ args: onDemand });
  const feeder = `${gateway.url}/feeder_gateway`;

  /** Polls as followers do, with what is known of the block. */
  async function poll(number: number | "latest", identifier: string, count: number) {
    const query = `blockNumber=${number}&blockIdentifier=${identifier}&knownTransactionCount=${count}`;
    const response = await fetch(`${feeder}/get_preconfirmed_block?${query}`);
    const text = await response.text();
    expect([response.status, response.ok ? "" : text]).toEqual([200, ""]);
    readStrictly("preConfirmedDelta", text);
    return JSON.parse(text) as {
      readonly changed: boolean;
      readonly block_identifier?: string;
      readonly block_number?: number;
      readonly timestamp?: number;
      readonly transactions?: readonly { readonly transaction_hash: string }[];
    };
  }

  const send = async (nonce: bigint) => {
    const transfer = strkTransfer(chain.signer(0), 1n, nonce);
    const { body, hash } = signedForGateway(chain.signer(0), CHAIN_ID, transfer);
    expect((await addTransaction(gateway.url, body)).status).toBe(200);
    const status = async () => {
      const of = `get_transaction_status?transactionHash=${hexFromFelt(hash)}`;
      return (await (await fetch(`${feeder}/${of}`)).json()) as { readonly tx_status: string };
    };
    while ((await status()).tx_status !== "PRE_CONFIRMED") await Bun.sleep(5);
    expect(await status()).toMatchObject({ finality_status: "RECEIVED" });
    return hexFromFelt(hash);
  };

  test("is followed by its added transactions, up to its end and into the next block", async () => {
    const latest = await chain.provider.getBlockNumber();
    const first = await send(0n);
    const whole = await poll("latest", "0x0", 0);
    expect(whole).toMatchObject({ changed: true, block_number: latest + 1 });
    expect(whole.transactions?.map(({ transaction_hash: hash }) => hash)).toEqual([first]);
    const identifier = whole.block_identifier ?? "";
    expect(await poll("latest", identifier, 1)).toEqual({ changed: false });
    const second = await send(1n);
    const more = await poll("latest", identifier, 1);
    expect([more.timestamp, more.block_identifier]).toEqual([undefined, identifier]);
    expect(more.transactions?.map(({ transaction_hash: hash }) => hash)).toEqual([second]);

    await resultOf(chain, "devnet_createBlock", {});
    const block = await fetch(`${feeder}/get_block?blockNumber=${latest + 1}`);
    expect(await block.json()).toMatchObject({
      transactions: [{ transaction_hash: first }, { transaction_hash: second }],
    });
    const gone = await fetch(`${feeder}/get_preconfirmed_block?blockNumber=${latest + 1}`);
    expect([gone.status, await gone.json()]).toMatchObject([
      400,
      { code: "StarknetErrorCode.BLOCK_NOT_FOUND" },
    ]);
    const next = await poll("latest", identifier, 2);
    expect([next.block_number, next.transactions]).toEqual([latest + 2, []]);
    expect(next.block_identifier).not.toBe(identifier);
  }, 30_000);

  test("has a new identifier after the node was killed", async () => {
    await send(2n);
    const before = await poll("latest", "", 0);
    await chain.stop("SIGKILL");
    await chain.start({ args: onDemand });
    const after = await poll("latest", before.block_identifier ?? "", 1);
    expect(after.changed).toBe(true);
    expect(after.block_identifier).not.toBe(before.block_identifier ?? "");
    expect(after.timestamp).toBeNumber();
  }, 30_000);
});
