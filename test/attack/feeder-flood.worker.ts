/** Kinds of floods of a feeder gateway. */
export type FeederFlood = "blocks" | "traces" | "classes" | "misses" | "open blocks";

/** Order for this thread; it floods until it is terminated. */
export interface FeederFloodOrder {
  readonly kind: FeederFlood;
  /** Base address of the gateway. */
  readonly url: string;
  /** Number of blocks of the chain. */
  readonly blocks: number;
  readonly classHash: string;
}

/** Periodic report of this thread: number of responses per status since the last one. */
export type FeederFloodCounts = Readonly<Record<string, number>>;

const AT_ONCE = 64;
const REPORT_MS = 200;

let counts: Record<string, number> = {};

setInterval(() => {
  postMessage(counts satisfies FeederFloodCounts);
  counts = {};
}, REPORT_MS);

/** Path of the request for this turn. */
function question({ kind, blocks, classHash }: FeederFloodOrder, turn: number): string {
  const at = `blockNumber=${turn % blocks}`;
  switch (kind) {
    case "blocks":
      return `get_state_update?${at}&includeBlock=true&includeSignature=true`;
    case "traces":
      return `get_block_traces?${at}`;
    case "classes": {
      const route = turn % 2 === 0 ? "get_class_by_hash" : "get_compiled_class_by_class_hash";
      return `${route}?classHash=${classHash}`;
    }
    case "misses":
      return `get_transaction_receipt?transactionHash=0x${turn.toString(16)}`;
    case "open blocks":
      return "get_preconfirmed_block?blockNumber=latest";
  }
}

async function flood(order: FeederFloodOrder): Promise<void> {
  let turn = 0;
  const one = async (): Promise<never> => {
    for (;;) {
      const asked = fetch(`${order.url}/feeder_gateway/${question(order, turn++)}`);
      const status = await asked.then(
        async (response) => {
          await response.arrayBuffer();
          return String(response.status);
        },
        () => "none",
      );
      counts[status] = (counts[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

declare const self: Worker;
self.onmessage = ({ data }: MessageEvent<FeederFloodOrder>) => void flood(data);
