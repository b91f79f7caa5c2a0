import type { Child } from "hono/jsx";
import { Empty } from "./parts/basic.tsx";
import { Shell } from "./parts/shell.tsx";
import { route, type Route } from "./state/route.ts";
import { useStore } from "./state/store.ts";
import { BlockView } from "./views/block/block-view.tsx";
import { BlocksView } from "./views/blocks-view.tsx";
import { ClassView } from "./views/class/class-view.tsx";
import { ClassesView } from "./views/class/classes-view.tsx";
import { ContractView } from "./views/contract/contract-view.tsx";
import { ControlView } from "./views/control/control-view.tsx";
import { L1View } from "./views/l1-view.tsx";
import { LabelsView } from "./views/labels-view.tsx";
import { OverviewView } from "./views/overview/overview-view.tsx";
import { RejectedView } from "./views/rejected-view.tsx";
import { SearchView } from "./views/search-view.tsx";
import { TransactionView } from "./views/transaction/transaction-view.tsx";
import { TransactionsView } from "./views/transactions-view.tsx";
import { WaitingView } from "./views/waiting-view.tsx";

/** The page: the frame, and the view that the address names. */
export function App() {
  const current = useStore(route);
  return <Shell>{viewOf(current)}</Shell>;
}

function viewOf({ view, id, query }: Route): Child {
  const tab = query.get("tab");
  switch (view) {
    case "":
      return <OverviewView />;
    case "blocks":
      return <BlocksView before={query.get("before")} />;
    case "block":
      return <BlockView key={id} id={id} tab={tab ?? "transactions"} />;
    case "transactions":
      return <TransactionsView />;
    case "tx":
      return <TransactionView key={id} hash={id} tab={tab ?? "summary"} />;
    case "contract":
      return <ContractView key={id} address={id} tab={tab ?? "transactions"} />;
    case "class":
      return <ClassView key={id} classHash={id} tab={tab ?? "abi"} />;
    case "classes":
      return <ClassesView />;
    case "waiting":
      return <WaitingView />;
    case "rejected":
      return <RejectedView />;
    case "labels":
      return <LabelsView />;
    case "search":
      return <SearchView key={id} text={id} />;
    case "l1":
      return <L1View key={id} hash={id} />;
    case "control":
      return <ControlView />;
    default:
      return <Empty>There is no page at this address. Use the navigation or the search.</Empty>;
  }
}
