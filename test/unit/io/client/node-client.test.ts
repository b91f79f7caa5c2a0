import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { JsonValue } from "#base/codec/index.ts";
import { NodeError } from "#base/errors/index.ts";
import { feltFromShortString } from "#base/primitives/index.ts";
import { NodeClient } from "#io/client/index.ts";
import { legacyClassHash, transactionHash } from "#protocol/chain/index.ts";
import { encodeContractClass } from "#api/rpc/spec/v0_10/contract-class.ts";
import { encodeTransaction } from "#api/rpc/spec/v0_10/transaction.ts";
import { remoteTransaction } from "#io/client/answers/transaction.ts";
import { remoteClass } from "#io/client/answers/contract-class.ts";
import { type ForeignJson, foreignTransaction } from "#test/helpers/foreign-json.ts";
import { streamedAnswer } from "#test/helpers/streamed-answer.ts";
import { fixturePath, readFixtureJson, sharedTest } from "#test/helpers/shared.ts";

/** Client of a node that always returns the same result; `asked` collects its requests. */
function clientOf(result: unknown) {
  const asked: unknown[] = [];
  const client = new NodeClient({
    call(method, params) {
      asked.push([method, params]);
      return Promise.resolve(result as JsonValue);
    },
    stream(method, params, decoder) {
      asked.push([method, params]);
      return streamedAnswer(method, JSON.stringify(result), decoder());
    },
  });
  return { client, asked };
}

const pathfinder = (path: string): unknown => readFixtureJson("rpc-execution", "0.10.0", path);

describe("NodeClient with responses of Pathfinder", () => {
  sharedTest("decodes a block with receipts", async () => {
    const { client, asked } = clientOf(pathfinder("blocks/latest.json"));
    const { header, transactions, receipts } = await client.block(2);
    expect(asked).toEqual([
      [
        "starknet_getBlockWithReceipts",
        { block_id: { block_number: 2 }, response_flags: ["INCLUDE_PROOF_FACTS"] },
      ],
    ]);
    expect(header).toMatchObject({
      number: 2,
      hash: feltFromShortString("latest"),
      protocolVersion: "0.13.2",
      l1DaMode: "CALLDATA",
      gasPrices: { l1Gas: { wei: 2n, fri: 0n } },
      receiptCommitment: 0xdc02n,
    });
    expect(transactions.length).toBe(receipts.length);
    expect(receipts.map(({ transactionHash: hash }) => hash)).toEqual(
      ["txn 3", "txn 4", "txn 5", "txn 6", "txn reverted"].map(feltFromShortString),
    );
    expect(receipts.at(-1)?.status).toEqual({ kind: "reverted", reason: "Reverted because" });
    expect(transactions[0]).toMatchObject({ type: "INVOKE", version: 0 });
  });

  sharedTest("decodes a block with transaction hashes", async () => {
    const { client } = clientOf(pathfinder("blocks/latest_with_tx_hashes.json"));
    const { header, transactionHashes } = await client.blockHashes(2);
    expect([header.number, transactionHashes.length]).toEqual([2, 5]);
  });

  sharedTest("decodes a state update", async () => {
    const { client } = clientOf(pathfinder("state_updates/full.json"));
    expect(await client.stateUpdate(5)).toEqual({
      blockHash: 0xdeadbeefn,
      newRoot: 1n,
      oldRoot: 2n,
      stateDiff: {
        storageDiffs: new Map([[0xadcn, new Map([[0xf0n, 0x55n]])]]),
        deprecatedDeclaredClasses: new Set([0xcdefn]),
        declaredClasses: new Map([[0xabcdn, 0xdcban]]),
        deployedContracts: new Map([[0xaddn, 0xcdefn]]),
        replacedClasses: new Map([[0xcadn, 0xdacn]]),
        migratedCompiledClasses: new Map([[0xabcdn, 0xdcbbn]]),
        nonces: new Map([[0xcan, 0x404cen]]),
      },
    });
  });

  sharedTest("decodes Cairo 0 and Sierra classes", async () => {
    const kinds = ["cairo0", "sierra"].map(async (name) => {
      const { client } = clientOf(pathfinder(`class_at/${name}.json`));
      return (await client.contractClass(1n, 2)).kind;
    });
    expect(await Promise.all(kinds)).toEqual(["legacy", "sierra"]);
  });
});

const KINDS: Readonly<Record<string, string>> = {
  Invoke: "INVOKE",
  Declare: "DECLARE",
  DeployAccount: "DEPLOY_ACCOUNT",
  Deploy: "DEPLOY",
  L1Handler: "L1_HANDLER",
};

interface Vector {
  readonly chain_id: string;
  readonly transaction: Readonly<Record<string, ForeignJson>>;
  readonly transaction_hash: string;
}

sharedTest("mainnet transactions of every type and version keep their hashes", () => {
  const file = readFixtureJson("hashes", "starknet_api", "resources", "transaction_hash.json");
  for (const { chain_id, transaction, transaction_hash } of file as readonly Vector[]) {
    const [kind = "", outer = {}] = Object.entries(transaction)[0] ?? [];
    const [tag = "", inner = {}] = Object.entries(outer)[0] ?? [];
    const isVersioned = /^V\d$/.test(tag);
    const fields = isVersioned ? (inner as ForeignJson) : outer;
    const version = isVersioned ? Number(tag.slice(1)) : Number(outer["version"] ?? 0);
    const known = foreignTransaction(KINDS[kind] ?? "", version, fields);
    const remote = remoteTransaction.decode(encodeTransaction(known, { proofFacts: true }), "");
    expect(remote.type).toBe(known.type);
    if (!("resourceBounds" in known) || known.resourceBounds.l1DataGas !== null) {
      const hash = transactionHash(remote, feltFromShortString(chain_id));
      expect(hash).toBe(BigInt(transaction_hash));
    }
  }
});

sharedTest("a Cairo 0 class keeps its hash", () => {
  const file = "classes/blockifier/feature_contracts/cairo0/compiled/test_contract2_compiled.json";
  const contractClass = { kind: "legacy", json: readFileSync(fixturePath(file), "utf8") } as const;
  const remote = remoteClass.decode(encodeContractClass(contractClass), "");
  if (remote.kind !== "legacy") throw new TypeError("it is no Cairo 0 class");
  expect(legacyClassHash(remote)).toBe(legacyClassHash(contractClass));
});

test("storageProof encodes its request and decodes the response", async () => {
  const proof = {
    classes_proof: [{ node_hash: "0x1", node: { left: "0x2", right: "0x3" } }],
    contracts_proof: {
      nodes: [{ node_hash: "0x4", node: { path: "0x3", length: 2, child: "0x5" } }],
      contract_leaves_data: [{ nonce: "0x6", class_hash: "0x7" }],
    },
    contracts_storage_proofs: [[]],
    global_roots: { contracts_tree_root: "0x8", classes_tree_root: "0x9", block_hash: "0xa" },
  };
  const { client, asked } = clientOf(proof);
  const request = {
    classHashes: [10n],
    contractAddresses: [11n],
    storageKeys: [{ contractAddress: 11n, keys: [12n] }],
  };
  expect(await client.storageProof(3, request)).toEqual({
    classes: [{ kind: "binary", hash: 1n, left: 2n, right: 3n }],
    contracts: [{ kind: "edge", hash: 4n, path: 3n, length: 2, child: 5n }],
    leaves: [{ nonce: 6n, classHash: 7n, storageRoot: undefined }],
    storage: [[]],
    contractsRoot: 8n,
    classesRoot: 9n,
    blockHash: 10n,
  });
  expect(asked).toEqual([
    [
      "starknet_getStorageProof",
      {
        block_id: { block_number: 3 },
        class_hashes: ["0xa"],
        contract_addresses: ["0xb"],
        contracts_storage_keys: [{ contract_address: "0xb", storage_keys: ["0xc"] }],
      },
    ],
  ]);
});

describe("NodeClient rejects, with its path,", () => {
  const edge = { node_hash: "0x1", node: { path: "0x8", length: 3, child: "0x1" } };
  const roots = { contracts_tree_root: "0x0", classes_tree_root: "0x0", block_hash: "0x0" };
  const proof = {
    classes_proof: [] as unknown[],
    contracts_proof: { nodes: [], contract_leaves_data: [] },
    contracts_storage_proofs: [],
    global_roots: roots,
  };
  const diff = {
    storage_diffs: [],
    deprecated_declared_classes: [],
    declared_classes: [],
    deployed_contracts: [],
    replaced_classes: [],
    nonces: [] as unknown[],
  };
  const twice = { contract_address: "0x1", nonce: "0x2" };
  const update = { block_hash: "0x1", old_root: "0x2", new_root: "0x3", state_diff: diff };
  const traces = (reads: unknown) => ({ traces: [], initial_reads: reads });
  const cell = { contract_address: "0x1", key: "0x2", value: "0x3" };

  const cases: readonly (readonly [
    string,
    (client: NodeClient) => Promise<unknown>,
    unknown,
    RegExp,
  ])[] = [
    [
      "an edge path longer than its length",
      (client) => client.storageProof(1, NOTHING),
      { ...proof, classes_proof: [edge] },
      /starknet_getStorageProof .*classes_proof\[0\]\.node\.path: expected a number of 3 bits/,
    ],
    [
      "an edge of length zero",
      (client) => client.storageProof(1, NOTHING),
      { ...proof, classes_proof: [{ ...edge, node: { ...edge.node, length: 0 } }] },
      /classes_proof\[0\]\.node\.length: expected integer from 1 to 251/,
    ],
    [
      "a repeated nonce",
      (client) => client.stateUpdate(1),
      { ...update, state_diff: { ...diff, nonces: [twice, twice] } },
      /state_diff\.nonces: expected 0x1 once, not twice/,
    ],
    [
      "a repeated initial read",
      (client) => client.traces(1),
      traces({ storage: [cell, cell] }),
      /initial_reads\.storage: expected 0x2 of 0x1 once, not twice/,
    ],
    [
      "traces without initial reads",
      (client) => client.traces(1),
      [],
      /starknet_traceBlockTransactions .*expected object with traces, initial_reads/,
    ],
    [
      "a class whose program is not compressed",
      (client) => client.contractClass(1n, 1),
      {
        program: "AAAA",
        entry_points_by_type: { CONSTRUCTOR: [], EXTERNAL: [], L1_HANDLER: [] },
      },
      /program: expected a program as base64 of gzip/,
    ],
  ];

  test.each(cases)("%s", async (_, question, result, said) => {
    const { client } = clientOf(result);
    expect(question(client)).rejects.toThrow(NodeError);
    expect(question(client)).rejects.toThrow(said);
  });

  test("a transaction of an unknown version", () => {
    const unknown = { type: "INVOKE", version: "0x7" };
    expect(() => remoteTransaction.decode(unknown, "t")).toThrow(
      /t\.version: expected a type and version/,
    );
  });
});

const NOTHING = { classHashes: [], contractAddresses: [], storageKeys: [] };
