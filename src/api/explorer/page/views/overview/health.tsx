import { visibleText } from "../../decode/visible-text.ts";
import { Badge, Card, Fact, Facts } from "../../parts/basic.tsx";
import { numberOf, objectOf, textOf } from "../../rpc/json.ts";
import { nodeStatus } from "../../state/node-status.ts";
import { useStore } from "../../state/store.ts";

/** State of the node that serves the page. */
export function Health() {
  const status = useStore(nodeStatus);
  if (status === null) return null;
  const ready = objectOf(status["ready"]);
  const indexed = objectOf(status["indexed"]);
  const lag = numberOf(status["lag_blocks"]);
  return (
    <Card title="This node">
      <Facts>
        <Fact name="Health">
          {ready["is_ready"] === true ? (
            <Badge tone="good">ready</Badge>
          ) : (
            <>
              <Badge tone="bad">not ready</Badge> {visibleText(textOf(ready["reason"]))}
            </>
          )}
        </Fact>
        <Fact name="Role">{textOf(status["role"])}</Fact>
        <Fact name="Version">{textOf(status["version"])}</Fact>
        {lag === null ? null : (
          <Fact name="Behind its source">{lag.toLocaleString("en")} blocks</Fact>
        )}
        <Fact name="Explorer's index">{indexText(indexed)}</Fact>
      </Facts>
    </Card>
  );
}

function indexText(indexed: ReturnType<typeof objectOf>): string {
  const to = numberOf(indexed["to"]);
  const from = numberOf(indexed["from"]) ?? 0;
  return to === null
    ? "no block yet"
    : `blocks ${from.toLocaleString("en")} to ${to.toLocaleString("en")}`;
}
