import { beforeAll, describe, expect, test } from "bun:test";
import { rawCall } from "#test/helpers/binary.ts";
import { type PathfinderProof, wireNodes } from "#test/helpers/proofs/pathfinder-proof.ts";
import {
  fetchProofs,
  type InitialReads,
  MAX_KEYS,
  proofRequests,
  touchedKeys,
  trustedHeader,
  type WireDiff,
} from "#test/helpers/proofs/prover-needs.ts";
import {
  classLeafOf,
  contractLeafOf,
  type ProofRequest,
  type StorageProof,
  verifyStorageProof,
} from "#test/helpers/proofs/storage-proof.ts";
import { pedersenOf, proveLeaf } from "#test/helpers/proofs/trie-walk.ts";
import { NO_ESTIMATE, STRK, transferCall } from "#test/helpers/tokens.ts";
import { useChain, useChains } from "#test/helpers/use-chain.ts";

const start = useChains();

/** Produces more storage keys of one contract than a request may have. */
const TRANSFERS = 120;
/** Block at which contract 0x1 gets its first hash. */
const FIRST_BLOCK = 11;

const chain = useChain({ args: ["--block-time", "1h"] });
/** Block with the transfers. */
let block: number;

beforeAll(async () => {
  while ((await latest()) < FIRST_BLOCK - 1) await result("devnet_createBlock");
  await sendTransfers();
  await result("devnet_createBlock");
  block = await latest();
  await result("devnet_createBlock");
}, 120_000);

async function result(method: string, params: unknown = []): Promise<unknown> {
  const answer = await rawCall(chain.url, method, params);
  expect(answer).toHaveProperty("result");
  return answer.result;
}

const latest = async (): Promise<number> => (await result("starknet_blockNumber")) as number;

/** Sends transfers of two accounts to as many new addresses, and waits until all are executed. */
async function sendTransfers(): Promise<void> {
  const accounts = [chain.account(0), chain.account(1)];
  for (let i = 0; i < TRANSFERS; i++) {
    const call = transferCall(`0x${(2n ** 200n + BigInt(i) * 7919n).toString(16)}`, BigInt(i + 1));
    await accounts[i % 2]?.execute(call, { ...NO_ESTIMATE, nonce: Math.floor(i / 2) });
  }
  const count = () => result("starknet_getBlockTransactionCount", ["pre_confirmed"]);
  while ((await count()) !== TRANSFERS) await Bun.sleep(20);
}

const diffOf = async (block_number: number): Promise<WireDiff> =>
  ((await result("starknet_getStateUpdate", [{ block_number }])) as { state_diff: WireDiff })
    .state_diff;

/** Reads of the block, as a prover receives them. */
async function initialReads(): Promise<InitialReads> {
  const traced = await result("starknet_traceBlockTransactions", [
    { block_number: block },
    ["RETURN_INITIAL_READS"],
  ]);
  return (traced as { initial_reads: InitialReads }).initial_reads;
}

/** Values by location in the state. */
type Values = Map<string, bigint>;

function valuesBefore({ storage, nonces, class_hashes }: InitialReads): Values {
  return new Map([
    ...storage.map((read) => [`${read.contract_address} ${read.key}`, BigInt(read.value)] as const),
    ...nonces.map((read) => [`nonce ${read.contract_address}`, BigInt(read.nonce)] as const),
    ...class_hashes.map((r) => [`class ${r.contract_address}`, BigInt(r.class_hash)] as const),
  ]);
}

function valuesAfter(before: Values, { storage_diffs, nonces }: WireDiff): Values {
  return new Map([
    ...before,
    ...storage_diffs.flatMap(({ address, storage_entries }) =>
      storage_entries.map(({ key, value }) => [`${address} ${key}`, BigInt(value)] as const),
    ),
    ...nonces.map(
      ({ contract_address, nonce }) => [`nonce ${contract_address}`, BigInt(nonce)] as const,
    ),
  ]);
}

/** All values that proofs prove, by location. */
async function provenValues(
  number: number,
  requests: readonly ProofRequest[],
  proofs: readonly StorageProof[],
): Promise<Values> {
  const header = await trustedHeader(chain, number);
  const values: Values = new Map();
  for (const [i, request] of requests.entries()) {
    const proven = verifyStorageProof(request, proofs[i] as StorageProof, header);
    expect(proven.findings).toEqual([]);
    for (const [j, hash] of (request.class_hashes ?? []).entries()) {
      values.set(`leaf ${hash}`, proven.classes[j] ?? -1n);
    }
    for (const [j, address] of (request.contract_addresses ?? []).entries()) {
      const leaf = proven.contracts[j];
      values.set(`nonce ${address}`, BigInt(leaf?.nonce ?? -1));
      values.set(`class ${address}`, BigInt(leaf?.class_hash ?? -1));
    }
    for (const [j, { contract_address, storage_keys }] of (
      request.contracts_storage_keys ?? []
    ).entries()) {
      for (const [k, key] of storage_keys.entries()) {
        values.set(`${contract_address} ${key}`, proven.storage[j]?.[k] ?? -1n);
      }
    }
  }
  return values;
}

/** The proven values at the locations of `wanted`. */
const picked = (values: Values, wanted: Values): Values =>
  new Map([...wanted.keys()].map((place) => [place, values.get(place) ?? -1n]));

describe("proving a block of transfers", () => {
  test("gets proofs of all reads and writes, valid against the headers", async () => {
    const reads = await initialReads();
    const diff = await diffOf(block);
    const touched = touchedKeys(reads, diff);
    expect(touched.get(STRK)?.size).toBeGreaterThan(MAX_KEYS);
    expect([...touched.keys()]).toContain("0x1");
    const classes = new Set([
      ...reads.class_hashes.map(({ class_hash }) => class_hash),
      ...reads.declared_contracts.map(({ class_hash }) => class_hash),
    ]);
    classes.delete("0x0");
    expect(classes.size).toBeGreaterThan(1);
    const requests = proofRequests(touched, classes);

    const proofsBefore = await fetchProofs(chain, block - 1, requests);
    const proofsAfter = await fetchProofs(chain, block, requests);
    const before = await provenValues(block - 1, requests, proofsBefore);
    const after = await provenValues(block, requests, proofsAfter);

    const read = valuesBefore(reads);
    expect(picked(before, read)).toEqual(read);
    const left = valuesAfter(read, diff);
    expect(picked(after, left)).toEqual(left);
  }, 120_000);

  test("gets proofs of the classes with their compiled class hashes", async () => {
    const reads = await initialReads();
    const compiled = new Map<string, string>();
    for (let number = 0; number <= block; number++) {
      for (const { class_hash, compiled_class_hash } of (await diffOf(number)).declared_classes) {
        compiled.set(class_hash, compiled_class_hash);
      }
    }
    const classes = [...new Set(reads.class_hashes.map(({ class_hash }) => class_hash))].filter(
      (hash) => hash !== "0x0",
    );
    expect(classes.length).toBeGreaterThan(1);
    const requests = proofRequests(new Map(), classes);
    const proofs = await fetchProofs(chain, block, requests);
    expect(await provenValues(block, requests, proofs)).toEqual(
      new Map(
        classes.map((hash) => [`leaf ${hash}`, classLeafOf(BigInt(compiled.get(hash) ?? 0))]),
      ),
    );
  });
});

test("the client library gets a valid proof", async () => {
  const request = {
    class_hashes: [],
    contract_addresses: [STRK],
    contracts_storage_keys: [{ contract_address: STRK, storage_keys: ["0x1"] }],
  };
  const proof = await chain.provider.getStorageProof(
    [],
    [STRK],
    request.contracts_storage_keys,
    block,
  );
  const { findings } = verifyStorageProof(
    request,
    proof as unknown as StorageProof,
    await trustedHeader(chain, block),
  );
  expect(findings).toEqual([]);
});

test("pathfinder_getProof proves the same values at the paths of its clients", async () => {
  const touched = touchedKeys(await initialReads(), await diffOf(block));
  const keys = [...(touched.get(STRK) ?? [])].slice(0, 20);
  const { stateRoot } = await trustedHeader(chain, block);
  const [ours] = await fetchProofs(
    chain,
    block,
    proofRequests(new Map([[STRK, new Set(keys)]]), []),
  );
  for (const path of ["/rpc/pathfinder/v0.1", "/rpc/v0_7"]) {
    const { result: answer } = await rawCall(chain.url + path, "pathfinder_getProof", {
      block_id: { block_number: block },
      contract_address: STRK,
      keys,
    });
    const proof = answer as PathfinderProof;
    expect(BigInt(proof.state_commitment ?? 0)).toBe(stateRoot);
    expect(proof.class_commitment).toBe(ours?.global_roots.classes_tree_root ?? "");
    const { contract_data: data } = proof;
    const [leaf] = ours?.contracts_proof.contract_leaves_data ?? [];
    expect(data).toMatchObject({ nonce: leaf?.nonce, root: leaf?.storage_root });
    const root = BigInt(ours?.global_roots.contracts_tree_root ?? 0);
    const contract = proveLeaf(wireNodes(proof.contract_proof), root, BigInt(STRK), pedersenOf);
    expect(contract).toMatchObject({ value: leaf === undefined ? 0n : contractLeafOf(leaf) });
    for (const [i, key] of keys.entries()) {
      const nodes = wireNodes(data?.storage_proofs[i] ?? []);
      const theirs = proveLeaf(nodes, BigInt(data?.root ?? 0), BigInt(key), pedersenOf);
      const ownNodes = ours?.contracts_storage_proofs[0] ?? [];
      expect(theirs).toEqual(proveLeaf(ownNodes, BigInt(data?.root ?? 0), BigInt(key), pedersenOf));
    }
  }
});

test("a request at the key limit is served; one above is rejected", async () => {
  const hashes = (count: number) => Array.from({ length: count }, (_, i) => `0x${i.toString(16)}`);
  expect(await rawCall(chain.url, "chain_getStorageProof", ["latest", hashes(100)])).toHaveProperty(
    "result",
  );
  expect(await rawCall(chain.url, "chain_getStorageProof", ["latest", hashes(101)])).toMatchObject({
    error: { code: 10000, data: { limit: 100, requested: 101 } },
  });
});

test("a chain that keeps few proofs serves those, and names the oldest block for others", async () => {
  const other = await start({ args: ["--block-time", "1h", "--keep-proofs", "3"] });
  const ask = async (block_number: number) =>
    await rawCall(other.url, "starknet_getStorageProof", [{ block_number }, [], [STRK]]);
  for (let i = 0; i < 8; i++) await rawCall(other.url, "devnet_createBlock");
  const newest = (await rawCall(other.url, "starknet_blockNumber")).result as number;
  const oldest = newest - 2;
  expect(await ask(oldest - 1)).toMatchObject({
    error: {
      code: 42,
      data: `proofs are kept from block ${oldest} on, not of block ${oldest - 1}`,
    },
  });
  const request = { contract_addresses: [STRK] };
  for (let number = oldest; number <= newest; number++) {
    const proof = (await ask(number)).result as StorageProof;
    const header = await trustedHeader(other, number);
    expect(verifyStorageProof(request, proof, header).findings).toEqual([]);
  }
}, 60_000);
