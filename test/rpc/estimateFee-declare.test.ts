import { expect, test } from "bun:test";
import { sierraClassFromJson, sierraClassHash, transactionHash } from "#protocol/chain/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import type { ClassRequest, ExecutionAccess, KnownOutcome } from "#api/rpc/index.ts";
import { DECLARE, INVOKE, QUERY_VERSION } from "#test/helpers/broadcasted.ts";
import { errorOf, resultOf } from "#test/helpers/rpc.ts";
import { type PackedParts, sentPackedClass } from "#test/helpers/packed-class.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { casmClassCodec } from "#protocol/chain/index.ts";
import { stringifyJson } from "#base/codec/index.ts";
import { FIELD_PRIME } from "#base/primitives/index.ts";
import type { FullContext } from "#test/helpers/serving.ts";

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

/** Context with known compilation outcomes, and records of class requests and estimates. */
function world(outcome: KnownOutcome | undefined, takesMaxFee = false) {
  const classRequests: ClassRequest[] = [];
  const estimated: Estimated[] = [];
  const sample = sampleContext();
  const context: FullContext = {
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
    declares: {
      takesMaxFee,
      compiledClass(request) {
        classRequests.push(request);
        return outcome;
      },
    },
  };
  return { context, classRequests, estimated };
}

const params = (...request: unknown[]) =>
  ({ request, simulation_flags: [], block_id: "latest" }) as Parameters<typeof resultOf>[1];

test("estimates a declaration with its compiled class and hashes", async () => {
  const { context, classRequests, estimated } = world(COMPILED);
  expect(await resultOf("estimateFee", params(declareOf(SIERRA)), context)).toEqual([]);
  expect(classRequests).toMatchObject([{ sender: SENDER, classHash: CLASS_HASH }]);
  const [transaction] = estimated[0] ?? [];
  expect(transaction?.declared).toMatchObject({ classHash: CLASS_HASH, sierraProgramLength: 3 });
  const { hash = 0n, transaction: fields } = transaction?.transaction ?? {};
  expect(fields).toMatchObject({ type: "DECLARE", version: 3, classHash: CLASS_HASH });
  if (fields === undefined) throw new TypeError("no transaction");
  expect(hash).toBe(transactionHash(fields, context.chainId));
});

test("hashes a query version as such", async () => {
  const { context, estimated } = world(COMPILED);
  const query = { ...declareOf(SIERRA), version: QUERY_VERSION };
  await resultOf("estimateFee", params(query), context);
  const [transaction] = estimated[0] ?? [];
  const { hash = 0n, transaction: fields } = transaction?.transaction ?? {};
  if (fields === undefined) throw new TypeError("no transaction");
  expect(transaction?.onlyQuery).toBe(true);
  expect(hash).toBe(transactionHash(fields, context.chainId, { query: true }));
});

test("requests all classes together, and executes nothing until they are compiled", async () => {
  const { context, classRequests, estimated } = world(undefined);
  const other = { ...SIERRA, sierra_program: ["0x1", "0x7", "0x0"] };
  await errorOf("estimateFee", params(declareOf(SIERRA), INVOKE, declareOf(other)), context);
  expect(classRequests.map(({ classHash }) => classHash)).toEqual([
    CLASS_HASH,
    sierraClassHash(sierraClassFromJson(JSON.stringify(other))),
  ]);
  expect(estimated).toEqual([]);
});

test("reports a class that cannot be compiled as TRANSACTION_EXECUTION_ERROR with index and reason", async () => {
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
])("does not request the compilation of an invalid class: %#", async (change, reason) => {
  const { context, classRequests } = world(COMPILED);
  const request = params(declareOf({ ...SIERRA, ...change }));
  expect(await errorOf("estimateFee", request, context)).toMatchObject({
    code: 41,
    data: { transaction_index: 0, execution_error: reason },
  });
  expect(classRequests).toEqual([]);
});

const declareV1 = (contract_class: unknown, version = "0x1") => ({
  type: "DECLARE",
  version,
  max_fee: "0x64",
  signature: [],
  nonce: "0x0",
  sender_address: hexFromFelt(SENDER),
  contract_class,
});

test("rejects a declaration of an unsupported version before its class is read", async () => {
  const { context } = world(COMPILED);
  const version1 = declareV1(sentPackedClass({ felts: 81_921 }));
  const version2 = { ...declareV1(SIERRA, "0x2"), compiled_class_hash: "0x1" };
  for (const declaration of [version1, version2]) {
    expect(await errorOf("estimateFee", params(declaration), context)).toMatchObject({
      code: -32602,
      data: { path: "request[0].version", got: declaration.version },
    });
  }
});

test("reads a Cairo 0 class at the size limits where the chain accepts it", async () => {
  const { context, classRequests, estimated } = world(COMPILED, true);
  const packedClass = sentPackedClass({ felts: 81_920, objectBytes: 4_089_446 });
  await resultOf("estimateFee", params(declareV1(packedClass)), context);
  const [transaction] = estimated[0] ?? [];
  expect(transaction?.declared).toMatchObject({ casm: null });
  expect(classRequests).toEqual([]);
});

test.each<readonly [PackedParts, string]>([
  [{ felts: 81_921 }, "the program has 81921 felts, at most 81920 are allowed"],
  [
    { felts: 1, objectBytes: 4_089_447 },
    "the class has more than 4089446 bytes as JSON, at most 4089446 are allowed",
  ],
])("does not hash a Cairo 0 class above a size limit: %o", async (parts, reason) => {
  const { context } = world(COMPILED, true);
  const isStopped = () => false;
  const request = params(INVOKE, declareV1(sentPackedClass(parts)));
  expect(await errorOf("estimateFee", request, { ...context, isStopped })).toMatchObject({
    code: 41,
    data: { transaction_index: 1, execution_error: reason },
  });
});

test("rejects a Cairo 0 class with an unknown hint, and shows the hint's text", async () => {
  const { context } = world(COMPILED, true);
  const packedClass = sentPackedClass({ felts: 2, hints: { 1: "print(ids.x)" } });
  expect(await errorOf("estimateFee", params(declareV1(packedClass)), context)).toMatchObject({
    code: 41,
    data: {
      transaction_index: 0,
      execution_error:
        "this node cannot execute a part of contract_class: the hint at program counter 1: print(ids.x)",
    },
  });
});

test("limits the total size of Cairo 0 classes in one request", async () => {
  const { context } = world(COMPILED, true);
  const declaration = declareV1(sentPackedClass({ felts: 1, objectBytes: 4_089_446 }));
  const five = params(declaration, declaration, declaration, declaration, declaration);
  expect(await errorOf("estimateFee", five, context)).toMatchObject({
    code: 41,
    data: {
      transaction_index: 4,
      execution_error:
        "the Cairo 0 classes of one request have at most 16357784 characters together",
    },
  });
});

test.each([
  ["Cairo 0", declareV1(sentPackedClass({ felts: 81_920 }))],
  ["Sierra", declareOf({ ...SIERRA, sierra_program: Array.from({ length: 81_920 }, () => "0x1") })],
])("cancels the hashing of a %s class with its request", async (_, declaration) => {
  const { context } = world(COMPILED, true);
  let checks = 0;
  // Two checks precede the hashing of the class.
  const isStopped = () => ++checks > 4;
  const error = await errorOf("estimateFee", params(declaration), { ...context, isStopped });
  expect(error).toMatchObject({ data: "the execution took too long and was stopped" });
  expect(checks).toBe(5);
});
