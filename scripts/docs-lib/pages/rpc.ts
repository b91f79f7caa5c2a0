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
  return table(["method", "parameters", "errors", "family", "does"], rows);
}

/** Subscriptions of one version of the specification; nothing where it has none. */
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
  return ["Over WebSocket besides:", table(["method", "parameters", "errors", "does"], rows)];
}

/** Errors that methods give, with code and message. */
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
    (extensions?.get(name)?.params ?? []).map((param) => code(param.name)).join(", "),
    [...errors].join(", "),
    summary,
  ]);
  return table(["method", "parameters", "errors", "does"], rows);
}

/** JSON-RPC as it is served. */
export const rpcPage: Page = {
  file: "rpc.md",
  title: "JSON-RPC",
  from: "src/api/rpc",
  body: () =>
    parts(
      "POST to `/` or `/rpc` for the newest version, to `/rpc/v0_10` or `/rpc/v0_10_2` (dots too, with and without `/rpc`, behind `/ws` as Pathfinder and Juno have WebSockets) for one version. Paths of an earlier patch, such as `/rpc/v0_10_0`, are answered by the one that is served, and `/rpc/v0_10_3` by 0.10.2, `specVersion` included: 0.10.3 changes nothing that nodes serve; 0.9.0, 0.8.1 and 0.7.1 are served likewise. Methods carry the prefix `chain_` or `starknet_`, to the same effect. Parameters come by name or by position; `?` marks those that may be left out. Where the methods of `chain_` were meant otherwise than OpenRPC has them is listed in [differences](openrpc-differences.md); limits, readiness and what a busy node answers in [operation](operation.md).",
      "A WebSocket is opened on the same paths and answers the same methods, in any order and by id; messages may be text or bytes, answers are text. It has subscriptions besides: what they send comes behind the answer with their id, once and in order, under the prefix that was subscribed with. A client that reads too slowly is told close code 1008, and has to subscribe again.",
      ...createMethodTables().map((methods) =>
        parts(
          `## Version ${methods.spec.version}`,
          methodTable(methods),
          ...subscriptionTable(methods),
        ),
      ),
      "## Methods of other nodes",
      "These are part of no version of the specification. Every version has them on its paths, by their whole names and without other prefix; for clients that were written for Pathfinder, the newest one on `/rpc/pathfinder/v0.1` and `/rpc/pathfinder/v0_1`, too.",
      extensionTable(),
      "Two errors of Pathfinder come with proofs: 10000, `Too many storage keys requested`, where one request names more keys than `--rpc-max-proof-keys` (also of `getStorageProof`), with `limit` and `requested`; and 10001, `Merkle trie proof is not available`, where `getStorageProof` gives STORAGE_PROOF_NOT_SUPPORTED. That one names in its data the oldest block whose proofs are kept, as 10001 does.",
      "## Errors",
      "Errors are named as in the newest version. Older ones answer them with their own messages, and what they do not have with the nearest that they have: CONTRACT_NOT_FOUND of an estimate is a failed execution before 0.10, FEE_BELOW_MINIMUM is INSUFFICIENT_RESOURCES_FOR_VALIDATE and REPLACEMENT_TRANSACTION_UNDERPRICED is UNEXPECTED_ERROR before 0.9, ENTRYPOINT_NOT_FOUND is CONTRACT_ERROR in 0.7.",
      errorTable(),
    ),
};
