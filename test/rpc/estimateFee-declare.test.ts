import { expect, test } from "bun:test";
import { sierraClassFromJson, sierraClassHash, transactionHash } from "#protocol/chain/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import type { ClassRequest, ExecutionAccess, KnownOutcome, RpcContext } from "#api/rpc/index.ts";
import { DECLARE, INVOKE, QUERY_VERSION } from "#test/helpers/broadcasted.ts";
import { errorOf, resultOf } from "#test/helpers/rpc.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { casmClassCodec } from "#protocol/chain/index.ts";
import { stringifyJson } from "#base/codec/index.ts";
import { FIELD_PRIME } from "#base/primitives/index.ts";

const SENDER = 0xacc0n;
const declareOf = (contract_class: unknown) => ({
  ...DECLARE,
  sender_address: hexFromFelt(SENDER),
  contract_class,
});
const SIERRA = { ...DECLARE.contract_class, sierra_program: ["0x1", "0x6", "0x0"] };
const CLASS_HASH = sierraClassHash(sierraClassFromJson(JSON.stringify(SIERRA)));

const casmJson = stringifyJson(
  casmClassCodec.encode({
    prime: FIELD_PRIME,
    compilerVersion: "2.9.0",
    bytecode: [0x208b7fff7fff7ffen],
    bytecodeSegmentLengths: null,
    hints: new Map(),
    entryPoints: { CONSTRUCTOR: [], EXTERNAL: [], L1_HANDLER: [] },
  }),
);
const COMPILED: KnownOutcome = {
  kind: "compiled",
  casmJson,
  bytecodeLength: 1,
  hashes: { poseidon: 1n, blake: 2n },
};

type Estimated = Parameters<ExecutionAccess["estimateFee"]>[2];

/** A context that knows what became of classes, with what it was asked. */
function world(outcome: KnownOutcome | undefined) {
  const asked: ClassRequest[] = [];
  const estimated: Estimated[] = [];
  const sample = sampleContext();
  const context: RpcContext = {
    ...sample,
    chain: {
      ...sample.chain,
      stateAt: (number) => ({
        ...sample.chain.stateAt(number),
        nonceAt: () => 0n,
        storageAt: () => 0n,
        compiledClassHashOf: () => 0n,
        executableClass: () => undefined,
        classHashAt: () => 1n,
      }),
    },
    execution: {
      call: () => ({ kind: "cancelled" }),
      estimateFee(_state, _info, transactions) {
        estimated.push(transactions);
        return { kind: "ok", estimates: [] };
      },
    },
    compiledClass(request) {
      asked.push(request);
      return outcome;
    },
  };
  return { context, asked, estimated };
}

const params = (...request: unknown[]) =>
  ({ request, simulation_flags: [], block_id: "latest" }) as Parameters<typeof resultOf>[1];

test("a declaration is estimated with its class, compiled, and its hashes", async () => {
  const { context, asked, estimated } = world(COMPILED);
  expect(await resultOf("estimateFee", params(declareOf(SIERRA)), context)).toEqual([]);
  expect(asked).toMatchObject([{ sender: SENDER, classHash: CLASS_HASH }]);
  const [transaction] = estimated[0] ?? [];
  expect(transaction?.declared).toMatchObject({ classHash: CLASS_HASH, sierraProgramLength: 3 });
  const { hash = 0n, transaction: fields } = transaction?.transaction ?? {};
  expect(fields).toMatchObject({ type: "DECLARE", version: 3, classHash: CLASS_HASH });
  if (fields === undefined) throw new TypeError("no transaction");
  expect(hash).toBe(transactionHash(fields, context.chainId));
});

test("a query version is hashed as such", async () => {
  const { context, estimated } = world(COMPILED);
  const query = { ...declareOf(SIERRA), version: QUERY_VERSION };
  await resultOf("estimateFee", params(query), context);
  const [transaction] = estimated[0] ?? [];
  const { hash = 0n, transaction: fields } = transaction?.transaction ?? {};
  if (fields === undefined) throw new TypeError("no transaction");
  expect(transaction?.onlyQuery).toBe(true);
  expect(hash).toBe(transactionHash(fields, context.chainId, { query: true }));
});

test("nothing is executed before all classes are compiled, and all are asked for at once", async () => {
  const { context, asked, estimated } = world(undefined);
  const other = { ...SIERRA, sierra_program: ["0x1", "0x7", "0x0"] };
  await errorOf("estimateFee", params(declareOf(SIERRA), INVOKE, declareOf(other)), context);
  expect(asked.map(({ classHash }) => classHash)).toEqual([
    CLASS_HASH,
    sierraClassHash(sierraClassFromJson(JSON.stringify(other))),
  ]);
  expect(estimated).toEqual([]);
});

test("a class that cannot be compiled is TRANSACTION_EXECUTION_ERROR with index and reason", async () => {
  const { context } = world({ kind: "refused", code: "COMPILATION_FAILED", reason: "why" });
  expect(await errorOf("estimateFee", params(INVOKE, declareOf(SIERRA)), context)).toMatchObject({
    code: 41,
    data: { transaction_index: 1, execution_error: "the class cannot be compiled: why" },
  });
});

test.each([
  [{ contract_class_version: "0.2.0" }, "contract_class_version is 0.2.0, expected 0.1.0"],
  [
    { sierra_program: Array.from({ length: 81_921 }, () => "0x1") },
    "the Sierra program has 81921 felts, at most 81920 are allowed",
  ],
])("a class that is not even compiled is not asked for: %#", async (change, reason) => {
  const { context, asked } = world(COMPILED);
  const request = params(declareOf({ ...SIERRA, ...change }));
  expect(await errorOf("estimateFee", request, context)).toMatchObject({
    code: 41,
    data: { transaction_index: 0, execution_error: reason },
  });
  expect(asked).toEqual([]);
});
