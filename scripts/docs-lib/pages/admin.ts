import { ADMIN_METHODS, createAdminTable } from "#api/rpc/index.ts";
import { isNamed, keywordsOf, type Schema } from "#base/codec/index.ts";
import { code, table } from "../markdown.ts";
import { type Page, parts } from "../page.ts";

/** Methods that other nodes have for whoever runs them, and why this one does without. */
const LEFT_OUT = [
  [
    "`setCustomBlockHeader`",
    "Timestamps and prices of a block are decided by the sequencer's clock and configuration, and blocks that are executed again depend on that. Development chains have `devnet_setTime`, `devnet_increaseTime` and `devnet_setGasPrice`.",
  ],
  [
    "`bypassAddInvokeTransaction`, `bypassAddDeclareTransaction`, `bypassAddDeployAccountTransaction`",
    "What skips the mempool is not durable before its block, and what skips validation is executed in nobody's name. A chain is set up by its genesis section, or by [transactions that are free until its fee token has a contract](operation.md#a-new-chain).",
  ],
  [
    "`addDeclareV0Transaction`",
    "No Cairo 0 class is declared without an account; those that a chain begins with are in its genesis section.",
  ],
  [
    "`service`",
    "The parts of a node run together: one that stops ends the others. The gateway and metrics are turned on by options.",
  ],
  ["`pulse`", "`appchain_ping`, or `/ready` and `/health` of the JSON-RPC port."],
] as const;

const EXAMPLE = [
  "curl -s http://127.0.0.1:9943/ -H 'content-type: application/json'",
  '-H "authorization: Bearer $(cat admin.token)"',
  `-d '{"jsonrpc":"2.0","id":1,"method":"appchain_status","params":[]}'`,
].join(" ");

const NOTES = [
  "`appchain_closeBlock` closes what was executed so far. On development chains it waits for what was received before, at most a second.",
  "`appchain_flushMempool` leaves what comes in meanwhile. Transactions with a later nonce than a dropped one wait for another one with its nonce.",
  "`appchain_addL1HandlerMessage` takes the nonce that L1 would give: the same message with the same nonce is refused. A message whose handler fails is included as reverted.",
  "`appchain_revertTo` works while the node runs: requests wait some tenths of a second, subscriptions are told of the reorg, and full nodes that follow have to go back, too. Blocks that are accepted on L1 stay; `appchain db revert` does the same to a node that is stopped. Both refuse on a chain that is published with `--publish-gate`: others have its blocks, and go on with them.",
  "`appchain_getBlockBouncerWeights` executes a block again as a trace does, with the same limits of time. The event of a fee's transfer weighs nothing.",
];

/** Names of a result's members; its text where it has none. */
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
  return table(["method", "parameters", "result", "errors", "does"], rows);
}

/** The methods for whoever runs a node. */
export const adminPage: Page = {
  file: "admin.md",
  title: "Admin methods",
  from: "src/api/rpc/admin",
  body: () =>
    parts(
      "For whoever runs a node, where `--rpc-admin-token-file` turns them on: JSON-RPC by POST to `http://127.0.0.1:9943/` (`--rpc-admin-port`) with `Authorization: Bearer TOKEN`, and nowhere else. The public port answers -32601 for all of them. [Operation](operation.md#admin-methods) says how to make a token.",
      `For example \`${EXAMPLE}\`, in the folder of the token.`,
      "Parameters come by name or by position; `?` marks those that may be left out. Each use is in the log with what it did; `ping` and `status`, which come from whoever watches a node, at level debug. A body has at most 64 KiB and a batch 100 calls.",
      adminTable(),
      "What the executor refuses has code -1 and says why in its message: more than 1000 orders wait, a message was consumed already, the node is stopping.",
      NOTES.map((note) => `- ${note}`).join("\n"),
      "## Left out",
      table(
        ["elsewhere", "why not here"],
        LEFT_OUT.map((row) => [...row]),
      ),
    ),
};
