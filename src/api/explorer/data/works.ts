import {
  createQueryTable,
  type MethodTable,
  type QueryContext,
  type QueryResult,
  simulateOverridden,
} from "#api/rpc/index.ts";
import {
  array,
  type Codec,
  felt,
  integer,
  type JsonValue,
  literal,
  nullable,
  tuple,
} from "#base/codec/index.ts";
import { isDamage } from "#io/storage/index.ts";
import { activityOf } from "./lists/activity.ts";
import { BlockList } from "./lists/blocks.ts";
import { contractPage, declaredPage } from "./lists/classes.ts";
import { transactionPage } from "./lists/transactions.ts";
import { tokenTransferPage } from "./lists/token-transfers.ts";
import { transferPage } from "./lists/transfers.ts";
import { traceAnswer } from "./traces/trace.ts";
import { type ExplorerIndex, NO_PAGE, pageAnswer, rangeOf, withIndex } from "./index-access.ts";

/** Name under which query threads find the table of the explorer's lists. */
export const EXPLORER_TABLE = "explorer";

/** Result of a list whose index is damaged. */
export const DAMAGED = "damaged";

/** The explorer's lists and traces, as they are named in {@link EXPLORER_TABLE}. */
export type ExplorerWork =
  | "blocks"
  | "transactions"
  | "transfers"
  | "contracts"
  | "declared"
  | "activity"
  | "trace"
  | "simulate";

const after = nullable(array(integer()));
const blocks = tuple(integer(), after, integer());
const transactions = tuple(literal("sender", "contract"), felt, after, integer());
const transfers = tuple(nullable(felt), nullable(felt), after, integer());
const contracts = tuple(felt, after, integer());
const declared = tuple(after, integer());
const activity = tuple(integer());
const trace = tuple(felt);

/** Creates the table by which query threads find the explorer's lists. */
export function createExplorerTable(index: ExplorerIndex): MethodTable {
  type Work = (context: QueryContext, params: JsonValue | undefined) => Promise<QueryResult>;
  const blockList = new BlockList();
  const works: Readonly<Record<ExplorerWork, Work>> = {
    async blocks(context, params) {
      const [shown, at, limit] = read(blocks, params);
      const { items, next } = blockList.page(context, at?.[0] ?? null, limit, shown);
      return { items: [...items], next };
    },
    transactions(context, params) {
      const [filter, address, at, limit] = read(transactions, params);
      return pageAnswer(context, index, (covered) =>
        transactionPage(context, covered, filter, address, transactionPlace(at), limit),
      );
    },
    transfers(context, params) {
      const [holder, token, at, limit] = read(transfers, params);
      const place = at === null ? null : { ...firstTwo(at), event: at[2] ?? 0 };
      return pageAnswer(context, index, (covered) => {
        if (holder !== null) return transferPage(context, covered, holder, token, place, limit);
        return token === null ? NO_PAGE : tokenTransferPage(context, covered, token, place, limit);
      });
    },
    contracts(context, params) {
      const [classHash, at, limit] = read(contracts, params);
      const place = at === null ? null : { block: at[0] ?? 0, order: at[1] ?? 0 };
      return pageAnswer(context, index, (covered) =>
        contractPage(covered, classHash, place, limit),
      );
    },
    declared(context, params) {
      const [at, limit] = read(declared, params);
      const place = at === null ? null : { ...firstTwo(at), classId: at[2] ?? 0 };
      return pageAnswer(context, index, (covered) => declaredPage(context, covered, place, limit));
    },
    activity(context, params) {
      const [nowS] = read(activity, params);
      return withIndex(context, index, (covered) => ({
        minutes: activityOf(context, covered, nowS),
        indexed: rangeOf(covered),
      }));
    },
    async trace(context, params) {
      const [hash] = read(trace, params);
      return traceAnswer(context, hash);
    },
    async simulate(context, params) {
      return simulateOverridden(context, params);
    },
  };
  return createQueryTable(
    EXPLORER_TABLE,
    Object.fromEntries(Object.entries(works).map(([name, work]) => [name, guarded(work)])),
  );

  /** Reports damage of the index to the main thread, which lets it be built again. */
  function guarded(work: Work): Work {
    return async (context, params) => {
      try {
        return await work(context, params);
      } catch (error) {
        if (!isDamage(error)) throw error;
        return DAMAGED;
      }
    };
  }
}

function transactionPlace(at: readonly number[] | null) {
  return at === null ? null : firstTwo(at);
}

function firstTwo([block = 0, index = 0]: readonly number[]) {
  return { block, index };
}

function read<T>(codec: Codec<T>, params: JsonValue | undefined): T {
  return codec.decode(params, "");
}
