import { expect } from "bun:test";
import { earlyTransactionHashes, transactionHash } from "#protocol/chain/index.ts";
import { feltFromShortString } from "#base/primitives/index.ts";
import { type ForeignJson, foreignTransaction } from "#test/helpers/foreign-json.ts";
import { expectSuite } from "#test/helpers/conformance/check.ts";
import { fixtureTest, hasFixtures, readFixtureJson } from "#test/helpers/shared.ts";

const sharedTest = fixtureTest("hashes");

const KINDS: Readonly<Record<string, string>> = {
  Invoke: "INVOKE",
  Declare: "DECLARE",
  DeployAccount: "DEPLOY_ACCOUNT",
  Deploy: "DEPLOY",
  L1Handler: "L1_HANDLER",
};

const EMPTY: ForeignJson = {};

interface Vector {
  readonly chain_id: string;
  readonly block_number: number;
  readonly transaction: Readonly<Record<string, ForeignJson>>;
  readonly transaction_hash: string;
  readonly only_query_transaction_hash?: string;
}

function read(file: string): readonly Vector[] {
  if (!hasFixtures("hashes")) return [];
  return readFixtureJson("hashes", "starknet_api", "resources", file) as readonly Vector[];
}

/** Transaction of a vector: `{Kind: {Vn: fields}}`, or `{Kind: fields}` without a version. */
function parse(vector: Vector) {
  const [kind = "", outer = EMPTY] = Object.entries(vector.transaction)[0] ?? [];
  const [tag = "", inner = EMPTY] = Object.entries(outer)[0] ?? [];
  const versioned = /^V\d$/.test(tag);
  const fields = versioned ? (inner as ForeignJson) : outer;
  const version = versioned ? Number(tag.slice(1)) : Number(outer["version"] ?? 0);
  return {
    name: `${KINDS[kind]} version ${version} of block ${vector.block_number}`,
    transaction: foreignTransaction(KINDS[kind] ?? "", version, fields),
    chainId: feltFromShortString(vector.chain_id),
  };
}

for (const [index, vector] of read("transaction_hash.json").entries()) {
  const { name, transaction, chainId } = parse(vector);
  sharedTest(`transaction_hash.json[${index}]: hash of ${name} matches`, () => {
    expect(transactionHash(transaction, chainId)).toBe(BigInt(vector.transaction_hash));
  });
  sharedTest(`transaction_hash.json[${index}]: query hash of ${name} matches`, () => {
    expect(transactionHash(transaction, chainId, { query: true })).toBe(
      BigInt(vector.only_query_transaction_hash ?? "0"),
    );
  });
}

for (const [index, vector] of read("deprecated_transaction_hash.json").entries()) {
  const { name, transaction, chainId } = parse(vector);
  sharedTest(`deprecated_transaction_hash.json[${index}]: hash of early ${name}`, () => {
    const accepted = [
      transactionHash(transaction, chainId),
      ...earlyTransactionHashes(transaction, chainId),
    ];
    expect(accepted).toContain(BigInt(vector.transaction_hash));
  });
}

sharedTest("conformance table counts every transaction hash vector", () => {
  const files = ["transaction_hash.json", "deprecated_transaction_hash.json"];
  expectSuite("transactionHashes", { compared: files.flatMap(read).length });
});

if (!hasFixtures("hashes")) sharedTest("transaction hashes of mainnet match", () => undefined);
