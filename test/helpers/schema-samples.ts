import type { StateDiff } from "#protocol/chain/index.ts";
import {
  type BlockCommit,
  createChainReader,
  createChainWriter,
  type DatabaseHandle,
} from "#io/storage/index.ts";
import { applyStateDiff, PEDERSEN } from "#protocol/trie/index.ts";
import { type BlockParts, blockCommit } from "./blocks.ts";
import { fakeDiff, fakeReceipt } from "./fake-chain.ts";
import {
  CONTRACT,
  EVERY_TRANSACTION,
  INVOKE_V3,
  LEGACY_CLASS,
  LEGACY_HASH,
  SIERRA_CLASS,
  SIERRA_HASH,
} from "./sample-chain.ts";

/** Address of a second contract; block 2 empties its storage. */
export const OTHER_CONTRACT = 0xc2n;
/** Hash of the L1 transaction of the message that block 1 consumes; the message's nonce is 5. */
export const L1_TRANSACTION = 0x1f1n;
/** Key and value that the sample stores for the node in the meta table. */
export const NODE_VALUE = { key: "sample", value: Uint8Array.of(1, 2, 3) } as const;
/** Compiled code of the class in the sample, as JSON. */
export const CASM_JSON = '{"bytecode":["0x1"]}';

const TRANSFER_KEY = 0x7an;

const PARTS: readonly BlockParts[] = [
  {
    stateDiff: fakeDiff({
      deployedContracts: new Map([
        [CONTRACT, LEGACY_HASH],
        [OTHER_CONTRACT, LEGACY_HASH],
      ]),
      storageDiffs: new Map([
        [
          CONTRACT,
          new Map([
            [1n, 10n],
            [2n, 20n],
          ]),
        ],
        [OTHER_CONTRACT, new Map([[1n, 5n]])],
      ]),
      declaredClasses: new Map([[SIERRA_HASH, 0xca5n]]),
      deprecatedDeclaredClasses: new Set([LEGACY_HASH]),
    }),
    classes: [
      { classHash: LEGACY_HASH, contractClass: LEGACY_CLASS, casmJson: null },
      { classHash: SIERRA_HASH, contractClass: SIERRA_CLASS, casmJson: CASM_JSON },
    ],
  },
  {
    transactions: EVERY_TRANSACTION.map((transaction, i) => ({
      hash: 0x1000n + BigInt(i),
      transaction,
    })),
    receipts: EVERY_TRANSACTION.map((_, i) =>
      fakeReceipt({
        transactionHash: 0x1000n + BigInt(i),
        feeUnit: i % 2 === 0 ? "WEI" : "FRI",
        events: i === 3 ? [{ fromAddress: CONTRACT, keys: [TRANSFER_KEY, 7n], data: [8n] }] : [],
        messages: i === 4 ? [{ fromAddress: CONTRACT, toAddress: 0xe7n, payload: [1n] }] : [],
      }),
    ),
    stateDiff: fakeDiff({
      replacedClasses: new Map([[CONTRACT, SIERRA_HASH]]),
      storageDiffs: new Map([[CONTRACT, new Map([[1n, 11n]])]]),
      nonces: new Map([[CONTRACT, 3n]]),
    }),
    inputs: {
      l1Messages: [
        {
          transactionHash: 0x1000n + BigInt(EVERY_TRANSACTION.length - 1),
          nonce: 5n,
          messageHash: 0x3e5n,
          l1TransactionHash: L1_TRANSACTION,
          l1BlockNumber: null,
        },
      ],
    },
  },
  {
    transactions: [{ hash: 0x2000n, transaction: INVOKE_V3 }],
    receipts: [
      fakeReceipt({
        transactionHash: 0x2000n,
        status: { kind: "reverted", reason: "out of luck" },
        events: [{ fromAddress: OTHER_CONTRACT, keys: [TRANSFER_KEY], data: [] }],
      }),
    ],
    stateDiff: fakeDiff({
      storageDiffs: new Map([
        [
          CONTRACT,
          new Map([
            [2n, 0n],
            [3n, 33n],
          ]),
        ],
        [OTHER_CONTRACT, new Map([[1n, 0n]])],
      ]),
      nonces: new Map([[CONTRACT, 4n]]),
      migratedCompiledClasses: new Map([[SIERRA_HASH, 0xca6n]]),
    }),
  },
];

/** Number of blocks of the sample. */
export const SAMPLE_BLOCKS: number = PARTS.length;

/** Special parts of a block of the sample. */
export function samplePartsOf(number: number): BlockParts {
  const parts = PARTS[number];
  if (parts === undefined) throw new RangeError(`the sample has no block ${number}`);
  return parts;
}

/** State diff of a block of the sample. */
export function sampleDiffOf(number: number): StateDiff {
  return samplePartsOf(number).stateDiff ?? fakeDiff({});
}

/** Writes the sample, with content for every table of a chain database. Its tries are real. */
export function writeSample(handle: DatabaseHandle): void {
  for (let number = 0; number < SAMPLE_BLOCKS; number++) addSampleBlock(handle, number);
  const writer = createChainWriter(handle);
  writer.setL1Accepted(1);
  writer.putValue(NODE_VALUE.key, NODE_VALUE.value);
}

/** Adds a block of the sample after the newest one. */
export function addSampleBlock(handle: DatabaseHandle, number: number): BlockCommit {
  const writer = createChainWriter(handle);
  const { changes } = applyStateDiff({
    diff: sampleDiffOf(number),
    store: writer.trieStore,
    contracts: createChainReader(handle).stateAt(number - 1),
    pedersen: PEDERSEN,
    alwaysHashClasses: true,
  });
  const commit = blockCommit(number, { ...samplePartsOf(number), trie: changes });
  writer.commitBlock(commit);
  return commit;
}
