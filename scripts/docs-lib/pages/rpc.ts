import {
  createMethodTables,
  EXTENSION_METHODS,
  METHODS,
  type MethodTable,
  RPC_ERRORS,
  SUBSCRIPTION_METHODS,
  SUBSCRIPTION_METHODS_0_8,
} from "#api/rpc/index.ts";
import { code, table } from "../markdown.ts";
import { type Page, parts } from "../page.ts";

/** Every method of one version of the specification. */
export function methodTable({ methods }: MethodTable): string {
  const rows = METHODS.filter(({ name }) => methods.has(name)).map(
    ({ name, family, summary, errors }) => [
      code(name),
      (methods.get(name)?.params ?? [])
        .map((param) => code(param.need === "required" ? param.name : `${param.name}?`))
        .join(", "),
      [...errors].join(", "),
      family,
      summary,
    ],
  );
  return table(["method", "parameters", "errors", "family", "effect"], rows);
}

/** Subscriptions of one version of the specification; empty for a version without subscriptions. */
function subscriptionTable({ subscriptions }: MethodTable): string[] {
  if (subscriptions.size === 0) return [];
  const declared = [...new Set([...SUBSCRIPTION_METHODS, ...SUBSCRIPTION_METHODS_0_8])];
  const rows = declared
    .filter(({ name }) => subscriptions.has(name))
    .map(({ name, summary, errors }) => [
      code(name),
      (subscriptions.get(name)?.params ?? [])
        .map((param) => code(param.need === "required" ? param.name : `${param.name}?`))
        .join(", "),
      [...errors].join(", "),
      summary,
    ]);
  return ["Over WebSocket also:", table(["method", "parameters", "errors", "effect"], rows)];
}

/** Errors of methods, with code and message. */
export function errorTable(): string {
  return table(
    ["error", "code", "message"],
    Object.entries(RPC_ERRORS).map(([name, error]) => [name, String(error.code), error.message]),
  );
}

/** Methods of other nodes. */
function extensionTable(): string {
  const [{ extensions }] = createMethodTables();
  const rows = EXTENSION_METHODS.map(({ name, summary, errors }) => [
    code(name),
    (extensions?.get(name)?.params ?? [])
      .map((param) => code(param.need === "required" ? param.name : `${param.name}?`))
      .join(", "),
    [...errors].join(", "),
    summary,
  ]);
  return table(["method", "parameters", "errors", "effect"], rows);
}

/** The JSON-RPC interface. */
export const rpcPage: Page = {
  file: "rpc.md",
  title: "JSON-RPC",
  from: "src/api/rpc",
  body: () =>
    parts(
      "POST to `/` or `/rpc` for the newest version, to `/rpc/v0_10` or `/rpc/v0_10_2` (dots too, with and without `/rpc`, after `/ws` as in WebSocket addresses of Pathfinder and Juno) for one version. Paths of an earlier patch, such as `/rpc/v0_10_0`, are served by the newest patch, and `/rpc/v0_10_3` by 0.10.2, `specVersion` included: 0.10.3 changes nothing that nodes serve. 0.9.0, 0.8.1 and 0.7.1 are served in the same way. Methods have the prefix `chain_` or `starknet_`, with the same effect. Parameters are given by name or by position; `?` marks optional ones. [Differences](openrpc-differences.md) lists deviations of the `chain_` methods from OpenRPC; [operation](operation.md) explains limits, readiness and the responses of a busy node.",
      "A WebSocket on the same paths serves the same methods, in any order and by id; messages may be text or bytes, responses are text. It also has subscriptions: notifications follow the response with the subscription's id, once and in order, under the prefix of the subscribe request. A client that reads too slowly is closed with code 1008, and must subscribe again.",
      ...createMethodTables().map((methods) =>
        parts(
          `## Version ${methods.spec.version}`,
          methodTable(methods),
          ...subscriptionTable(methods),
        ),
      ),
      "## Methods of other nodes",
      "No version of the specification has these methods. Every version serves them on its paths, by their whole names and without another prefix. For clients that were written for Pathfinder, the newest version also serves `/rpc/pathfinder/v0.1` and `/rpc/pathfinder/v0_1`.",
      extensionTable(),
      "Proofs have two errors of Pathfinder. 10000, `Too many storage keys requested`, means that one request names more keys than `--rpc-max-proof-keys` (also of `getStorageProof`); it has `limit` and `requested`. 10001, `Merkle trie proof is not available`, replaces STORAGE_PROOF_NOT_SUPPORTED of `getStorageProof`. The data of both these errors names the oldest block whose proofs are kept.",
      "## Errors",
      "Errors have their names in the newest version. Older versions use their own messages, and replace an error that they do not have by the nearest one: CONTRACT_NOT_FOUND of an estimate is a failed execution before 0.10, FEE_BELOW_MINIMUM is INSUFFICIENT_RESOURCES_FOR_VALIDATE and REPLACEMENT_TRANSACTION_UNDERPRICED is UNEXPECTED_ERROR before 0.9, ENTRYPOINT_NOT_FOUND is CONTRACT_ERROR in 0.7.",
      errorTable(),
    ),
};
