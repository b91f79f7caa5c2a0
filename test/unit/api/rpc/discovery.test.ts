import { expect, test } from "bun:test";
import {
  createMethodTables,
  type DevnetContext,
  withDevnet,
  withDiscovery,
} from "#api/rpc/index.ts";
import { openRpcDocument } from "#api/rpc/openrpc/document.ts";
import type { MethodTable } from "#api/rpc/table.ts";
import { devnetWorld } from "#test/helpers/devnet.ts";
import { answerText, dispatcherOf } from "#test/helpers/serving.ts";

const dispatcher = dispatcherOf(devnetWorld().context);

async function ask(table: MethodTable<DevnetContext>, method: string): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method });
  const text = await answerText(dispatcher, body, withDiscovery(table));
  return (JSON.parse(text) as { readonly result?: unknown }).result;
}

test("rpc_methods lists exactly the served methods, sorted", async () => {
  for (const table of createMethodTables()) {
    const { methods } = (await ask(table, "rpc_methods")) as { readonly methods: string[] };
    expect(methods).toEqual(methods.toSorted());
    expect(new Set(methods).size).toBe(methods.length);
    const served = withDiscovery(table);
    const unknown = methods.filter((name) => served.find(name) === undefined);
    const overWebSocket = [...table.subscriptions.keys()].flatMap((name) => [
      `chain_${name}`,
      `starknet_${name}`,
    ]);
    expect(unknown).toEqual(overWebSocket.toSorted());
    expect(methods).toContain("rpc.discover");
    expect(methods.includes("devnet_mint")).toBe(false);
  }
});

test("rpc_methods of a development chain includes devnet methods", async () => {
  const [newest] = createMethodTables();
  const { methods } = (await ask(withDevnet(newest), "rpc_methods")) as {
    readonly methods: string[];
  };
  expect(methods).toContain("devnet_mint");
  expect(methods).toContain("dev_setStorageAt");
});

test("rpc.discover returns the OpenRPC document of the version", async () => {
  for (const table of createMethodTables()) {
    expect(await ask(table, "rpc.discover")).toEqual(
      JSON.parse(JSON.stringify(openRpcDocument(table))),
    );
  }
});
