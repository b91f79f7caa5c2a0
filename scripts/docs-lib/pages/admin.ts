import { ADMIN_METHODS, createAdminTable } from "#api/rpc/index.ts";
import { isNamed, keywordsOf, type Schema } from "#base/codec/index.ts";
import { code, table } from "../markdown.ts";
import { type Page, parts } from "../page.ts";

/** Operators' methods of other nodes that this node omits, with the reason. */
const OMITTED = [
  [
    "`setCustomBlockHeader`",
    "The sequencer's clock and configuration determine timestamps and prices of a block, and re-execution of blocks depends on that. Development chains have `devnet_setTime`, `devnet_increaseTime` and `devnet_setGasPrice`.",
  ],
  [
    "`bypassAddInvokeTransaction`, `bypassAddDeclareTransaction`, `bypassAddDeployAccountTransaction`",
    "A transaction that skips the mempool is not durable before its block, and one that skips validation is executed without a sender's consent. Set a chain up by its genesis section, or by [transactions that are free until its fee token has a contract](operation.md#a-new-chain).",
  ],
  [
    "`addDeclareV0Transaction`",
    "Declaring a Cairo 0 class requires an account; the initial classes of a chain are in its genesis section.",
  ],
  [
    "`service`",
    "The parts of a node run together: if one stops, all stop. Options enable the gateway and metrics.",
  ],
  ["`pulse`", "`appchain_ping`, or `/ready` and `/health` of the JSON-RPC port."],
] as const;

const EXAMPLE = [
  "curl -s http://127.0.0.1:9943/ -H 'content-type: application/json'",
  '-H "authorization: Bearer $(cat admin.token)"',
  `-d '{"jsonrpc":"2.0","id":1,"method":"appchain_status","params":[]}'`,
].join(" ");

const NOTES = [
  "`appchain_closeBlock` closes the block with the transactions executed so far. On development chains it waits at most a second for those received before.",
  "`appchain_flushMempool` keeps transactions that arrive in the meantime. Transactions with a later nonce than a dropped one wait for another one with its nonce.",
  "`appchain_addL1HandlerMessage` uses the nonce that L1 would assign: the same message with the same nonce is refused. A message whose handler fails is included as reverted.",
  "`appchain_revertTo` works while the node runs: requests wait some tenths of a second, subscribers are notified of the reorg, and full nodes that follow must revert, too. L1-accepted blocks stay; `appchain db revert` does the same for a stopped node. Both refuse on a chain that is published with `--publish-gate`: other nodes have its blocks, and continue with them.",
  "`appchain_getBlockBouncerWeights` re-executes a block as a trace does, with the same time limits. The event of a fee transfer has no weight.",
];

/** Names of a result's members; for a result without members, its text. */
function shown(answer: Schema | undefined): string {
  const { properties, const: text } = keywordsOf(answer);
  if (properties !== undefined) {
    return Object.entries(properties)
      .map(([name, member]) => code(isList(member) ? `${name}[]` : name))
      .join(", ");
  }
  return text === undefined ? "" : code(JSON.stringify(text));
}

function isList(schema: Schema): boolean {
  return !isNamed(schema) && schema.type === "array";
}

/** Every admin method. */
export function adminTable(): string {
  const { methods } = createAdminTable();
  const rows = ADMIN_METHODS.map(({ name, summary, errors }) => {
    const bound = methods.get(name);
    const params = (bound?.params ?? []).map(({ name: of, need, describe }) => {
      const mark = need === "required" ? "" : "?";
      return `${code(`${of}${mark}`)}: ${describe}`;
    });
    return [code(name), params.join("; "), shown(bound?.answer), errors.join(", "), summary];
  });
  return table(["method", "parameters", "result", "errors", "effect"], rows);
}

/** The methods for operators of a node. */
export const adminPage: Page = {
  file: "admin.md",
  title: "Admin methods",
  from: "src/api/rpc/admin",
  body: () =>
    parts(
      "Methods for the operator of a node, enabled by `--rpc-admin-token-file`: JSON-RPC by POST to `http://127.0.0.1:9943/` (`--rpc-admin-port`) with `Authorization: Bearer TOKEN`, and nowhere else. The public port returns -32601 for all of them. [Operation](operation.md#admin-methods) explains how to create a token.",
      `For example \`${EXAMPLE}\`, in the folder of the token.`,
      "Parameters are given by name or by position; `?` marks optional ones. The log records each use with its effect; `ping` and `status`, which monitoring calls often, at level debug. A body has at most 64 KiB and a batch 100 calls.",
      adminTable(),
      "A refusal by the executor has code -1 and the reason in its message: more than 1000 orders are pending, a message was consumed already, the node is stopping.",
      NOTES.map((note) => `- ${note}`).join("\n"),
      "## Omitted methods",
      table(
        ["method of other nodes", "why this node omits it"],
        OMITTED.map((row) => [...row]),
      ),
    ),
};
