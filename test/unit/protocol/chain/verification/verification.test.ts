import { describe, expect, test } from "bun:test";
import {
  blockHashMismatch,
  type BlockHeader,
  commitmentMismatch,
  computeCommitments,
  deployedAddressMismatch,
  EMPTY_STATE_DIFF,
  firstEraBlockHash,
  withHashedBounds,
  receiptCountMismatch,
  receiptMismatch,
  signatureMismatch,
  stateDiffCommitment,
  transactionHash,
  transactionHashMismatch,
} from "#protocol/chain/index.ts";
import { feltFromShortString } from "#base/primitives/index.ts";
import { testHeader } from "#test/helpers/blocks.ts";
import { fakeReceipt } from "#test/helpers/fake-chain.ts";
import {
  type ForeignJson,
  gatewayReceipts,
  gatewayStateDiff,
  gatewayTransactions,
} from "#test/helpers/foreign-json.ts";
import { INVOKE_V3 } from "#test/helpers/sample-chain.ts";
import { fixtureTest, readFixtureJson } from "#test/helpers/shared.ts";

const MAINNET = feltFromShortString("SN_MAIN");
const OTHER = feltFromShortString("SN_SEPOLIA");
const MAINNET_KEY = 0x48253ff2c3bed7af18bde0b611b083b39445959102d4947c51c4db6aa4f4e58n;

const blockTest = fixtureTest("gateway-blocks");

const read = (path: string): ForeignJson =>
  readFixtureJson("gateway-blocks", ...path.split("/")) as ForeignJson;

const GENESIS = "pre_0.7.0/block/mainnet_genesis.json";
const UNNAMED = "0.7.0/block/mainnet_2240.json";

/** Header of a block before 0.9.1 with computed commitments; its sequencer may be omitted. */
function earlyHeader(block: ForeignJson): BlockHeader {
  const felt = (name: string): bigint => BigInt((block[name] as string | undefined) ?? "0x0");
  const body = {
    transactions: gatewayTransactions(block),
    receipts: gatewayReceipts(block),
    stateDiff: EMPTY_STATE_DIFF,
  };
  return {
    ...testHeader(Number(block["block_number"])),
    ...computeCommitments(body, ""),
    hash: felt("block_hash"),
    parentHash: felt("parent_block_hash"),
    timestamp: Number(block["timestamp"]),
    newRoot: felt("state_root"),
    sequencerAddress: felt("sequencer_address"),
    protocolVersion: "",
  };
}

describe("blockHashMismatch", () => {
  for (const path of [GENESIS, UNNAMED, "0.8.0/block/mainnet_2500.json"]) {
    blockTest(`accepts the hash of ${path} by the rules of its era`, () => {
      expect(blockHashMismatch(earlyHeader(read(path)), MAINNET)).toBeUndefined();
    });
  }

  for (const path of [GENESIS, UNNAMED]) {
    blockTest(`applies older rules only to mainnet: ${path}`, () => {
      const header = earlyHeader(read(path));
      expect(blockHashMismatch(header, OTHER)).toMatchObject({
        check: "block_hash",
        found: header.hash,
      });
    });
  }

  blockTest("uses a sequencer address that is stated", () => {
    const header = { ...earlyHeader(read(UNNAMED)), sequencerAddress: 1n };
    expect(blockHashMismatch(header, MAINNET)?.check).toBe("block_hash");
  });
});

test("blockHashMismatch uses the first-era rule on mainnet only before block 833", () => {
  const hash = (number: number) => {
    const header = testHeader(number);
    return { ...header, hash: firstEraBlockHash(header, MAINNET) };
  };
  expect(blockHashMismatch(hash(832), MAINNET)).toBeUndefined();
  expect(blockHashMismatch(hash(833), MAINNET)?.check).toBe("block_hash");
});

describe("transaction verification", () => {
  const all = (path: string, chainId: bigint, blockNumber: number) =>
    gatewayTransactions(read(path)).map((hashed, index) =>
      transactionHashMismatch(hashed, { chainId, blockNumber, index }),
    );

  blockTest("accepts older hashes only in the first blocks of mainnet", () => {
    expect(all(GENESIS, MAINNET, 0).every((found) => found === undefined)).toBe(true);
    expect(all(GENESIS, MAINNET, 1470).every((found) => found === undefined)).toBe(true);
    const [first] = gatewayTransactions(read(GENESIS));
    expect(all(GENESIS, MAINNET, 1471)[0]).toMatchObject({ found: first?.hash, index: 0 });
    expect(all(GENESIS, OTHER, 0)[0]).toMatchObject({ check: "transaction_hash" });
  });

  for (const path of [GENESIS, UNNAMED, "0.9.0/block/mainnet_2800.json"]) {
    blockTest(`derives the addresses of early deployments: ${path}`, () => {
      const deploys = gatewayTransactions(read(path)).flatMap(({ transaction }) =>
        transaction.type === "DEPLOY" ? [transaction] : [],
      );
      expect(deploys.length).toBeGreaterThan(0);
      for (const deploy of deploys) {
        expect(deployedAddressMismatch(deploy, 3)).toBeUndefined();
        const other = { ...deploy, classHash: deploy.classHash ^ 1n };
        expect(deployedAddressMismatch(other, 3)).toMatchObject({
          index: 3,
          field: "contractAddress",
          found: deploy.contractAddress,
        });
      }
    });
  }

  test("determines the form of resource bounds from the hash", () => {
    const nothing = { maxAmount: 0n, maxPricePerUnit: 0n };
    const bounds = INVOKE_V3.resourceBounds;
    const newer = { ...INVOKE_V3, resourceBounds: { ...bounds, l1DataGas: nothing } };
    const older = { ...INVOKE_V3, resourceBounds: { ...bounds, l1DataGas: null } };
    for (const right of [newer, older]) {
      const hash = transactionHash(right, OTHER);
      for (const shown of [newer, older]) {
        expect(withHashedBounds(shown, hash, OTHER)).toEqual({ hash, transaction: right });
      }
    }
    const shown = withHashedBounds(newer, 5n, OTHER);
    expect(shown).toEqual({ hash: transactionHash(newer, OTHER), transaction: newer });
    // Bounds other than 0 only exist in the newer form.
    const smallest = [
      { maxAmount: 1n, maxPricePerUnit: 0n },
      { maxAmount: 0n, maxPricePerUnit: 1n },
    ];
    for (const l1DataGas of smallest) {
      const bounded = { ...INVOKE_V3, resourceBounds: { ...bounds, l1DataGas } };
      const formed = withHashedBounds(bounded, transactionHash(older, OTHER), OTHER);
      expect(formed.transaction).toBe(bounded);
    }
  });
});

describe("receipt verification", () => {
  const hashed = { hash: 7n, transaction: INVOKE_V3 };

  test("requires one receipt per transaction", () => {
    expect(receiptCountMismatch([hashed], [])).toMatchObject({ expected: 1, found: 0 });
    expect(receiptCountMismatch([], [fakeReceipt({ transactionHash: 7n })])?.found).toBe(1);
  });

  test("requires the receipt of the transaction at the same index", () => {
    const receipt = fakeReceipt({ transactionHash: 8n });
    expect(receiptMismatch(hashed, receipt, 4)).toMatchObject({
      expected: 7n,
      found: 8n,
      index: 4,
    });
    expect(receiptMismatch(hashed, undefined, 4)?.found).toBeUndefined();
    expect(receiptMismatch(hashed, fakeReceipt({ transactionHash: 7n }), 4)).toBeUndefined();
  });
});

describe("commitmentMismatch", () => {
  const computed = {
    transactionCount: 1,
    eventCount: 2,
    stateDiffLength: 3,
    transactionCommitment: 4n,
    eventCommitment: 5n,
    receiptCommitment: 6n,
    stateDiffCommitment: 7n,
  };

  for (const field of Object.keys(computed) as (keyof typeof computed)[]) {
    test(`compares ${field} if it is stated`, () => {
      const found = typeof computed[field] === "number" ? 9 : 9n;
      expect(commitmentMismatch(computed, { ...computed, [field]: found })).toMatchObject({
        field,
        expected: computed[field],
        found,
      });
      expect(commitmentMismatch(computed, { ...computed, [field]: undefined })).toBeUndefined();
    });
  }
});

describe("signatureMismatch", () => {
  const signed = () => {
    const file = read("0.12.2/signature/350000.json");
    const stateDiff = gatewayStateDiff(read("0.12.2/state-update/350000.json"));
    const [r = "0", s = "0"] = file["signature"] as readonly string[];
    const input = file["signature_input"] as ForeignJson;
    return {
      stateDiff,
      header: {
        hash: BigInt(input["block_hash"] as string),
        stateDiffCommitment: stateDiffCommitment(stateDiff),
        protocolVersion: "0.12.2",
      },
      signature: { r: BigInt(r), s: BigInt(s) },
    };
  };

  blockTest(
    "accepts the older state diff commitment that public networks signed before 0.13.2",
    () => {
      const { header, signature, stateDiff } = signed();
      expect(signatureMismatch(MAINNET_KEY, header, signature, stateDiff)).toBeUndefined();
    },
  );

  blockTest("rejects a signature over another state diff, another hash, or by another rule", () => {
    const { header, signature, stateDiff } = signed();
    const other = { ...stateDiff, nonces: new Map([...stateDiff.nonces, [1n, 1n]]) };
    const otherHash = { ...header, hash: header.hash ^ 1n };
    const otherRule = { ...header, protocolVersion: "0.13.2" };
    const refusal = { check: "signature", expected: MAINNET_KEY, found: signature.r };
    expect(signatureMismatch(MAINNET_KEY, header, signature, other)).toMatchObject(refusal);
    expect(signatureMismatch(MAINNET_KEY, otherHash, signature, stateDiff)).toMatchObject(refusal);
    expect(signatureMismatch(MAINNET_KEY, otherRule, signature, stateDiff)).toMatchObject(refusal);
  });
});
