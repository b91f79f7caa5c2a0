import { EARLY_REQUESTS, type Framing, requestWithBody } from "#test/helpers/early-answers.ts";
import { RawConnection } from "#test/helpers/raw-http.ts";

/** Default connection limit of a node. */
const CONNECTIONS = 1_000;

/** Traffic of each connection. */
export interface Round {
  readonly bodyBytes: number;
  readonly framing: Framing;
  /** Whether the whole body is sent, or all but its last part. */
  readonly isWhole: boolean;
  /** Whether clients disconnect immediately. */
  readonly areGone: boolean;
}

/** Order for this thread; it responds when done. */
export interface RoundOrder {
  readonly port: number;
  readonly round: Round;
}

async function attack({ port, round }: RoundOrder): Promise<void> {
  const { bodyBytes, framing, isWhole, areGone } = round;
  const connections: RawConnection[] = [];
  for (let i = 0; i < CONNECTIONS; i++) {
    const { head = "" } = EARLY_REQUESTS[i % EARLY_REQUESTS.length] ?? {};
    const bytes = requestWithBody(head, bodyBytes, framing);
    const connection = await RawConnection.open(port);
    connection.send(isWhole ? bytes : bytes.slice(0, -bodyBytes / 2));
    connections.push(connection);
  }
  if (!areGone) await Bun.sleep(1_000);
  for (const connection of connections) connection.close();
}

declare const self: Worker;
self.onmessage = async ({ data }: MessageEvent<RoundOrder>) => {
  await attack(data);
  self.postMessage("done");
};
