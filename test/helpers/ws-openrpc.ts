import { createSchemaValidator, type JsonObject, type SchemaValidator } from "./json-schema.ts";
import { readFixtureJson } from "./shared.ts";
import type { Notification, WorldClient } from "./subscription-world.ts";

const WS_FILE = "starknet_ws_api.json";
const FILES = [WS_FILE, "starknet_api_openrpc.json"] as const;

/** Subscriptions of a version of the specification. */
export interface WsOpenRpc {
  /** Schemas by name without prefix, for methods and notifications. */
  readonly methods: ReadonlyMap<string, JsonObject>;
  /** Findings about the result of a method. */
  resultFindings(method: string, result: unknown): string[];
  /** Findings about a notification. */
  notificationFindings(notification: Notification): string[];
  /** Code and message of the errors of a method, by name. */
  errors(method: string): Record<string, { readonly code: unknown; readonly message: unknown }>;
}

const loaded = new Map<string, WsOpenRpc>();

/** Reads starknet_ws_api.json of a version, for example `0.10.2`. */
export function loadWsOpenRpc(version: string): WsOpenRpc {
  const known = loaded.get(version);
  if (known !== undefined) return known;
  const documents = new Map(
    FILES.map((file) => [file, readFixtureJson("rpc-spec", `v${version}`, file) as JsonObject]),
  );
  const read = readWsOpenRpc(documents, createSchemaValidator(documents));
  loaded.set(version, read);
  return read;
}

function readWsOpenRpc(
  documents: ReadonlyMap<string, JsonObject>,
  validator: SchemaValidator,
): WsOpenRpc {
  const listed = documents.get(WS_FILE)?.["methods"] as readonly JsonObject[];
  const methods = new Map(
    listed.map((method) => [(method["name"] as string).replace("starknet_", ""), method]),
  );
  const findings = (value: unknown, schema: unknown): string[] =>
    validator.validate(value, { document: WS_FILE, schema: schema as JsonObject });
  return {
    methods,
    resultFindings(method, result) {
      const declared = methods.get(method)?.["result"] as JsonObject | undefined;
      return declared === undefined
        ? [`no method ${method}`]
        : findings(result, declared["schema"]);
    },
    notificationFindings({ method, params }) {
      const declared = methods.get(method.replace(/^(starknet|chain)_/, ""));
      if (declared === undefined) return [`no notification ${method}`];
      const wanted = declared["params"] as readonly JsonObject[];
      const names = wanted.map((param) => param["name"] as string);
      if (Object.keys(params).join() !== names.join())
        return [`members ${Object.keys(params).join()}`];
      return wanted.flatMap((param) =>
        findings((params as Record<string, unknown>)[param["name"] as string], param["schema"]),
      );
    },
    errors: (method) =>
      Object.fromEntries(
        ((methods.get(method)?.["errors"] ?? []) as readonly JsonObject[]).map((error) => {
          const reference = error["$ref"] as string;
          const { schema } = validator.resolve(reference, WS_FILE);
          const { code, message } = schema;
          return [reference.split("/").at(-1) ?? "", { code, message }];
        }),
      ),
  };
}

/** Findings about all notifications of a client, and their number. */
export function findingsOf(
  client: WorldClient,
  version: string,
): { readonly count: number; readonly findings: string[] } {
  const openRpc = loadWsOpenRpc(version);
  return {
    count: client.notifications.length,
    findings: client.notifications.flatMap((sent) => openRpc.notificationFindings(sent)),
  };
}
