import { useRef, useState } from "hono/jsx/dom";
import type { Abi, AbiFunction } from "../../abi/abi.ts";
import { encodeValues } from "../../abi/encode.ts";
import { Card, Empty } from "../../parts/basic.tsx";
import { Fold } from "../../parts/fold.tsx";
import { Growing } from "../../parts/growing.tsx";
import { Hash } from "../../parts/hash.tsx";
import { shortFelt, visibleText } from "../../decode/visible-text.ts";
import { messageOf } from "../../rpc/page-error.ts";
import { useLoad } from "../../state/load.ts";
import { fundedAccounts, sendCalls, type Signer } from "../../state/send.ts";
import { nodeStatus } from "../../state/node-status.ts";
import { useStore } from "../../state/store.ts";
import { formValues, InputFields } from "./input-fields.tsx";

/** Forms that send transactions to a contract with a funded account of a devnet. */
export function WriteForms({ address, abi }: { readonly address: string; readonly abi: Abi }) {
  const isDevnet = useStore(nodeStatus)?.["devnet"] === true;
  const loaded = useLoad(`accounts ${isDevnet}`, async () => (isDevnet ? fundedAccounts() : []));
  const [index, setIndex] = useState(0);
  const accounts = loaded.state === "ready" ? loaded.value : [];
  const signer = accounts[index];
  const externals = abi.functions.filter((one) => one.kind === "function" && !one.isView);
  if (signer === undefined) {
    return <Empty>The page signs with the funded accounts of a devnet; this node has none.</Empty>;
  }
  if (externals.length === 0)
    return <Empty>The ABI of this contract has no external functions.</Empty>;
  return (
    <Card title="External functions">
      <div class="body form">
        <label class="field">
          <span>Account that sends and pays; its key stays in this page</span>
          <select
            onChange={(event: Event) => setIndex(Number((event.target as HTMLSelectElement).value))}
          >
            {accounts.map((account, i) => (
              <option key={account.address} value={String(i)}>
                {i}: {shortFelt(account.address)}
              </option>
            ))}
          </select>
        </label>
        <Growing of={externals} what="functions">
          {(shown) =>
            shown.map((one) => (
              <Fold key={one.selector} summary={<code>{visibleText(one.name, 100)}</code>}>
                {() => <WriteForm of={one} address={address} abi={abi} signer={signer} />}
              </Fold>
            ))
          }
        </Growing>
      </div>
    </Card>
  );
}

function WriteForm({
  of,
  address,
  abi,
  signer,
}: {
  readonly of: AbiFunction;
  readonly address: string;
  readonly abi: Abi;
  readonly signer: Signer;
}) {
  const form = useRef<HTMLFormElement>(null);
  const [hash, setHash] = useState("");
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (form.current === null) return;
    setBusy(true);
    try {
      const calldata = encodeValues(abi, of.inputs, formValues(form.current, of.inputs));
      setHash(await sendCalls(signer, [{ to: address, selector: of.selector, calldata }]));
      setProblem("");
    } catch (error) {
      setHash("");
      setProblem(messageOf(error));
    }
    setBusy(false);
  };
  return (
    <form ref={form} class="form" onSubmit={(event: Event) => void send(event)}>
      <InputFields fields={of.inputs} abi={abi} />
      <div class="row">
        <button type="submit" class="primary" disabled={isBusy}>
          {isBusy ? "Sending…" : "Send"}
        </button>
      </div>
      <div role="status">
        {problem === "" ? null : <div class="notice bad">{visibleText(problem)}</div>}
        {hash === "" ? null : (
          <div class="notice good">
            Sent: <Hash felt={hash} to="tx" />
          </div>
        )}
      </div>
    </form>
  );
}
