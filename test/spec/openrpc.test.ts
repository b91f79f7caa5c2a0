import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { METHODS, RPC_ERRORS, type RpcErrorName } from "#api/rpc/index.ts";
import { RpcFault } from "#api/rpc/errors.ts";
import { expectSuite } from "#test/helpers/conformance/check.ts";
import { BEYOND_CHAIN_METHODS, OPTIONAL_PARAMETERS } from "#test/helpers/conformance/openrpc.ts";
import { newestOpenRpc, openRpcOf, resultOf, tableOf, VERSIONS } from "#test/helpers/rpc.ts";
import { fixturePath, fixtureTest, readFixtureJson } from "#test/helpers/shared.ts";

const sharedTest = fixtureTest("rpc-spec");

/** The methods that the prefix `chain_` was introduced for. */
const CHAIN_METHODS = [
  "specVersion",
  "getBlockWithTxHashes",
  "getBlockWithReceipts",
  "getBlockWithTxs",
  "getStateUpdate",
  "getStorageAt",
  "getTransactionStatus",
  "getTransactionByHash",
  "getTransactionByBlockIdAndIndex",
  "getTransactionReceipt",
  "getClass",
  "getClassHashAt",
  "getClassAt",
  "getBlockTransactionCount",
  "call",
  "estimateFee",
  "estimateMessageFee",
  "blockNumber",
  "blockHashAndNumber",
  "chainId",
  "syncing",
  "getEvents",
  "getNonce",
  "traceTransaction",
  "simulateTransactions",
  "traceBlockTransactions",
  "addInvokeTransaction",
  "addDeclareTransaction",
  "addDeployAccountTransaction",
];

test("the method table has every `chain_` method in order, and only listed additional ones", () => {
  const names = METHODS.map(({ name }) => name as string);
  expect(names.filter((name) => !BEYOND_CHAIN_METHODS.includes(name))).toEqual(CHAIN_METHODS);
  expect(BEYOND_CHAIN_METHODS.filter((name) => !names.includes(name))).toEqual([]);
});

describe.each(VERSIONS)("declarations of %s match the OpenRPC documents", (version) => {
  const table = tableOf(version);
  const wantedParams = (name: string) => openRpcOf(version).methods.get(name)?.params ?? [];

  sharedTest("in the set of methods", () => {
    expect([...openRpcOf(version).methods.keys()].sort()).toEqual([...table.methods.keys()].sort());
  });

  for (const name of table.methods.keys()) {
    sharedTest(`in the parameters of ${name} and their order`, () => {
      const params = table.methods.get(name)?.params ?? [];
      expect(params.map((param) => param.name)).toEqual(
        wantedParams(name).map((param) => param.name),
      );
    });

    sharedTest(`in the required parameters of ${name}`, () => {
      const params = table.methods.get(name)?.params ?? [];
      expect(
        params
          .filter((param) => param.need === "required")
          .map((param) => `${name}.${param.name}`)
          .concat(OPTIONAL_PARAMETERS.filter((path) => path.startsWith(`${name}.`)))
          .sort(),
      ).toEqual(
        wantedParams(name)
          .filter((param) => param.required)
          .map((param) => `${name}.${param.name}`)
          .sort(),
      );
    });
  }
});

const METHOD_ERRORS = METHODS.flatMap(({ name, errors }) =>
  (errors as readonly RpcErrorName[]).map((error) => [name, error] as const),
);

describe.each(VERSIONS)("errors of %s match the OpenRPC documents", (version) => {
  const table = tableOf(version);
  const served = METHOD_ERRORS.filter(([name]) => table.methods.has(name));

  for (const [name, error] of served) {
    sharedTest(`${error} of ${name}, or its substitute, matches the schema`, () => {
      const written = table.spec.error(new RpcFault(error, dataOf(error)), name);
      expect(openRpcOf(version).errorFindings(name, JSON.parse(JSON.stringify(written)))).toEqual(
        [],
      );
    });
  }

  for (const name of table.methods.keys()) {
    sharedTest(`${name} covers every declared error`, () => {
      const codes = served
        .filter(([method]) => method === name)
        .map(([, error]) => table.spec.error(new RpcFault(error, dataOf(error)), name).code);
      const declared = (openRpcOf(version).methods.get(name)?.errors ?? []).map(({ code }) => code);
      expect(new Set(codes)).toEqual(new Set(declared));
    });
  }
});

describe("error names match the newest OpenRPC documents", () => {
  for (const { name, errors } of METHODS) {
    sharedTest(`${name} has exactly the declared errors`, () => {
      const declared = newestOpenRpc()
        .methods.get(name)
        ?.errors.map((error) => error.name);
      expect([...errors].sort()).toEqual((declared ?? []).sort() as never);
    });
  }

  for (const [name, { code, message }] of Object.entries(RPC_ERRORS)) {
    sharedTest(`${name} has the declared code and message`, () => {
      expect({ code, message }).toEqual(
        expect.objectContaining({
          code: newestOpenRpc().errors.get(name)?.code as number,
          message: newestOpenRpc().errors.get(name)?.message as string,
        }),
      );
    });
  }
});

/** Data for an error. */
function dataOf(name: RpcErrorName): ConstructorParameters<typeof RpcFault>[1] {
  const call = { contractAddress: 1n, classHash: 2n, selector: 3n };
  const failure = { frames: [call, call], message: "inner", text: "outer: inner" };
  switch (name) {
    case "CONTRACT_ERROR":
      return { failure };
    case "TRANSACTION_EXECUTION_ERROR":
      return { transactionIndex: 1, failure };
    case "COMPILATION_ERROR":
      return { compilationError: "too old" };
    case "NO_TRACE_AVAILABLE":
      return { status: "RECEIVED" };
    default:
      return "because";
  }
}

describe("schema check reports", () => {
  const block = async (): Promise<Record<string, unknown>> =>
    (await resultOf("getBlockWithTxs", ["latest"])) as Record<string, unknown>;
  const findings = (value: unknown): string[] =>
    newestOpenRpc().resultFindings("getBlockWithTxs", value);

  sharedTest("a missing member", async () => {
    const { parent_hash: _, ...rest } = await block();
    expect(findings(rest)).not.toEqual([]);
  });

  sharedTest("an unknown member", async () => {
    expect(findings({ ...(await block()), height: 1 })).toEqual(["$.height: not in the schema"]);
  });

  sharedTest("a hex string with a leading zero", async () => {
    expect(findings({ ...(await block()), new_root: "0x01" })).not.toEqual([]);
  });

  sharedTest("an invalid member of a transaction", async () => {
    const { transactions, ...rest } = await block();
    const [first] = transactions as readonly Record<string, unknown>[];
    expect(findings({ ...rest, transactions: [{ ...first, tip: 7 }] })).not.toEqual([]);
  });
});

/** Names of the methods in a file of a version, without prefix. */
function methodsIn(version: string, file: string): string[] {
  const { methods } = readFixtureJson("rpc-spec", version, file) as {
    readonly methods?: readonly { readonly name: string }[];
  };
  return (methods ?? []).map(({ name }) => name.replace("starknet_", ""));
}

/** WebSocket methods and notifications of a version. */
function webSocketNamesOf(version: string): string[] {
  const { subscriptions, spec } = tableOf(version);
  const forms: readonly ({ readonly notification: string } | undefined)[] = Object.values(
    spec.subscriptions?.forms ?? {},
  );
  const sent = forms.flatMap((form) => form?.notification ?? []);
  return [...subscriptions.keys(), ...new Set(sent)];
}

describe("conformance table counts", () => {
  sharedTest("every method of every version of the specification", () => {
    const others = readdirSync(fixturePath("rpc-spec")).flatMap((folder) => {
      const { methods } = tableOf(folder.slice(1));
      const overWebSocket = webSocketNamesOf(folder.slice(1));
      return readdirSync(fixturePath("rpc-spec", folder))
        .flatMap((file) => methodsIn(folder, file))
        .filter((name) => !methods.has(name) && !overWebSocket.includes(name));
    });
    const counts = VERSIONS.map(
      (version) => tableOf(version).methods.size + webSocketNamesOf(version).length,
    );
    expectSuite("openrpc", {
      compared: counts.reduce((sum, count) => sum + count, 0),
      leftOut: others,
      inPart: [...OPTIONAL_PARAMETERS],
    });
  });

  sharedTest("every error of the newest version", () => {
    const ours = Object.keys(RPC_ERRORS);
    const others = [...newestOpenRpc().errors.keys()].filter((name) => !ours.includes(name));
    expectSuite("errors", { compared: ours.length, leftOut: others });
  });
});
