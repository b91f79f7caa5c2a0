import type { Child } from "hono/jsx";
import { useEffect } from "hono/jsx/dom";
import { visibleText } from "../decode/visible-text.ts";
import { connection, head, lastReorg } from "../state/chain.ts";
import { nodeStatus } from "../state/node-status.ts";
import { theme } from "../state/preferences.ts";
import { hrefOf, route } from "../state/route.ts";
import { useStore } from "../state/store.ts";
import { Badge } from "./basic.tsx";
import { Copy } from "./hash.tsx";
import { Icon, type IconName } from "./icon.tsx";
import { SearchBox } from "./search-box.tsx";
import { Age, TimeZoneSwitch } from "./time.tsx";
import { numberOf, objectOf, textOf } from "../rpc/json.ts";

interface NavigatedView {
  readonly view: string;
  readonly text: string;
  readonly icon: IconName;
}

/** Views of the navigation. */
const CHAIN: readonly NavigatedView[] = [
  { view: "", text: "Overview", icon: "overview" },
  { view: "blocks", text: "Blocks", icon: "blocks" },
  { view: "transactions", text: "Transactions", icon: "transactions" },
  { view: "waiting", text: "Waiting", icon: "waiting" },
  { view: "rejected", text: "Rejected", icon: "rejected" },
  { view: "classes", text: "Classes", icon: "classes" },
];
const TOOLS: readonly NavigatedView[] = [{ view: "labels", text: "Labels", icon: "labels" }];
const DEVNET_TOOLS: readonly NavigatedView[] = [
  ...TOOLS,
  { view: "control", text: "Control panel", icon: "control" },
];

/** Lists that views of one subject belong to. */
const LIST_OF: Readonly<Record<string, string>> = {
  block: "blocks",
  tx: "transactions",
  class: "classes",
};

/** Frame of all views: navigation, search, state of the connection. */
export function Shell({ children }: { readonly children?: Child }) {
  const isDevnet = useStore(nodeStatus)?.["devnet"] === true;
  return (
    <div class="shell">
      <a class="skip" href="#main" onClick={skip}>
        Skip to the content
      </a>
      <Side tools={isDevnet ? DEVNET_TOOLS : TOOLS} />
      <header class="head">
        <SearchBox />
        <div class="state">
          <HeadState />
          <ConnectionState />
          <TimeZoneSwitch />
          <ThemeSwitch />
        </div>
      </header>
      <main class="main" id="main" tabIndex={-1}>
        <Alerts />
        {children}
      </main>
    </div>
  );
}

function skip(event: Event): void {
  event.preventDefault();
  document.querySelector("main")?.focus();
}

function Side({ tools }: { readonly tools: readonly NavigatedView[] }) {
  const { view } = useStore(route);
  const status = useStore(nodeStatus);
  const selected = LIST_OF[view] ?? view;
  useEffect(() => {
    // On a phone the navigation is wider than the screen.
    document.querySelector(".nav [aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [selected]);
  return (
    <div class="side">
      <a class="brand" href={hrefOf("")}>
        <img src="icon.svg" alt="" />
        <span>
          appchain
          <small>explorer</small>
        </span>
      </a>
      <nav class="nav" aria-label="Views">
        <NavGroup name="Chain" views={CHAIN} selected={selected} />
        <NavGroup name="Tools" views={tools} selected={selected} />
      </nav>
      {status === null ? null : (
        <footer>
          <span>
            {visibleText(textOf(status["chain_id"]))}{" "}
            <Copy text={textOf(status["chain_id"])} what="chain id" />
            <br />
            {textOf(status["role"])}, version {textOf(status["version"])}
          </span>
        </footer>
      )}
    </div>
  );
}

function NavGroup({
  name,
  views,
  selected,
}: {
  readonly name: string;
  readonly views: readonly NavigatedView[];
  readonly selected: string;
}) {
  return (
    <>
      <span class="nav-name" aria-hidden="true">
        {name}
      </span>
      {views.map(({ view, text, icon }) => (
        <a key={view} href={hrefOf(view)} aria-current={view === selected ? "page" : undefined}>
          <Icon name={icon} />
          {text}
        </a>
      ))}
    </>
  );
}

function HeadState() {
  const header = useStore(head);
  const number = header === null ? null : numberOf(header["block_number"]);
  if (header === null || number === null) return null;
  return (
    <span class="muted">
      Block <a href={hrefOf("block", String(number))}>{number.toLocaleString("en")}</a>,{" "}
      <Age unixMs={(numberOf(header["timestamp"]) ?? 0) * 1_000} />
    </span>
  );
}

function ConnectionState() {
  const state = useStore(connection);
  const tone = { connecting: "neutral", open: "good", lost: "bad" } as const;
  const text = { connecting: "connecting", open: "live", lost: "connection lost" };
  return (
    <span role="status">
      <Badge tone={tone[state]}>{text[state]}</Badge>
    </span>
  );
}

function ThemeSwitch() {
  const chosen = useStore(theme);
  const next = { system: "dark", dark: "light", light: "system" } as const;
  return (
    <button
      type="button"
      class="quiet"
      title="Colours of the page"
      onClick={() => theme.set(next[chosen])}
    >
      {{ system: "Auto", dark: "Dark", light: "Light" }[chosen]}
    </button>
  );
}

/** What the reader must know on every view: a lost node, a revert, a node that is not ready. */
function Alerts() {
  const state = useStore(connection);
  const reorg = useStore(lastReorg);
  const status = useStore(nodeStatus);
  const ready = objectOf(status?.["ready"]);
  const fork = objectOf(status?.["fork"]);
  return (
    <>
      {state === "lost" ? (
        <div class="notice bad" role="alert">
          The connection to the node is lost. The page shows what it last received, and continues
          when the node is back.
        </div>
      ) : null}
      {reorg === null ? null : (
        <div class="notice warn row" role="alert">
          <span>
            The chain was reverted <Age unixMs={reorg.atUnixMs} />: blocks {reorg.from} to{" "}
            {reorg.to} are gone.
          </span>
          <button type="button" class="quiet" onClick={() => lastReorg.set(null)}>
            Dismiss
          </button>
        </div>
      )}
      {ready["is_ready"] === false ? (
        <div class="notice warn">
          This node is not ready: {visibleText(textOf(ready["reason"]))}.
        </div>
      ) : null}
      {fork["origin"] === undefined ? null : (
        <div class="notice">
          Fork of {visibleText(textOf(fork["origin"]))} at block {numberOf(fork["block_number"])}.
          Blocks up to it are the origin's.
        </div>
      )}
    </>
  );
}
