import { existsSync } from "node:fs";
import {
  createSchemaValidator,
  type JsonObject,
  type SchemaPlace,
} from "#test/helpers/json-schema.ts";
import { fixturePath, hasFixtures, readFixtureJson } from "#test/helpers/shared.ts";

const FILES = [
  "starknet_api_openrpc.json",
  "starknet_trace_api_openrpc.json",
  "starknet_write_api.json",
  "starknet_executables.json",
  "starknet_ws_api.json",
] as const;

/** Sources of requests: the parameters of each method of a version. */
export interface OpenRpcDocuments {
  /** Schema of each parameter, by method name without prefix. */
  readonly params: ReadonlyMap<string, ReadonlyMap<string, SchemaPlace>>;
  resolve(reference: string, from: string): SchemaPlace;
}

/** Files of a version, for example `0.10.2`; `undefined` in a clone without the fixtures. */
export function openRpcDocuments(version: string): OpenRpcDocuments | undefined {
  if (!hasFixtures("rpc-spec")) return undefined;
  const folder = ["rpc-spec", `v${version}`] as const;
  const documents = new Map(
    FILES.filter((file) => existsSync(fixturePath(...folder, file))).map((file) => [
      file as string,
      readFixtureJson(...folder, file) as JsonObject,
    ]),
  );
  const params = new Map<string, Map<string, SchemaPlace>>();
  for (const [document, content] of documents) {
    for (const method of content["methods"] as readonly JsonObject[]) {
      const places = (method["params"] as readonly JsonObject[]).map(
        (param): [string, SchemaPlace] => [
          param["name"] as string,
          { document, schema: param["schema"] as JsonObject },
        ],
      );
      params.set((method["name"] as string).replace("starknet_", ""), new Map(places));
    }
  }
  const { resolve } = createSchemaValidator(documents);
  return { params, resolve };
}
