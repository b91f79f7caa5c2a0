import { nodeUrls } from "../rpc/urls.ts";
import { nodeStatus } from "../state/node-status.ts";
import { hrefOf } from "../state/route.ts";
import { useStore } from "../state/store.ts";
import { Card, Empty } from "./basic.tsx";
import { Copy } from "./hash.tsx";

/** What to do next on a chain without transactions: three commands. */
export function EmptyChain() {
  const isDevnet = useStore(nodeStatus)?.["devnet"] === true;
  const { rpc } = nodeUrls(globalThis.location.href);
  const [methods, text] = isDevnet
    ? [
        ["devnet_getPredeployedAccounts", "devnet_mint 0x1 1000", "starknet_blockNumber"],
        "List the funded accounts, mint tokens for an address, and read the newest block:",
      ]
    : [
        ["starknet_chainId", "starknet_syncing", "starknet_blockNumber"],
        "Read the chain's id, the progress of this node, and the newest block:",
      ];
  return (
    <Card title="This chain has no transactions yet">
      <Empty>
        <p>{text}</p>
        {methods.map((method) => (
          <Command key={method} text={`appchain rpc call ${method} --url ${rpc}`} />
        ))}
        {isDevnet ? (
          <p>
            Or use the <a href={hrefOf("control")}>control panel</a>.
          </p>
        ) : null}
      </Empty>
    </Card>
  );
}

function Command({ text }: { readonly text: string }) {
  return (
    <div class="command">
      <code>{text}</code>
      <Copy text={text} what="command" />
    </div>
  );
}
