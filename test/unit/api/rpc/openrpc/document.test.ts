import { describe, expect, test } from "bun:test";
import { stringifyJson } from "#base/codec/index.ts";
import {
  createMethodTables,
  DEVNET_METHODS,
  EXTENSION_METHODS,
  withDevnet,
} from "#api/rpc/index.ts";
import { openRpcDocument } from "#api/rpc/openrpc/document.ts";
import { openRpcFindings } from "#test/helpers/openrpc-meta.ts";
import { openRpcOf } from "#test/helpers/rpc.ts";
import { fixtureTest } from "#test/helpers/shared.ts";

const sharedTest = fixtureTest("rpc-spec");

interface Described {
  readonly methods: readonly {
    readonly name: string;
    readonly params: readonly { readonly name: string; readonly required: boolean }[];
    readonly errors: readonly { readonly $ref: string }[];
    readonly "x-aliases": readonly string[];
    readonly "x-transport"?: string;
  }[];
  readonly components: {
    readonly errors: Readonly<Record<string, { readonly code: number; readonly message: string }>>;
  };
}

const documents = createMethodTables().map(
  (table) => [table.spec.version, table, openRpcDocument(table)] as const,
);
const described = (document: unknown) => document as Described;

describe.each(documents)("OpenRPC document of %s", (version, table, document) => {
  test("conforms to the OpenRPC meta-schema", () => {
    expect(openRpcFindings(document)).toEqual([]);
  });

  test("lists every method once, with both names", () => {
    const { methods } = described(document);
    const names = methods.map(({ name }) => name);
    const served = [...table.methods.keys(), ...table.subscriptions.keys()];
    const others = EXTENSION_METHODS.map(({ name }) => name);
    expect(names).toEqual([...served.map((name) => `starknet_${name}`), ...others]);
    expect(new Set(names).size).toBe(names.length);
    expect(methods.flatMap((method) => method["x-aliases"])).toEqual(
      served.map((name) => `chain_${name}`),
    );
    const overSockets = methods.filter((method) => method["x-transport"] === "websocket");
    expect(overSockets).toHaveLength(table.subscriptions.size);
  });

  test("defines exactly the errors that it refers to", () => {
    const { methods, components } = described(document);
    const referred = methods.flatMap(({ errors }) => errors.map(({ $ref }) => $ref));
    const known = Object.keys(components.errors).map((name) => `#/components/errors/${name}`);
    expect(new Set(referred)).toEqual(new Set(known));
  });

  test("lists required parameters before optional ones", () => {
    for (const { params } of described(document).methods) {
      const needs = params.map(({ required }) => required);
      expect(needs).toEqual(needs.toSorted((a, b) => Number(b) - Number(a)));
    }
  });

  sharedTest("matches the parameters of the specification", () => {
    for (const { name, params } of described(document).methods) {
      const specified = openRpcOf(version).methods.get(name.replace("starknet_", ""));
      if (specified === undefined) continue;
      expect({ name, params: params.map((param) => [param.name, param.required]) }).toEqual({
        name,
        params: specified.params.map((param) => [param.name, param.required]),
      });
    }
  });

  sharedTest("matches the error codes and messages of the specification", () => {
    const { methods, components } = described(document);
    const disagreements: unknown[] = [];
    for (const { name, errors } of methods) {
      const specified = openRpcOf(version).methods.get(name.replace("starknet_", ""));
      for (const { $ref } of errors) {
        const error = components.errors[$ref.split("/").at(-1) ?? ""];
        const known = specified?.errors.find(({ code }) => code === error?.code);
        if (known !== undefined && known.message !== error?.message) {
          disagreements.push({ name, error, known });
        }
      }
    }
    expect(disagreements).toEqual([]);
  });
});

test.each(createMethodTables().map((table) => [table.spec.version, table] as const))(
  "OpenRPC document of a development chain in %s adds the devnet methods under one name each",
  (_, table) => {
    // Prices exceed the safe integer range: parse the document like a client.
    const document: unknown = JSON.parse(stringifyJson(openRpcDocument(withDevnet(table))));
    expect(openRpcFindings(document)).toEqual([]);
    const { methods } = described(document);
    const plain = described(openRpcDocument(table)).methods.map(({ name }) => name);
    expect(methods.map(({ name }) => name)).toEqual([
      ...plain,
      ...DEVNET_METHODS.map(({ name }) => name),
    ]);
    const added = methods.slice(plain.length);
    expect(added.flatMap((method) => method["x-aliases"])).toEqual([]);
    expect(added.find(({ name }) => name === "dev_setStorageAt")?.params).toMatchObject([
      { name: "contract_address", required: true },
      { name: "key", required: true },
      { name: "value", required: true },
    ]);
  },
);

test("openRpcFindings reports invalid documents", () => {
  const [[, , document]] = documents as [(typeof documents)[number]];
  expect(openRpcFindings({ ...document, openrpc: "9" })).not.toEqual([]);
  expect(openRpcFindings({ ...document, methods: [{ name: "a" }] })).not.toEqual([]);
});
