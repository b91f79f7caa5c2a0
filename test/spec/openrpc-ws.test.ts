import { describe, expect, test } from "bun:test";
import { createMethodTables, RPC_ERRORS } from "#api/rpc/index.ts";
import { SUBSCRIPTION_METHODS, SUBSCRIPTION_METHODS_0_8 } from "#api/rpc/ws/methods.ts";
import type { JsonObject } from "#test/helpers/json-schema.ts";
import { fixtureTest } from "#test/helpers/shared.ts";
import { loadWsOpenRpc } from "#test/helpers/ws-openrpc.ts";

const sharedTest = fixtureTest("rpc-spec");

const DECLARED = {
  "0.10.2": SUBSCRIPTION_METHODS,
  "0.9.0": SUBSCRIPTION_METHODS,
  "0.8.1": SUBSCRIPTION_METHODS_0_8,
} as const;

for (const [version, declared] of Object.entries(DECLARED)) {
  describe(`subscriptions of ${version} match starknet_ws_api.json`, () => {
    const table = createMethodTables().find(({ spec }) => spec.version === version);

    sharedTest("in their names", () => {
      const specified = [...loadWsOpenRpc(version).methods.keys()].filter(
        (name) => !name.startsWith("subscription"),
      );
      expect([...(table?.subscriptions.keys() ?? [])].sort()).toEqual(specified.sort());
    });

    sharedTest("in their parameters, including which are required", () => {
      for (const [name, { params }] of table?.subscriptions ?? []) {
        const specified = loadWsOpenRpc(version).methods.get(name)?.[
          "params"
        ] as readonly JsonObject[];
        expect(params.map((param) => [param.name, param.need === "required"])).toEqual(
          specified.map((param) => [param["name"], param["required"]]) as never,
        );
      }
    });

    sharedTest("in their errors", () => {
      for (const { name, errors } of declared) {
        const ours = errors.map((error) => {
          const { code, message } = RPC_ERRORS[error];
          return [error, { code, message }];
        });
        expect(Object.fromEntries(ours)).toEqual(loadWsOpenRpc(version).errors(name) as never);
      }
    });
  });
}

test("version 0.7 has no subscriptions", () => {
  const oldest = createMethodTables().at(-1);
  expect([oldest?.spec.version, oldest?.subscriptions.size]).toEqual(["0.7.1", 0]);
});
