import { describe, expect, test } from "bun:test";
import type { JsonValue } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { mutations, ownSchemas } from "#test/helpers/own-openrpc.ts";
import { readAnswer, RECORDED } from "#test/helpers/recorded-answers.ts";
import { ask, openRpcOf, tableOf, VERSIONS } from "#test/helpers/rpc.ts";
import {
  CONTRACT,
  EVERY_TRANSACTION,
  FIRST_HASH,
  LEGACY_HASH,
  REVERTED_HASH,
  sampleContext,
  SIERRA_HASH,
} from "#test/helpers/sample-chain.ts";
import { sharedTest } from "#test/helpers/shared.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { type TraceWorld, traceWorld } from "#test/helpers/trace-world.ts";
import type { FullContext } from "#test/helpers/serving.ts";

/** Kinds of recorded responses and their methods. */
const METHOD_OF = {
  blockHashes: "getBlockWithTxHashes",
  blockReceipts: "getBlockWithReceipts",
  receipts: "getTransactionReceipt",
  transactions: "getTransactionByHash",
  statuses: "getTransactionStatus",
  stateUpdates: "getStateUpdate",
  storage: "getStorageAt",
  classes: "getClassAt",
} as const;

const FOLDER_OF: Readonly<Record<string, string>> = {
  blockHashes: "blocks",
  blockReceipts: "blocks",
  receipts: "transactions",
  transactions: "transactions",
  statuses: "transactions",
  stateUpdates: "state_updates",
  storage: "storage_at",
  classes: "class_at",
};

type Sample = readonly [method: string, place: string, answer: JsonValue];

/** Responses of another node in a version. */
function recordedSamples({ folder, files }: (typeof RECORDED)[number]): Sample[] {
  const kinds = Object.keys(METHOD_OF) as (keyof typeof METHOD_OF)[];
  const samples = kinds.flatMap((kind) =>
    files[kind].map((file): Sample => {
      const answer = readAnswer(folder, FOLDER_OF[kind] ?? "", file) as unknown as JsonValue;
      return [METHOD_OF[kind], `${folder}/${file}`, answer];
    }),
  );
  const blocks = files.blockTransactions.map(([file]): Sample => {
    const answer = readAnswer(folder, "blocks", file) as unknown as JsonValue;
    return ["getBlockWithTxs", `${folder}/${file}`, answer];
  });
  return [...samples, ...blocks];
}

let made: TraceWorld | undefined;
const world = (): TraceWorld => (made ??= traceWorld());

const PENDING_TAGS: Readonly<Record<string, string>> = { "0.8.1": "pending", "0.7.1": "pending" };

/** Requests that cover every shape of each method's result. */
function requests(version: string): readonly (readonly [string, JsonValue, FullContext?])[] {
  const pendingTag = PENDING_TAGS[version] ?? "pre_confirmed";
  const hashes = [FIRST_HASH, REVERTED_HASH].map(hexFromFelt);
  const blocks = ["latest", pendingTag, { block_number: 0 }];
  const traced = () => world().context;
  const tracedHashes = (block: number) =>
    (world().transactions[block] ?? []).map(({ hash }) => hexFromFelt(hash));
  const ofBlocks = ["getBlockWithTxHashes", "getBlockWithTxs", "getBlockWithReceipts"].flatMap(
    (method) => blocks.map((block) => [method, [block]] as const),
  );
  const every = EVERY_TRANSACTION.map((_, index) => index);
  return [
    ["specVersion", []],
    ["chainId", []],
    ["blockNumber", []],
    ["blockHashAndNumber", []],
    ["syncing", []],
    ["getBlockTransactionCount", ["latest"]],
    ...ofBlocks,
    ...blocks.map((block) => ["getStateUpdate", [block]] as const),
    ...every.map((i) => ["getTransactionByBlockIdAndIndex", [{ block_number: 0 }, i]] as const),
    ...hashes.map((hash) => ["getTransactionReceipt", [hash]] as const),
    ...hashes.map((hash) => ["getTransactionStatus", [hash]] as const),
    ["getNonce", ["latest", hexFromFelt(CONTRACT)]],
    ["getStorageAt", [hexFromFelt(CONTRACT), "0x10", "latest"]],
    ["getClassHashAt", ["latest", hexFromFelt(CONTRACT)]],
    ["getClass", ["latest", hexFromFelt(SIERRA_HASH)]],
    ["getClass", ["latest", hexFromFelt(LEGACY_HASH)]],
    ["getClassAt", ["latest", hexFromFelt(CONTRACT)]],
    ["getEvents", [{ from_block: { block_number: 0 }, to_block: pendingTag, chunk_size: 10 }]],
    ["traceBlockTransactions", [{ block_number: 0 }], traced()],
    ...[...tracedHashes(0).slice(1), ...tracedHashes(1).slice(1, 2)].map(
      (hash) => ["traceTransaction", [hash], traced()] as const,
    ),
  ];
}

async function ownSamples(version: string): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const [method, params, context = sampleContext()] of requests(version)) {
    if (!tableOf(version).methods.has(method)) continue;
    const answer = await ask(method, params, context, version);
    if ("result" in answer) {
      samples.push([method, JSON.stringify(params), answer.result as JsonValue]);
    }
  }
  return samples;
}

/**
 * Changes that our schemas reject and the specification allows: it makes members optional that our
 * responses always contain.
 */
const STRICTER = [
  // A status with an execution has its outcome, and a reverted one its reason.
  /^getTransactionStatus \$\.(execution_status|failure_reason) removed$/,
  // The specification omits `required` for list members of state diffs and traces.
  /\.state_diff(\.\w+\[0\](\.storage_entries\[0\])?\.\w+)? removed$/,
  /^trace.*\.(order|trace_root|transaction_hash|migrated_compiled_classes) removed$/,
  /^getStateUpdate \$\.state_diff\.migrated_compiled_classes removed$/,
  /^getClass \$\.entry_points_by_type\.\w+ removed$/,
  // Since 0.9 events in unaccepted blocks have a block number too.
  /^getEvents \$\.events\[0\]\.block_number removed$/,
];

/** The ABI of a Cairo 0 class is not checked because it is returned as declared. */
const LOOSER = [/^getClass(At)? \$\.abi\[/];

/** Maximum changes that are checked per kind and place, over all elements and responses of a method. */
const MAX_OF_A_KIND = bySize({ quick: 1, full: Number.POSITIVE_INFINITY });

/** Versions whose schemas are compared with changed responses. */
const CHANGED = bySize({ quick: [VERSIONS[0], VERSIONS.at(-1)], full: [...VERSIONS] });

/** Changes that our schemas and the specification's judge differently. */
function differences(version: string, samples: readonly Sample[]) {
  const found = { looser: [] as string[], stricter: [] as string[], mutations: 0 };
  const kinds = new Map<string, number>();
  for (const [method, place, answer] of samples) {
    expect([place, ownSchemas(version).resultFindings(method, answer)]).toEqual([place, []]);
    for (const mutation of CHANGED.includes(version) ? mutations(answer) : []) {
      found.mutations++;
      const kind = `${method} ${mutation.place} ${mutation.kind}`;
      const count = (kinds.get(kind) ?? 0) + 1;
      kinds.set(kind, count);
      if (count > MAX_OF_A_KIND) continue;
      const specified = openRpcOf(version).resultFindings(method, mutation.value).length > 0;
      const own = ownSchemas(version).resultFindings(method, mutation.value).length > 0;
      if (specified === own) continue;
      (own ? found.stricter : found.looser).push(kind);
    }
  }
  return found;
}

const unlisted = (found: readonly string[], listed: readonly RegExp[]): string[] =>
  [...new Set(found)].filter((what) => !listed.some((pattern) => pattern.test(what)));

describe.each(VERSIONS)("result schemas of %s", (version) => {
  sharedTest(
    "accept our responses and reject what the specification rejects",
    async () => {
      const samples = await ownSamples(version);
      expect(samples.length).toBeGreaterThan(30);
      const { looser, stricter, mutations: count } = differences(version, samples);
      if (CHANGED.includes(version)) expect(count).toBeGreaterThan(1_000);
      expect(unlisted(looser, LOOSER)).toEqual([]);
      expect(unlisted(stricter, STRICTER)).toEqual([]);
    },
    60_000,
  );
});

describe.each(RECORDED.map((recorded) => [recorded.folder, recorded] as const))(
  "result schemas for another node's responses of %s",
  (_, recorded) => {
    const { version } = recorded.spec;
    sharedTest(
      "accept them and reject what the specification rejects",
      () => {
        const { looser } = differences(version, recordedSamples(recorded));
        expect(unlisted(looser, LOOSER)).toEqual([]);
      },
      60_000,
    );
  },
);

test("the trace schema of a reverted L1 handler allows only a revert reason since 0.9", () => {
  const gas = { l1_gas: 0, l1_data_gas: 0, l2_gas: 0 };
  const diff = {
    storage_diffs: [],
    deprecated_declared_classes: [],
    declared_classes: [],
    deployed_contracts: [],
    replaced_classes: [],
    nonces: [],
  };
  const computed = { steps: 1, data_availability: { l1_gas: 0, l1_data_gas: 0 } };
  const takes = VERSIONS.map((version) => {
    const migrated = version === "0.10.2" ? { migrated_compiled_classes: [] } : {};
    const used = version === "0.7.1" ? computed : gas;
    const trace = {
      type: "L1_HANDLER",
      function_invocation: { revert_reason: "no" },
      state_diff: { ...diff, ...migrated },
      execution_resources: used,
    };
    const findings = ownSchemas(version).resultFindings("traceTransaction", trace);
    return [version, findings.length === 0];
  });
  expect(takes).toEqual([
    ["0.10.2", true],
    ["0.9.0", true],
    ["0.8.1", false],
    ["0.7.1", false],
  ]);
});
