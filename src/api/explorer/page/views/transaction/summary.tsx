import { transfersOf } from "../../decode/transfers.ts";
import { feeText, gasText } from "../../decode/amounts.ts";
import { Card, Fact, Facts } from "../../parts/basic.tsx";
import { Hash } from "../../parts/hash.tsx";
import { Time } from "../../parts/time.tsx";
import { senderOf } from "../../parts/transaction-table.tsx";
import { TransferTable } from "../../parts/transfer-table.tsx";
import { type JsonObject, numberOf, objectOf, textOf } from "../../rpc/json.ts";
import { hrefOf } from "../../state/route.ts";
import { Calls } from "./calls.tsx";
import type { LoadedTransaction } from "./load-transaction.ts";
import { Messages } from "./messages.tsx";

/** What a transaction is, did and cost. */
export function Summary({ of }: { readonly of: LoadedTransaction }) {
  const { transaction, receipt, block } = of;
  const transfers = receipt === null ? [] : transfersOf(receipt);
  return (
    <>
      <Card>
        <Facts>
          {block === null ? null : (
            <Fact name="Block">
              <a href={hrefOf("block", String(numberOf(block["block_number"])))}>
                {(numberOf(block["block_number"]) ?? 0).toLocaleString("en")}
              </a>
            </Fact>
          )}
          {block === null ? null : (
            <Fact name="Time">
              <Time unixMs={(numberOf(block["timestamp"]) ?? 0) * 1_000} />
            </Fact>
          )}
          <Fact name={transaction["type"] === "L1_HANDLER" ? "Contract" : "Sender"}>
            <Hash felt={senderOf(transaction, receipt ?? {})} to="contract" isWhole />
          </Fact>
          <Fact name="Nonce">{nonceText(textOf(transaction["nonce"]))}</Fact>
          <Fact name="Version">{textOf(transaction["version"])}</Fact>
          {textOf(transaction["class_hash"]) === "" ? null : (
            <Fact name="Class">
              <Hash felt={textOf(transaction["class_hash"])} to="class" isWhole />
            </Fact>
          )}
          {receipt === null ? null : <Cost transaction={transaction} receipt={receipt} />}
        </Facts>
      </Card>
      {transfers.length === 0 ? null : (
        <Card title="Transfers">
          <TransferTable transfers={transfers} />
        </Card>
      )}
      <Calls of={of} />
      <Messages of={of} />
    </>
  );
}

function Cost({
  transaction,
  receipt,
}: {
  readonly transaction: JsonObject;
  readonly receipt: JsonObject;
}) {
  const fee = objectOf(receipt["actual_fee"]);
  const used = objectOf(receipt["execution_resources"]);
  const bounds = objectOf(transaction["resource_bounds"]);
  const names = { l1_gas: "L1 gas", l1_data_gas: "L1 data gas", l2_gas: "L2 gas" };
  return (
    <>
      <Fact name="Fee">
        <strong>{feeText(textOf(fee["amount"]), textOf(fee["unit"]))}</strong>
      </Fact>
      <Fact name="Gas used">
        {Object.entries(names).map(([field, name]) => {
          const { max_amount, max_price_per_unit } = objectOf(bounds[field]);
          return (
            <div key={field}>
              {name}: {gasText(numberOf(used[field]) ?? 0)}
              {textOf(max_amount) === "" ? null : (
                <span class="muted">
                  {" "}
                  of at most {gasText(BigInt(textOf(max_amount)))}, for at most{" "}
                  {feeText(textOf(max_price_per_unit), "FRI")} a unit
                </span>
              )}
            </div>
          );
        })}
      </Fact>
      {textOf(transaction["tip"]) === "" ? null : (
        <Fact name="Tip">{feeText(textOf(transaction["tip"]), "FRI")} a unit of L2 gas</Fact>
      )}
    </>
  );
}

function nonceText(nonce: string): string {
  return /^0x[0-9a-fA-F]+$/.test(nonce) ? BigInt(nonce).toString() : "none";
}
