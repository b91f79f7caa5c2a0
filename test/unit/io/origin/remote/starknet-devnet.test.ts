import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { parseJson, stringifyJson } from "#base/codec/index.ts";
import { feltFromShortString, hexFromFelt } from "#base/primitives/index.ts";
import { remoteHead } from "#io/client/index.ts";
import { decodeOriginClass } from "#io/origin/index.ts";
import { requireBlockHash } from "#io/origin/remote/verify-block.ts";
import type { StoredChainReader } from "#io/storage/index.ts";
import { type BlockHeader, decodeContractClass, pythonicJson } from "#protocol/chain/index.ts";
import {
  must,
  openOriginChain,
  ORIGIN_CHAIN_ID,
  type OriginChain,
  pinnedRemote,
} from "#test/helpers/origin-chain.ts";
import { errorResponse, type SentCall, serveChain } from "#test/helpers/origin-server.ts";

/** Responses of nodes that differ from those of the public networks' nodes. */

const FORK = 8;
/** Block that the origin continues, as starknet-devnet does. */
const OUTER_FORK = 5;
const BLOCK_NOT_FOUND = 24;
const PROOF_NOT_SUPPORTED = 42;

/** Block 2 of starknet-devnet 0.10.1, started with `--seed 7 --accounts 1 --start-time 1700000000`. */
const DEVNET_BLOCK = {
  status: "ACCEPTED_ON_L2",
  block_hash: "0x676d9da7c2f12b3f119b907bfb80693b80d8e23235f35479b9af9f96ac7b4a2",
  parent_hash: "0x41b18ff57b1fe89611b352179e7090402ac1bd03723dc9c64d4a59312780f61",
  block_number: 2,
  sequencer_address: "0x1000",
  new_root: "0x0",
  timestamp: 1700000000,
  starknet_version: "0.14.4",
  l1_gas_price: { price_in_fri: "0x3b9aca00", price_in_wei: "0x3b9aca00" },
  l2_gas_price: { price_in_fri: "0x3b9aca00", price_in_wei: "0x3b9aca00" },
  l1_data_gas_price: { price_in_fri: "0x3b9aca00", price_in_wei: "0x3b9aca00" },
  l1_da_mode: "BLOB",
  transactions: ["0x2bd23d49da5181be4d5151e77750094db69287c81935b32bbb17f2a1509b5e3"],
};

const COMMITMENTS = {
  transactionCount: 1,
  eventCount: 2,
  stateDiffLength: 6,
  stateDiffCommitment: 0x1aa10114a66430e1d157348a03f3e80668e9f607ccf00b5655172f80c2ed0b1n,
  transactionCommitment: 0xe0eaf714933a1dc00f389c21dbe35e2b28a0161ef33b84cd993c93d4109289n,
  eventCommitment: 0x46467dae15664376e30a7bbad528d894c12000bed594213868ab46f74e7bbc8n,
  receiptCommitment: 0x3d673af124b0151e6259cf2160ed0c4437f55f3427d60a3b31839f3ed2adcean,
};

const SEPOLIA = feltFromShortString("SN_SEPOLIA");

let origin: OriginChain;
let chain: StoredChainReader;
let classHash: bigint;

beforeAll(async () => {
  origin = await openOriginChain(FORK + 2);
  ({ chain } = origin);
  [classHash = 0n] = must(chain.stateDiff(0)).declaredClasses.keys();
});
afterAll(() => origin[Symbol.dispose]());

/** The rule of the hash of a block that names Sepolia's chain id, as starknet-devnet does. */
function ruleOf(changes: Partial<BlockHeader>): string {
  const header = { ...remoteHead.decode(DEVNET_BLOCK, ""), ...COMMITMENTS, ...changes };
  return requireBlockHash(header, SEPOLIA, { commitments: COMMITMENTS, name: "http://origin" });
}

describe("the hash of a block of starknet-devnet", () => {
  test("is recognized", () => {
    expect(ruleOf({})).toBe("devnet");
  });

  test("is recognized with --lite-mode", () => {
    expect(ruleOf({ hash: 2n })).toBe("devnet");
  });

  test("is refused when the block has another number of transactions", () => {
    expect(() => ruleOf({ transactionCount: 2 })).toThrow("its header hashes to");
  });
});

describe("OriginRemote with an origin like starknet-devnet", () => {
  test("reads a class whose ABI lacks the spaces that its hash covers", async () => {
    await using server = serveChain(chain, ORIGIN_CHAIN_ID, "0.10");
    const { fetch } = await pinnedRemote(server.url, FORK);
    const known = must(chain.declaredClass(classHash)).contractClass;
    if (known.kind !== "sierra") throw new TypeError("the class is a Cairo 0 class");
    expect(pythonicJson(parseJson(known.abi))).toBe(known.abi);
    const compact = stringifyJson(parseJson(known.abi));
    expect(compact).not.toBe(known.abi);
    const honest = await resultOf(server.url, "getClass", {
      block_id: { block_number: FORK },
      class_hash: hexFromFelt(classHash),
    });
    server.instead = ({ calls: [call] }) =>
      call?.method === "starknet_getClass"
        ? Response.json({ id: call.id, result: { ...honest, abi: compact } })
        : undefined;
    const value = must(await fetch({ kind: "class", block: FORK, classHash }));
    expect(decodeContractClass(decodeOriginClass(value).contractClass)).toEqual(known);
  });

  test("reads a class of the chain that the origin forked at the block that it forked", async () => {
    await using server = serveChain(chain, ORIGIN_CHAIN_ID, "0.10");
    const { fetch } = await pinnedRemote(server.url, FORK);
    server.instead = ({ calls: [call] }) => outerFork(call);
    expect(await fetch({ kind: "class", block: FORK, classHash })).not.toBeNull();
    expect(await fetch({ kind: "class", block: FORK, classHash: 0xdeadn })).toBeNull();
    const calls = server.requests.flatMap((request) => request.calls);
    const configs = calls.filter(({ method }) => method === "devnet_getConfig");
    expect(configs).toHaveLength(1);
  });

  test("returns no proof, and does not take its lack for a value", async () => {
    await using server = serveChain(chain, ORIGIN_CHAIN_ID, "0.10");
    const { fetch } = await pinnedRemote(server.url, FORK);
    server.instead = ({ calls }) =>
      calls.some(({ method }) => method === "starknet_getStorageProof")
        ? errorResponse(calls, PROOF_NOT_SUPPORTED, "Devnet doesn't support storage proofs")
        : undefined;
    const query = { kind: "proof", block: FORK, paramsText: "{}" } as const;
    expect(await fetch(query)).toBeNull();
    server.instead = () => undefined;
    expect(await fetch(query)).not.toBeNull();
  });
});

/** A fork that lacks the classes of its origin at its own blocks. */
function outerFork(call: SentCall | undefined): Response | undefined {
  if (call?.method === "devnet_getConfig") {
    const config = { fork_config: { url: "http://outer/", block_number: OUTER_FORK } };
    return Response.json({ id: call.id, result: config });
  }
  if (call?.method !== "starknet_getClass") return undefined;
  const { block_number: number } = call.params["block_id"] as { readonly block_number?: number };
  return number === OUTER_FORK ? undefined : errorResponse([call], BLOCK_NOT_FOUND, "No block");
}

async function resultOf(url: string, method: string, params: unknown) {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: `starknet_${method}`, params });
  const response = await fetch(url, { method: "POST", body });
  return ((await response.json()) as { result: Record<string, unknown> }).result;
}
