import { Card, Show } from "../../parts/basic.tsx";
import { StateDiff } from "../../parts/state-diff.tsx";
import { type JsonObject, objectOf } from "../../rpc/json.ts";
import { rpc } from "../../state/chain.ts";
import { useLoad } from "../../state/load.ts";

/** State diff of a block. */
export function BlockState({ blockNumber }: { readonly blockNumber: number }) {
  const load = async (): Promise<JsonObject> =>
    objectOf(
      objectOf(
        await rpc.call("starknet_getStateUpdate", { block_id: { block_number: blockNumber } }),
      )["state_diff"],
    );
  return (
    <Card>
      <Show loaded={useLoad(`state ${blockNumber}`, load)} what="state diff">
        {(diff) => <StateDiff diff={diff} before={blockNumber - 1} />}
      </Show>
    </Card>
  );
}
