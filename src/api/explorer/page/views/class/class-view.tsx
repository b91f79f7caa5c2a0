import type { Abi } from "../../abi/abi.ts";
import { readAbi } from "../../abi/abi.ts";
import { feltText } from "../../abi/felt.ts";
import { Card, Fact, Facts, Show } from "../../parts/basic.tsx";
import { Hash } from "../../parts/hash.tsx";
import { IndexList } from "../../parts/index-list.tsx";
import { Raw } from "../../parts/raw.tsx";
import { Table } from "../../parts/table.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { visibleText } from "../../decode/visible-text.ts";
import { type JsonObject, listOf, numberOf, objectOf, textOf } from "../../rpc/json.ts";
import { PageError } from "../../rpc/page-error.ts";
import { rpc } from "../../state/chain.ts";
import { loadClass } from "../../state/classes.ts";
import { useLoad } from "../../state/load.ts";
import { hrefOf } from "../../state/route.ts";
import { Growing } from "../../parts/growing.tsx";
import { AbiTable } from "./abi-table.tsx";

/** A class: its ABI, entry points and sizes. */
export function ClassView({
  classHash,
  tab,
}: {
  readonly classHash: string;
  readonly tab: string;
}) {
  const loaded = useLoad(`class ${classHash}`, () => load(classHash));
  return (
    <>
      <div class="title">
        <h1>Class</h1>
        <span class="sub">
          <Hash felt={classHash} isWhole />
        </span>
      </div>
      <Show loaded={loaded} what="class">
        {(one) => <Content classHash={classHash} of={one} tab={tab} />}
      </Show>
    </>
  );
}

interface LoadedClass {
  readonly document: JsonObject;
  readonly abi: Abi;
  /** Number of felts of the CASM; `null` for a Cairo 0 class. */
  readonly casmFelts: number | null;
}

async function load(classHash: string): Promise<LoadedClass> {
  const [document, casm] = await Promise.all([
    loadClass(classHash),
    rpc.batch([{ method: "starknet_getCompiledCasm", params: { class_hash: classHash } }]),
  ]);
  const [compiled] = casm;
  const casmFelts =
    compiled instanceof PageError || compiled === undefined
      ? null
      : listOf(objectOf(compiled)["bytecode"]).length;
  return { document, abi: readAbi(document["abi"]), casmFelts };
}

function Content({
  classHash,
  of,
  tab,
}: {
  readonly classHash: string;
  readonly of: LoadedClass;
  readonly tab: string;
}) {
  const { document, abi, casmFelts } = of;
  const sierra = listOf(document["sierra_program"]).length;
  const names = { abi: "ABI", contracts: "Contracts", entries: "Entry points", raw: "Raw ABI" };
  return (
    <>
      <Card>
        <Facts>
          <Fact name="Language">
            {sierra === 0
              ? "Cairo 0"
              : `Cairo 1, contract class version ${textOf(document["contract_class_version"])}`}
          </Fact>
          {sierra === 0 ? null : <Fact name="Sierra">{sierra.toLocaleString("en")} felts</Fact>}
          {casmFelts === null ? null : (
            <Fact name="CASM">{casmFelts.toLocaleString("en")} felts</Fact>
          )}
          <Fact name="ABI">
            {abi.functions.length} functions, {abi.events.length} events
          </Fact>
        </Facts>
        {abi.problems.map((problem) => (
          <p key={problem} class="loading">
            {visibleText(problem)}
          </p>
        ))}
      </Card>
      <Tabs names={names} selected={tab} />
      <TabContent classHash={classHash} of={of} tab={tab} />
    </>
  );
}

function TabContent({
  classHash,
  of: { document, abi },
  tab,
}: {
  readonly classHash: string;
  readonly of: LoadedClass;
  readonly tab: string;
}) {
  switch (tab) {
    case "contracts":
      return (
        <IndexList path="contracts" query={{ class: classHash }} what="contracts">
          {(items) => <Contracts items={items.map((item) => objectOf(item))} />}
        </IndexList>
      );
    case "entries":
      return <EntryPoints document={document} abi={abi} />;
    case "raw":
      return <Raw text={rawAbi(document["abi"])} />;
    default:
      return <AbiTable abi={abi} />;
  }
}

function Contracts({ items }: { readonly items: readonly JsonObject[] }) {
  return (
    <div class="scroll">
      <Table heads={["Contract", "How", { num: "Block" }]}>
        {items.map((item) => (
          <tr key={textOf(item["address"])}>
            <td>
              <Hash felt={textOf(item["address"])} to="contract" />
            </td>
            <td>{textOf(item["how"])}</td>
            <td class="num">
              <a href={hrefOf("block", String(numberOf(item["block_number"])))}>
                {numberOf(item["block_number"])}
              </a>
            </td>
          </tr>
        ))}
      </Table>
    </div>
  );
}

function EntryPoints({ document, abi }: { readonly document: JsonObject; readonly abi: Abi }) {
  const names = new Map(abi.functions.map(({ selector, name }) => [selector, name]));
  const entries = Object.entries(objectOf(document["entry_points_by_type"])).flatMap(
    ([kind, list]) =>
      listOf(list).map((entry) => ({
        kind: kind.toLowerCase().replace("_", " "),
        selector: feltText(objectOf(entry)["selector"]),
      })),
  );
  return (
    <Card>
      <Growing of={entries} what="entry points">
        {(shown) => (
          <div class="scroll">
            <Table heads={["Kind", "Function", "Selector"]}>
              {shown.map(({ kind, selector }) => (
                <tr key={`${kind} ${selector}`}>
                  <td>{kind}</td>
                  <td class="mono">{visibleText(names.get(selector) ?? "", 100)}</td>
                  <td>
                    <Hash felt={selector} />
                  </td>
                </tr>
              ))}
            </Table>
          </div>
        )}
      </Growing>
    </Card>
  );
}

function rawAbi(abi: JsonObject[string] | undefined): string {
  if (typeof abi !== "string") return JSON.stringify(abi ?? [], null, 2);
  try {
    return JSON.stringify(JSON.parse(abi), null, 2);
  } catch {
    return abi;
  }
}
