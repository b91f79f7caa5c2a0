import { useRef } from "hono/jsx/dom";
import { Badge, Card, Fact, Facts, Show } from "../../parts/basic.tsx";
import { Hash } from "../../parts/hash.tsx";
import { IndexList } from "../../parts/index-list.tsx";
import { rowOfIndex, TransactionTable } from "../../parts/transaction-table.tsx";
import { IndexTransfers } from "../../parts/index-transfers.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import type { Abi } from "../../abi/abi.ts";
import { textOf } from "../../rpc/json.ts";
import { PageError } from "../../rpc/page-error.ts";
import { rpc } from "../../state/chain.ts";
import { abiOfClass } from "../../state/classes.ts";
import { tokenInfo } from "../../state/tokens.ts";
import { labelOf, labels, setLabel } from "../../state/labels.ts";
import { useLoad } from "../../state/load.ts";
import { visibleText } from "../../decode/visible-text.ts";
import { useStore } from "../../state/store.ts";
import { Balances } from "./balances.tsx";
import { ContractEvents } from "./contract-events.tsx";
import { FunctionForms } from "./function-forms.tsx";
import { StorageForm } from "./storage-form.tsx";
import { WriteForms } from "./write-forms.tsx";

/** A contract or account. */
export function ContractView({ address, tab }: { readonly address: string; readonly tab: string }) {
  const known = useRef<Contract | null>(null);
  const reload = async (): Promise<Contract | null> => {
    const contract = await load(address);
    const { classHash, nonce } = known.current ?? {};
    // A large ABI is not drawn again with each block.
    if (contract?.classHash !== classHash || contract?.nonce !== nonce) known.current = contract;
    return known.current;
  };
  const loaded = useLoad(`contract ${address}`, reload, { isLive: true });
  return (
    <Show loaded={loaded} what="contract">
      {(contract) => <Content address={address} contract={contract} tab={tab} />}
    </Show>
  );
}

interface Contract {
  readonly classHash: string;
  readonly nonce: string;
  readonly abi: Abi;
}

async function load(address: string): Promise<Contract | null> {
  const params = { block_id: "pre_confirmed", contract_address: address };
  const [classHash, nonce] = await rpc.batch([
    { method: "starknet_getClassHashAt", params },
    { method: "starknet_getNonce", params },
  ]);
  if (classHash instanceof PageError) {
    // 20: no contract at this address.
    if (classHash.code === 20) return null;
    throw classHash;
  }
  const hash = textOf(classHash);
  return {
    classHash: hash,
    nonce: nonce instanceof PageError ? "0x0" : textOf(nonce),
    abi: await abiOfClass(hash),
  };
}

function Content({
  address,
  contract,
  tab,
}: {
  readonly address: string;
  readonly contract: Contract | null;
  readonly tab: string;
}) {
  const token = useLoad(`token ${address} ${contract?.classHash}`, () =>
    contract === null ? Promise.resolve(null) : tokenInfo(address),
  );
  const info = token.state === "ready" && token.value?.isToken ? token.value : null;
  const names = {
    transactions: "Transactions",
    transfers: info === null ? "Transfers" : "Transfers from and to it",
    // Its address may be opened before the contract has said that it is a token.
    ...(info === null && tab !== "token" ? {} : { token: "Transfers of this token" }),
    ...(contract === null
      ? {}
      : { events: "Events", read: "Read", write: "Write", storage: "Storage" }),
  };
  const isAccount = contract?.abi.functions.some(({ name }) => name === "__execute__") === true;
  return (
    <>
      <div class="title">
        <h1>{isAccount ? "Account" : "Contract"}</h1>
        {contract === null ? <Badge tone="warn">not deployed</Badge> : null}
        <LabelButton felt={address} />
        <span class="sub">
          <Hash felt={address} isWhole />
        </span>
      </div>
      <Card>
        <Facts>
          {contract === null ? null : (
            <>
              <Fact name="Class">
                <Hash felt={contract.classHash} to="class" isWhole />
              </Fact>
              <Fact name="Nonce">{BigInt(contract.nonce || "0x0").toString()}</Fact>
            </>
          )}
          {info === null ? null : (
            <Fact name="Token">
              {visibleText(info.symbol) || "without symbol"}
              {info.isNft ? ", ERC-721" : `, ${info.decimals} decimals`}
            </Fact>
          )}
          <Balances address={address} />
        </Facts>
      </Card>
      <Tabs names={names} selected={tab} />
      <TabContent address={address} contract={contract} tab={tab} />
    </>
  );
}

function TabContent({
  address,
  contract,
  tab,
}: {
  readonly address: string;
  readonly contract: Contract | null;
  readonly tab: string;
}) {
  switch (tab) {
    case "transfers":
      return <IndexTransfers of={{ holder: address }} />;
    case "token":
      return <IndexTransfers of={{ token: address }} />;
    case "events":
      return <ContractEvents address={address} abi={contract?.abi} />;
    case "read":
      return contract === null ? null : <FunctionForms address={address} abi={contract.abi} />;
    case "write":
      return contract === null ? null : <WriteForms address={address} abi={contract.abi} />;
    case "storage":
      return <StorageForm address={address} />;
    default:
      return (
        <IndexList path="transactions" query={{ contract: address }} what="transactions">
          {(items) => <TransactionTable rows={items.map((item) => rowOfIndex(item))} />}
        </IndexList>
      );
  }
}

function LabelButton({ felt }: { readonly felt: string }) {
  const label = labelOf(felt, useStore(labels));
  const rename = (): void => {
    const name = globalThis.prompt("Label of this address (stays in this browser)", label ?? "");
    if (name !== null) setLabel(felt, name);
  };
  return (
    <button type="button" onClick={rename}>
      {label === undefined ? "Add a label" : `Label: ${visibleText(label)}`}
    </button>
  );
}
