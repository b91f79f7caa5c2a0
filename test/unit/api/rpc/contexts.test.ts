import { describe, expect, expectTypeOf, test } from "bun:test";
import {
  type AdminContext,
  type AdmissionContext,
  type ChainContext,
  createMethodTables,
  type DevnetContext,
  type MainContext,
  type MempoolLookup,
  type QueryContext,
  type RpcObserver,
  type RpcServerOptions,
  type ServerContext,
  withDevnet,
  type WsRpcObserver,
} from "#api/rpc/index.ts";
import type { AdminServerOptions } from "#api/rpc/admin/server.ts";
import type { LocalMethod } from "#api/rpc/bound-method.ts";
import type { AdminAccess } from "#api/rpc/admin/access.ts";
import { createAdminTable } from "#api/rpc/admin/table.ts";
import type { DevnetAccess } from "#api/rpc/devnet/access.ts";
import type { DumpAccess } from "#api/rpc/devnet/dump/access.ts";
import type { DispatchOptions, Dispatcher } from "#api/rpc/dispatch.ts";
import type { ResponseNotes } from "#api/rpc/response-notes.ts";
import { type DeclareMethod, method } from "#api/rpc/method.ts";
import type { MethodTable } from "#api/rpc/table.ts";
import type { SubscriptionContext } from "#api/rpc/ws/context.ts";
import type { WebSocketOptions } from "#api/rpc/ws/service.ts";
import { devnetWorld } from "#test/helpers/devnet.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { dispatcherOf, notesOf } from "#test/helpers/serving.ts";

/** Optional members of a type. */
type OptionalIn<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T];

// `bun check` verifies most of this: it fails where an expected error is missing.

test("contexts have no optional members", () => {
  expectTypeOf<OptionalIn<ChainContext>>().toBeNever();
  expectTypeOf<OptionalIn<MainContext>>().toBeNever();
  expectTypeOf<OptionalIn<QueryContext>>().toBeNever();
  expectTypeOf<OptionalIn<AdmissionContext>>().toBeNever();
  expectTypeOf<OptionalIn<SubscriptionContext>>().toBeNever();
  expectTypeOf<OptionalIn<DevnetContext>>().toBeNever();
  expectTypeOf<OptionalIn<AdminContext>>().toBeNever();
  expectTypeOf<OptionalIn<DevnetAccess>>().toBeNever();
  expectTypeOf<OptionalIn<DumpAccess>>().toBeNever();
  expectTypeOf<OptionalIn<AdminAccess>>().toBeNever();
  expectTypeOf<OptionalIn<MempoolLookup>>().toBeNever();
});

test("server options have no optional members", () => {
  expectTypeOf<OptionalIn<DispatchOptions<MainContext>>>().toBeNever();
  expectTypeOf<OptionalIn<RpcServerOptions<MainContext>>>().toBeNever();
  expectTypeOf<OptionalIn<RpcServerOptions<MainContext>["limits"]>>().toBeNever();
  expectTypeOf<OptionalIn<WebSocketOptions<MainContext>>>().toBeNever();
  expectTypeOf<OptionalIn<WebSocketOptions<MainContext>["limits"]>>().toBeNever();
  expectTypeOf<OptionalIn<AdminServerOptions>>().toBeNever();
  expectTypeOf<OptionalIn<ResponseNotes>>().toBeNever();
  expectTypeOf<OptionalIn<RpcObserver>>().toBeNever();
  expectTypeOf<OptionalIn<WsRpcObserver>>().toBeNever();
});

test("a context requires limits", () => {
  const { limits: _, ...without } = sampleContext();
  // @ts-expect-error -- limits are missing
  const main: MainContext = { ...without };
  // @ts-expect-error -- limits are missing
  const query: QueryContext = { ...without };
  // @ts-expect-error -- limits are missing
  const admission: AdmissionContext = { ...without };
  for (const context of [main, query, admission]) expect(context).not.toHaveProperty("limits");
});

describe("handler context", () => {
  const common = { family: "read", summary: "", params: () => ({}), errors: [] } as const;
  const shared = { ...common, name: "", result: () => () => null };

  test("has only what its thread provides", () => {
    method({ ...shared, runsOn: "main", handler: ({ mempool }) => void mempool });
    method({ ...shared, runsOn: "query", handler: ({ execution }) => void execution });
    method({ ...shared, runsOn: "admission", handler: ({ submit }) => void submit });
    // @ts-expect-error -- the main thread executes nothing
    method({ ...shared, runsOn: "main", handler: ({ execution }) => void execution });
    // @ts-expect-error -- submissions go through admission
    method({ ...shared, runsOn: "main", handler: ({ submit }) => void submit });
    // @ts-expect-error -- admin methods have a separate server
    method({ ...shared, runsOn: "main", handler: ({ admin }) => void admin });
    // @ts-expect-error -- query threads have no mempool
    const last = method({ ...shared, runsOn: "query", handler: ({ mempool }) => void mempool });
    expect(last.runsOn).toBe("query");
  });

  test("allows preflight on query threads only, and no cache key for submissions", () => {
    const kept = { ...shared, handler: () => null };
    method({ ...kept, runsOn: "query", cacheKey: () => "1", preflight: () => undefined });
    method({ ...kept, runsOn: "main", cacheKey: () => "1" });
    // @ts-expect-error -- its response differs each time
    method({ ...kept, runsOn: "admission", cacheKey: () => "1" });
    // @ts-expect-error -- a preflight here would never run
    const last = method({ ...kept, runsOn: "admission", preflight: () => undefined });
    expect(last.runsOn).toBe("admission");
  });
});

describe("method table requires the access of its methods", () => {
  const [newest] = createMethodTables();
  const dispatcher = dispatcherOf(sampleContext());
  const ask = (method: string) => JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: [] });

  test("devnet methods require devnet access", async () => {
    expectTypeOf<MethodTable<DevnetContext>>().not.toExtend<MethodTable<ServerContext>>();
    expectTypeOf<MethodTable<ServerContext>>().toExtend<MethodTable<DevnetContext>>();
    expectTypeOf<LocalMethod<DevnetContext>>().not.toExtend<LocalMethod<ServerContext>>();
    const table = withDevnet(newest);
    const body = ask("devnet_getConfig");
    // @ts-expect-error -- the dispatcher lacks devnet access
    const errorResponse = await dispatcher.handle(body, table, notesOf());
    expect(errorResponse).toContain('"code":-32603');
    const response = await dispatcherOf(devnetWorld().context).handle(body, table, notesOf());
    expect(response).toContain('"seed":7');
  });

  test("admin methods require admin access", async () => {
    const body = ask("appchain_ping");
    // @ts-expect-error -- the dispatcher lacks admin access
    const errorResponse = await dispatcher.handle(body, createAdminTable(), notesOf());
    expect(errorResponse).toContain('"code":-32603');
    expectTypeOf<Dispatcher<AdminContext>>().toExtend<Dispatcher<MainContext>>();
    expectTypeOf<Dispatcher<MainContext>>().not.toExtend<Dispatcher<AdminContext>>();
  });

  test("submitting methods require access to the mempool", () => {
    expectTypeOf<typeof newest>().not.toExtend<MethodTable<MainContext>>();
    expectTypeOf<DeclareMethod<AdminContext>>().not.toEqualTypeOf<DeclareMethod<MainContext>>();
    expect(newest.find("starknet_addInvokeTransaction")?.runsOn).toBe("admission");
  });
});
