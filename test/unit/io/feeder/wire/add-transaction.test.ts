import fc from "fast-check";
import { describe, expect, test } from "bun:test";
import type { JsonObject } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import {
  type OutgoingTransaction,
  readGatewayTransaction,
  writeAddTransaction,
} from "#io/feeder/index.ts";
import {
  type AccountTransaction,
  contractAddress,
  type DeclareV1,
  type InvokeTransaction,
  type SierraClass,
  unpackSierraClass,
} from "#protocol/chain/index.ts";
import { transactions } from "#test/helpers/arbitraries.ts";
import { sent } from "#test/helpers/gateway-forms.ts";
import { packedClass, sentPackedClass } from "#test/helpers/packed-class.ts";
import { assertProperty } from "#test/helpers/property.ts";

const TRIE_LIMIT = 1n << 251n;

const SIERRA: SierraClass = {
  kind: "sierra",
  sierraProgram: Array.from({ length: 5000 }, (_, i) => BigInt(i) ** 20n),
  contractClassVersion: "0.1.0",
  entryPoints: { EXTERNAL: [{ selector: 3n, functionIdx: 4 }], L1_HANDLER: [], CONSTRUCTOR: [] },
  abi: "[]",
};

const accountTransactions = transactions.filter(
  ({ type }) => type !== "DEPLOY" && type !== "L1_HANDLER",
) as fc.Arbitrary<AccountTransaction>;

function outgoing(transaction: AccountTransaction): OutgoingTransaction | undefined {
  if (transaction.type !== "DECLARE") return { kind: "transaction", transaction };
  if (transaction.version === 0) return undefined;
  const contractClass = transaction.version === 1 ? packedClass({ felts: 2 }) : SIERRA;
  return { kind: "declaration", declaration: { transaction, contractClass } };
}

type Newer = Exclude<AccountTransaction, { readonly version: 0 }>;

const newerTransactions = accountTransactions.filter(
  ({ version }) => version !== 0,
) as fc.Arbitrary<Newer>;

/** Limits addresses to those of the state trie; derives the address of a deployment. */
function within(transaction: Newer): Newer {
  if (transaction.type !== "DEPLOY_ACCOUNT") {
    return { ...transaction, senderAddress: transaction.senderAddress % TRIE_LIMIT };
  }
  const { contractAddressSalt, classHash, constructorCalldata } = transaction;
  const address = contractAddress(0n, contractAddressSalt, classHash, constructorCalldata);
  return { ...transaction, contractAddress: address };
}

function hasProof(transaction: InvokeTransaction): boolean {
  return transaction.version === 3 && transaction.proofFacts.length > 0;
}

describe("writeAddTransaction", () => {
  test("writes the members that gateways require and no derived ones", async () => {
    await assertProperty(
      fc.asyncProperty(accountTransactions, async (transaction) => {
        const sending = outgoing(transaction);
        if (sending === undefined) return;
        const body = sent(await writeAddTransaction(sending)) as JsonObject;
        const { type, version } = transaction;
        expect(body["type"]).toBe(type === "INVOKE" ? "INVOKE_FUNCTION" : type);
        expect(body["version"]).toBe(`0x${version}`);
        expect(body["signature"]).toEqual(transaction.signature.map(hexFromFelt));
        const isDeployment = type === "DEPLOY_ACCOUNT";
        expect("transaction_hash" in body).toBe(false);
        expect("contract_address" in body).toBe(type === "INVOKE" && version === 0);
        expect("sender_address" in body).toBe(!isDeployment && version !== 0);
        expect("class_hash" in body).toBe(isDeployment);
        expect("contract_class" in body).toBe(type === "DECLARE");
        const modes = [body["nonce_data_availability_mode"], body["fee_data_availability_mode"]];
        expect(modes.every((mode) => typeof mode === "number")).toBe(version === 3);
        if (transaction.type === "INVOKE" && transaction.version === 3) {
          expect("proof_facts" in body).toBe(transaction.proofFacts.length > 0);
        }
      }),
      { numRuns: 200 },
    );
  });

  test("is read back by our own gateway", async () => {
    await assertProperty(
      fc.asyncProperty(newerTransactions, async (transaction) => {
        const sending = outgoing(within(transaction));
        if (sending === undefined) return;
        const read = readGatewayTransaction(sent(await writeAddTransaction(sending)));
        if (transaction.type === "INVOKE" && hasProof(transaction)) {
          expect(read.kind).toBe("proof");
        } else if (sending.kind === "declaration") {
          const { classHash: _derived, ...declared } = within(transaction) as DeclareV1;
          expect(read).toMatchObject({ kind: "declaration", transaction: declared });
        } else {
          expect<unknown>(read).toEqual(sending);
        }
      }),
      { numRuns: 200 },
    );
  });

  const declaration = {
    type: "DECLARE",
    version: 2,
    maxFee: 1n,
    signature: [],
    nonce: 0n,
    senderAddress: 5n,
    compiledClassHash: 6n,
  } as const;

  test("compresses a Sierra program and keeps a compressed one", async () => {
    const written = await writeAddTransaction({
      kind: "declaration",
      declaration: { transaction: declaration, contractClass: SIERRA },
    });
    const sentClass = sent(written["contract_class"] ?? null) as JsonObject;
    const { contractClassVersion, entryPoints, abi } = SIERRA;
    const program = sentClass["sierra_program"] as string;
    const packed = {
      contractClassVersion,
      entryPoints,
      abi,
      kind: "packed-sierra",
      program,
    } as const;
    expect(unpackSierraClass(packed, 1 << 20)).toEqual(SIERRA);
    const again = await writeAddTransaction({
      kind: "declaration",
      declaration: { transaction: declaration, contractClass: packed },
    });
    expect(sent(again)).toEqual(sent(written));
  });

  test("keeps a Cairo 0 class as it was sent", async () => {
    const written = await writeAddTransaction({
      kind: "declaration",
      declaration: {
        transaction: { ...declaration, version: 1 },
        contractClass: packedClass({ felts: 4 }),
      },
    });
    expect(sent(written["contract_class"] ?? null)).toEqual(
      sent(sentPackedClass({ felts: 4 }) as unknown as JsonObject),
    );
  });
});
