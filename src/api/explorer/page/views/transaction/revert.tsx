import { Card } from "../../parts/basic.tsx";
import { Hash } from "../../parts/hash.tsx";
import { visibleText } from "../../decode/visible-text.ts";
import { textOf } from "../../rpc/json.ts";
import { feltText } from "../../abi/felt.ts";
import { functionText } from "./function-text.ts";
import type { LoadedTransaction } from "./load-transaction.ts";

/** Why a transaction was reverted: the cause, and the calls that led to it. */
export function Revert({ of: { receipt, revert, abis } }: { readonly of: LoadedTransaction }) {
  const reason = textOf(receipt?.["revert_reason"]);
  if (revert === null) return null;
  const { frames, cause } = revert;
  return (
    <Card title="Reverted">
      <div class="body form">
        <div class="notice bad" role="alert">
          <strong>{visibleText(cause)}</strong>
        </div>
        {frames.length === 0 ? null : (
          <ol>
            {frames.map(({ contract, classHash, selector }, i) => (
              <li key={i}>
                <code>{functionText(abis.get(feltText(classHash)), selector)}</code> of{" "}
                <Hash felt={contract} to="contract" />{" "}
                <span class="muted">
                  class <Hash felt={classHash} to="class" />
                </span>
              </li>
            ))}
          </ol>
        )}
        <details>
          <summary>Complete reason</summary>
          <pre tabIndex={0}>{visibleText(reason, 20_000)}</pre>
        </details>
      </div>
    </Card>
  );
}
