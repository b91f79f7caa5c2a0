import fc from "fast-check";
import { describe, test } from "bun:test";
import { stringifyJson } from "#base/codec/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import {
  type GatewayBlock,
  PRE_CONFIRMED_UNCHANGED,
  writeBlockReference,
  writeContractAddresses,
  writeGatewayBlock,
  writeGatewayClass,
  writeGatewaySignature,
  writeGatewayStateUpdate,
  writeGatewayTransactionStatus,
  writeGatewayWholeBlock,
  writePreConfirmedBlock,
  writePreConfirmedMore,
  writePublicKey,
} from "#io/feeder/index.ts";
import type { HashedTransaction, Receipt, Transaction } from "#protocol/chain/index.ts";
import { felts, sealedBlocks, stateDiffs } from "#test/helpers/arbitraries.ts";
import { blockOf, VERSIONS, withinTries } from "#test/helpers/gateway-forms.ts";
import { packedClass } from "#test/helpers/packed-class.ts";
import { assertProperty } from "#test/helpers/property.ts";
import { readStrictly } from "#test/helpers/strict-gateway/index.ts";

const TRIE_LIMIT = 1n << 251n;
const L1_LIMIT = 1n << 160n;

/** Limits class hashes and L1 senders to values that occur on the network. */
function possible({ hash, transaction }: HashedTransaction): HashedTransaction {
  const members: Record<string, unknown> = { ...transaction };
  for (const name of ["classHash", "compiledClassHash"]) {
    if (name in members) members[name] = (members[name] as Felt) % TRIE_LIMIT;
  }
  if (transaction.type === "L1_HANDLER") {
    const [sender = 0n, ...payload] = transaction.calldata;
    members["calldata"] = [sender % L1_LIMIT, ...payload];
  }
  return { hash, transaction: members as unknown as Transaction };
}

function possibleReceipt(receipt: Receipt): Receipt {
  const within = <T extends { readonly fromAddress: Felt }>(list: readonly T[]): T[] =>
    list.map((each) => ({ ...each, fromAddress: each.fromAddress % TRIE_LIMIT }));
  return { ...receipt, events: within(receipt.events), messages: within(receipt.messages) };
}

const blocks: fc.Arbitrary<GatewayBlock> = fc
  .tuple(sealedBlocks, fc.constantFrom(...VERSIONS))
  .map(([sealed, version]) => {
    const { header, transactions, receipts } = blockOf(sealed, version);
    return {
      header,
      transactions: transactions.map(possible),
      receipts: receipts.map(possibleReceipt),
    };
  });

const diffs = stateDiffs.map((diff) => {
  const within = withinTries(diff);
  const values = (map: ReadonlyMap<Felt, Felt>) =>
    new Map(Array.from(map, ([key, value]) => [key, value % TRIE_LIMIT]));
  return {
    ...within,
    deployedContracts: values(within.deployedContracts),
    replacedClasses: values(within.replacedClasses),
    declaredClasses: values(within.declaredClasses),
    migratedCompiledClasses: values(within.migratedCompiledClasses),
  };
});

describe("a strict reader accepts what is written:", () => {
  test("blocks and state updates of every version", () => {
    assertProperty(
      fc.property(blocks, diffs, felts, (block, stateDiff, root) => {
        const update = { blockHash: block.header.hash, newRoot: root, oldRoot: 0n, stateDiff };
        const { protocolVersion, hash, number } = block.header;
        readStrictly("block", stringifyJson(writeGatewayBlock(block)));
        readStrictly("headerOnly", stringifyJson(writeBlockReference({ hash, number })));
        const written = writeGatewayStateUpdate(update, protocolVersion);
        readStrictly("stateUpdate", stringifyJson(written));
        const signature = { r: hash, s: root };
        const whole = writeGatewayWholeBlock({ block, update, signature });
        readStrictly("wholeBlock", stringifyJson(whole));
        readStrictly("signature", stringifyJson(writeGatewaySignature(hash, signature)));
      }),
    );
  });

  test("pre-confirmed blocks, whole and as a delta", () => {
    assertProperty(
      fc.property(blocks, diffs, fc.nat(3), (block, diff, candidates) => {
        const { header, transactions, receipts } = block;
        const protocolVersion = "0.14.4";
        const executed = transactions.length - candidates;
        const part = {
          transactions,
          receipts: receipts.map((receipt, i) => (i < executed ? receipt : null)),
          stateDiffs: receipts.map((_, i) => (i < executed ? diff : null)),
        };
        const info = { ...header, protocolVersion };
        const plain = writePreConfirmedBlock({ ...part, info, identifier: undefined });
        readStrictly("preConfirmed", stringifyJson(plain));
        const whole = writePreConfirmedBlock({ ...part, info, identifier: "0x1" });
        readStrictly("preConfirmed", stringifyJson(whole));
        readStrictly("preConfirmedDelta", stringifyJson(whole));
        const more = { ...part, identifier: "0x1", number: header.number };
        const written = writePreConfirmedMore(more, 4, protocolVersion);
        readStrictly("preConfirmedDelta", stringifyJson(written));
      }),
    );
  });

  test("small responses", () => {
    readStrictly("preConfirmedDelta", stringifyJson(PRE_CONFIRMED_UNCHANGED));
    readStrictly("publicKey", stringifyJson(writePublicKey(5n)));
    const tokens = { starknet: 1n, parentFeeToken: 2n, nativeFeeToken: undefined };
    readStrictly("contractAddresses", stringifyJson(writeContractAddresses(tokens, 3n)));
    for (const failureReason of [undefined, "no"]) {
      const status = writeGatewayTransactionStatus({
        finality: "RECEIVED",
        status: "REJECTED",
        executionStatus: failureReason === undefined ? undefined : "REJECTED",
        blockHash: 1n,
        failureReason,
        revertReason: undefined,
      });
      readStrictly("transactionStatus", stringifyJson(status));
    }
  });

  test("classes of both generations", () => {
    const sierra = writeGatewayClass({
      kind: "sierra",
      sierraProgram: [1n],
      contractClassVersion: "0.1.0",
      entryPoints: {
        EXTERNAL: [{ selector: 1n, functionIdx: 0 }],
        L1_HANDLER: [],
        CONSTRUCTOR: [],
      },
      abi: "",
    });
    readStrictly("contractClass", stringifyJson(sierra));
    const { entryPoints } = packedClass({ felts: 1 });
    const program = `{"builtins":[],"data":[],"hints":{},"identifiers":{},"main_scope":"__main__",
      "prime":"0x1","reference_manager":{}}`;
    const json = `{"entry_points_by_type":${entryPoints},"program":${program}}`;
    readStrictly("contractClass", stringifyJson(writeGatewayClass({ kind: "legacy", json })));
  });
});
