import { Card, Empty } from "./basic.tsx";

/** What to do next on a chain without transactions. */
export function EmptyChain() {
  const url = new URL("..", globalThis.location.href).origin;
  const commands = [
    `# the node's accounts and keys`,
    `curl -s ${url} -d '{"jsonrpc":"2.0","id":1,"method":"devnet_getPredeployedAccounts","params":{}}'`,
    `# the newest block`,
    `appchain rpc call chain_blockNumber --url ${url}`,
    `# send something from the page: see the control panel, or connect starknet.js to ${url}`,
  ].join("\n");
  return (
    <Card>
      <Empty>
        <p>This chain has no transactions yet.</p>
        <pre>{commands}</pre>
      </Empty>
    </Card>
  );
}
