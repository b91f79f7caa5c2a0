import { visibleText } from "../../decode/visible-text.ts";
import { Meter, Stat } from "../../parts/basic.tsx";
import { numberOf, objectOf, textOf } from "../../rpc/json.ts";
import { nodeStatus } from "../../state/node-status.ts";
import { useStore } from "../../state/store.ts";
import { feeText, gasText } from "../../decode/amounts.ts";
import type { RecentBlock } from "../../rpc/recent-blocks.ts";

/** Figures of the newest block and of the mempool. */
export function Figures({ newest }: { readonly newest: RecentBlock | null }) {
  const status = useStore(nodeStatus);
  const capacity = numberOf(objectOf(status?.["capacity"])["l2_gas_per_block"]);
  const waiting = numberOf(objectOf(status?.["mempool"])["waiting"]);
  const onL1 = numberOf(objectOf(status?.["l1"])["accepted"]);
  const block = newest?.block ?? {};
  const gas = numberOf(block["l2_gas"]) ?? 0;
  const share = capacity === null || capacity === 0 ? null : gas / capacity;
  const price = (name: string): string => feeText(textOf(objectOf(block[name])["fri"]), "FRI");
  return (
    <div class="stats">
      <Stat
        name="Newest block"
        note={`protocol ${visibleText(textOf(block["starknet_version"]), 50) || "unknown"}`}
      >
        {newest === null ? "none" : (numberOf(block["block_number"]) ?? 0).toLocaleString("en")}
      </Stat>
      <Stat name="Transactions in it">
        {(numberOf(block["transaction_count"]) ?? 0).toLocaleString("en")}
      </Stat>
      <Stat
        name="L2 gas in it"
        note={
          share === null ? undefined : (
            <>
              <span title={`of ${gasText(capacity ?? 0)}`}>
                {(share * 100).toFixed(1)} % of a full block
              </span>
              <Meter share={share} />
            </>
          )
        }
      >
        {gasText(gas)}
      </Stat>
      <Stat name="L2 gas price" note="per unit of gas">
        {price("l2_gas_price")}
      </Stat>
      <Stat name="L1 data gas price" note="per unit of gas">
        {price("l1_data_gas_price")}
      </Stat>
      <Stat name="Waiting">{waiting === null ? "unknown" : waiting.toLocaleString("en")}</Stat>
      <Stat name="Newest on L1">{onL1 === null ? "none" : onL1.toLocaleString("en")}</Stat>
    </div>
  );
}
