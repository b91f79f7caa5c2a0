import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { gapOf } from "../../scripts/docs-lib/method-gap.ts";
import { createMethodTables, METHODS, RPC_ERRORS } from "#api/rpc/index.ts";
import { expectSuite } from "#test/helpers/conformance/check.ts";
import { BEYOND_DOCUMENT, MAY_BE_LEFT_OUT, NOT_SERVED } from "#test/helpers/conformance/openrpc.ts";
import { newestOpenRpc, resultOf } from "#test/helpers/rpc.ts";
import { fixturePath, readFixtureJson, sharedTest } from "#test/helpers/shared.ts";

/** The methods of the interface document, sections 4.2 to 4.4. */
const SEED_METHODS = [
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

const [newest] = createMethodTables();

test("every method of the interface document is declared, in its order, and no other but listed ones", () => {
  const names = METHODS.map(({ name }) => name as string);
  expect(names.filter((name) => !BEYOND_DOCUMENT.includes(name))).toEqual(SEED_METHODS);
  expect(BEYOND_DOCUMENT.filter((name) => !names.includes(name))).toEqual([]);
});

sharedTest("the methods are those of the specification, but for the listed ones", () => {
  expect([...newestOpenRpc().methods.keys()].sort()).toEqual(
    [...METHODS.map(({ name }) => name), ...NOT_SERVED].sort(),
  );
});

describe("declarations equal the OpenRPC files", () => {
  for (const { name, errors } of METHODS) {
    sharedTest(`errors of ${name}, in both directions`, () => {
      const declared = newestOpenRpc()
        .methods.get(name)
        ?.errors.map((error) => error.name);
      expect([...errors].sort()).toEqual((declared ?? []).sort() as never);
    });

    sharedTest(`parameters of ${name} in order`, () => {
      const wanted = newestOpenRpc().methods.get(name)?.params ?? [];
      const params = newest.methods.get(name)?.params ?? [];
      expect(params.map((param) => param.name)).toEqual(wanted.map((param) => param.name));
    });

    sharedTest(`which parameters of ${name} are required`, () => {
      const wanted = newestOpenRpc().methods.get(name)?.params ?? [];
      const params = newest.methods.get(name)?.params ?? [];
      expect(
        params
          .filter((param) => param.need === "required")
          .map((param) => `${name}.${param.name}`)
          .concat(MAY_BE_LEFT_OUT.filter((path) => path.startsWith(`${name}.`)))
          .sort(),
      ).toEqual(
        wanted
          .filter((param) => param.required)
          .map((param) => `${name}.${param.name}`)
          .sort(),
      );
    });
  }
});

describe("errors equal the OpenRPC files", () => {
  for (const [name, { code, message }] of Object.entries(RPC_ERRORS)) {
    sharedTest(`code and message of ${name}`, () => {
      expect({ code, message }).toEqual(
        expect.objectContaining({
          code: newestOpenRpc().errors.get(name)?.code as number,
          message: newestOpenRpc().errors.get(name)?.message as string,
        }),
      );
    });
  }
});

describe("the schema check finds", () => {
  const block = async (): Promise<Record<string, unknown>> =>
    (await resultOf("getBlockWithTxs", ["latest"])) as Record<string, unknown>;
  const findings = (value: unknown): string[] =>
    newestOpenRpc().resultFindings("getBlockWithTxs", value);

  sharedTest("a missing member", async () => {
    const { parent_hash: _, ...rest } = await block();
    expect(findings(rest)).not.toEqual([]);
  });

  sharedTest("a member that the specification does not know", async () => {
    expect(findings({ ...(await block()), height: 1 })).toEqual(["$.height: not in the schema"]);
  });

  sharedTest("hex text with a leading zero", async () => {
    expect(findings({ ...(await block()), new_root: "0x01" })).not.toEqual([]);
  });

  sharedTest("a wrong member of a transaction", async () => {
    const { transactions, ...rest } = await block();
    const [first] = transactions as readonly Record<string, unknown>[];
    expect(findings({ ...rest, transactions: [{ ...first, tip: 7 }] })).not.toEqual([]);
  });
});

/** Names of the methods that a file of a version declares, without prefix. */
function methodsIn(version: string, file: string): string[] {
  const { methods } = readFixtureJson("rpc-spec", version, file) as {
    readonly methods?: readonly { readonly name: string }[];
  };
  return (methods ?? []).map(({ name }) => name.replace("starknet_", ""));
}

describe("the table of conformance counts", () => {
  sharedTest("every method of every version of the specification", () => {
    const served = METHODS.map(({ name }) => name as string);
    const unbuilt = served.filter((name) => gapOf(name)?.kind === "all");
    const newestVersion = `v${newest.spec.version}`;
    const others = readdirSync(fixturePath("rpc-spec")).flatMap((version) =>
      readdirSync(fixturePath("rpc-spec", version))
        .flatMap((file) => methodsIn(version, file))
        .filter((name) => version !== newestVersion || !served.includes(name))
        .map((name) => (version === newestVersion ? name : `${version} ${name}`)),
    );
    expectSuite("openrpc", {
      compared: served.length,
      leftOut: others,
      inPart: [...MAY_BE_LEFT_OUT, ...unbuilt.map((name) => `not built: ${name}`)],
    });
  });

  sharedTest("every error of the newest version", () => {
    const ours = Object.keys(RPC_ERRORS);
    const others = [...newestOpenRpc().errors.keys()].filter((name) => !ours.includes(name));
    expectSuite("errors", { compared: ours.length, leftOut: others });
  });
});
