import { MinuteChart } from "../../charts/minute-chart.tsx";
import { gasText } from "../../decode/amounts.ts";
import { Card, Show } from "../../parts/basic.tsx";
import { type JsonObject, listOf, numberOf, objectOf } from "../../rpc/json.ts";
import { api } from "../../state/chain.ts";
import { useLoad } from "../../state/load.ts";
import { nodeStatus } from "../../state/node-status.ts";
import { useStore } from "../../state/store.ts";

/** Shortest time between two loads of the charts, in milliseconds: they have one value a minute. */
const PAUSE_MS = 5_000;

/** Charts of the last hour: transactions, and L2 gas against the capacity. */
export function Activity() {
  const loaded = useLoad("activity", () => api.get("activity"), {
    isLive: true,
    pauseMs: PAUSE_MS,
  });
  return (
    <div class="columns">
      <Card title="Transactions a minute">
        <div class="body">
          <Show loaded={loaded} what="activity of the last hour">
            {(activity) => (
              <Chart activity={activity} field="transactions" name="Transactions a minute" />
            )}
          </Show>
        </div>
      </Card>
      <Card title="L2 gas a minute" more={<Capacity />}>
        <div class="body">
          <Show loaded={loaded} what="gas of the last hour">
            {(activity) => <Chart activity={activity} field="l2_gas" name="L2 gas a minute" />}
          </Show>
        </div>
      </Card>
    </div>
  );
}

/** Capacity of a minute of full blocks, where blocks have a fixed time. */
function Capacity() {
  const limit = minuteLimit(objectOf(useStore(nodeStatus)?.["capacity"]));
  return limit === null ? null : <span class="muted">at most {gasText(Math.round(limit))}</span>;
}

function minuteLimit(capacity: JsonObject): number | null {
  const perBlock = numberOf(capacity["l2_gas_per_block"]);
  const blockMs = numberOf(capacity["block_time_ms"]);
  return perBlock === null || blockMs === null || blockMs <= 0
    ? null
    : (perBlock * 60_000) / blockMs;
}

function Chart({
  activity,
  field,
  name,
}: {
  readonly activity: JsonObject;
  readonly field: "transactions" | "l2_gas";
  readonly name: string;
}) {
  const capacity = objectOf(useStore(nodeStatus)?.["capacity"]);
  const minutes = listOf(activity["minutes"]).map((minute) => objectOf(minute));
  return (
    <MinuteChart
      name={name}
      seconds={minutes.map((minute) => (numberOf(minute["unix_ms"]) ?? 0) / 1_000)}
      values={minutes.map((minute) => numberOf(minute[field]) ?? 0)}
      limit={field === "l2_gas" ? minuteLimit(capacity) : null}
    />
  );
}
