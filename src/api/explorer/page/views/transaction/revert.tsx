import { type Abi, EMPTY_ABI, functionOf } from "../../abi/abi.ts";
import type { RevertFrame } from "../../decode/revert-reason.ts";
import { Card } from "../../parts/basic.tsx";
import { Hash } from "../../parts/hash.tsx";
import { visibleText } from "../../decode/visible-text.ts";
import { textOf } from "../../rpc/json.ts";
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
            {frames.map(({ contract, classHash }, i) => (
              <li key={i}>
                <code>{nameOf(frames, i, abis)}</code> of <Hash felt={contract} to="contract" />{" "}
                {classHash === "0x0" ? null : (
                  <span class="muted">
                    class <Hash felt={classHash} to="class" />
                  </span>
                )}
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

/** Returns the name of a frame's function, behind a proxy by the class that it delegates to; or the selector. */
function nameOf(
  frames: readonly RevertFrame[],
  index: number,
  abis: ReadonlyMap<string, Abi>,
): string {
  const frame = frames[index];
  if (frame === undefined) return "";
  for (const { contract, classHash, selector } of frames.slice(index)) {
    if (contract !== frame.contract || selector !== frame.selector) break;
    const name = functionOf(abis.get(classHash) ?? EMPTY_ABI, selector)?.name;
    if (name !== undefined) return visibleText(name, 100);
  }
  return frame.selector;
}
