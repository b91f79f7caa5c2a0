import { Card, Fact, Facts } from "../../parts/basic.tsx";
import { visibleText } from "../../decode/visible-text.ts";
import { feeText, gasText } from "../../decode/amounts.ts";
import { Hash } from "../../parts/hash.tsx";
import { Time } from "../../parts/time.tsx";
import { l2GasOf } from "../../rpc/gas.ts";
import { type JsonObject, numberOf, objectOf, textOf } from "../../rpc/json.ts";

const COMMITMENTS: readonly (readonly [field: string, name: string])[] = [
  ["transaction_commitment", "Transaction commitment"],
  ["event_commitment", "Event commitment"],
  ["receipt_commitment", "Receipt commitment"],
  ["state_diff_commitment", "State diff commitment"],
];

/** Header of a block. */
export function BlockFacts({ block }: { readonly block: JsonObject }) {
  const felt = (name: string): string => textOf(block[name]);
  return (
    <Card>
      <Facts>
        <Fact name="Hash">
          <Hash felt={felt("block_hash")} isWhole />
        </Fact>
        <Fact name="Parent">
          <Hash felt={felt("parent_hash")} to="block" isWhole />
        </Fact>
        <Fact name="Time">
          <Time unixMs={(numberOf(block["timestamp"]) ?? 0) * 1_000} />
        </Fact>
        <Fact name="Sequencer">
          <Hash felt={felt("sequencer_address")} to="contract" isWhole />
        </Fact>
        <Fact name="State root">
          <Hash felt={felt("new_root")} isWhole />
        </Fact>
        <Fact name="Protocol">
          {visibleText(felt("starknet_version"), 50)}, data on L1 as{" "}
          {felt("l1_da_mode").toLowerCase() || "unknown"}
        </Fact>
        <Fact name="L2 gas used">{gasText(l2GasOf(block))}</Fact>
        <Fact name="Gas prices">
          {(["l1_gas_price", "l1_data_gas_price", "l2_gas_price"] as const).map((name) => (
            <Price name={name} price={objectOf(block[name])} />
          ))}
        </Fact>
        {COMMITMENTS.filter(([field]) => felt(field) !== "").map(([field, name]) => (
          <Fact name={name}>
            <Hash felt={felt(field)} isWhole />
          </Fact>
        ))}
        {numberOf(block["state_diff_length"]) === null ? null : (
          <Fact name="State diff length">{numberOf(block["state_diff_length"])} entries</Fact>
        )}
      </Facts>
    </Card>
  );
}

function Price({ name, price }: { readonly name: string; readonly price: JsonObject }) {
  const kind = { l1_gas_price: "L1 gas", l1_data_gas_price: "L1 data gas", l2_gas_price: "L2 gas" }[
    name
  ];
  return (
    <div>
      {kind}: {feeText(textOf(price["price_in_fri"]), "FRI")}{" "}
      <span class="muted">({feeText(textOf(price["price_in_wei"]), "WEI")})</span>
    </div>
  );
}
