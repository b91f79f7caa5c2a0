import { EARLY_REQUESTS, type Framing, requestWithBody } from "#test/helpers/early-answers.ts";
import { RawConnection } from "#test/helpers/raw-http.ts";

/** As many as a node takes by default. */
const CONNECTIONS = 1_000;

/** What is sent on each connection. */
export interface Round {
  readonly bodyBytes: number;
  readonly framing: Framing;
  /** Whether the whole body is sent, or all but its end. */
  readonly isWhole: boolean;
  /** Whether the clients leave at once. */
  readonly areGone: boolean;
}

/** What this thread is told to do; it answers once it is done. */
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
