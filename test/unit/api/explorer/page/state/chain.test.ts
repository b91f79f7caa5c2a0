import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  connection,
  followChain,
  head,
  lastReorg,
  revision,
} from "#api/explorer/page/state/chain.ts";

/** WebSocket whose server is the test. */
class FakeSocket {
  static readonly opened: FakeSocket[] = [];
  readonly url: string;
  readonly sent: string[] = [];
  onopen: () => void = () => undefined;
  onmessage: (event: { readonly data: string }) => void = () => undefined;
  onclose: () => void = () => undefined;

  constructor(url: string) {
    this.url = url;
    FakeSocket.opened.push(this);
  }

  send(text: string): void {
    this.sent.push(text);
  }

  close(): void {
    this.onclose();
  }

  /** Sends a notification of the node. */
  notify(method: string, result: unknown): void {
    const params = { subscription_id: "1", result };
    this.onmessage({ data: JSON.stringify({ jsonrpc: "2.0", method, params }) });
  }
}

const original = globalThis.WebSocket;

beforeEach(() => {
  FakeSocket.opened.length = 0;
  globalThis.WebSocket = FakeSocket as unknown as typeof WebSocket;
});
afterEach(() => {
  globalThis.WebSocket = original;
});

/** Socket of a page that follows the chain. */
function followed(): FakeSocket {
  followChain();
  const [socket] = FakeSocket.opened;
  if (socket === undefined) throw new TypeError("the page did not connect");
  socket.onopen();
  return socket;
}

test("subscribes to new blocks over the node's WebSocket", () => {
  const { url, sent } = followed();
  expect(url).toBe("ws://localhost/rpc/v0_10");
  expect(sent.map((text) => JSON.parse(text) as unknown)).toEqual([
    { jsonrpc: "2.0", id: 1, method: "starknet_subscribeNewHeads", params: {} },
  ]);
  expect(connection.value).toBe("open");
});

test("new blocks are the head immediately, and let live views load again once a moment later", async () => {
  const socket = followed();
  const before = revision.value;
  socket.notify("starknet_subscriptionNewHeads", { block_number: 6 });
  socket.notify("starknet_subscriptionNewHeads", { block_number: 7 });
  expect([head.value, revision.value]).toEqual([{ block_number: 7 }, before]);
  while (revision.value === before) await Bun.sleep(10);
  await Bun.sleep(300);
  expect(revision.value).toBe(before + 1);
});

test("a reorg is kept with its range, and lets live views load again", () => {
  const socket = followed();
  const before = revision.value;
  socket.notify("starknet_subscriptionReorg", {
    starting_block_number: 5,
    ending_block_number: 6,
  });
  expect(lastReorg.value).toMatchObject({ from: 5, to: 6 });
  expect(revision.value).toBe(before + 1);
});

test("connects again after the connection was lost, and lets live views load again", async () => {
  const socket = followed();
  socket.close();
  expect(connection.value).toBe("lost");
  while (FakeSocket.opened.length < 2) await Bun.sleep(10);
  const before = revision.value;
  FakeSocket.opened[1]?.onopen();
  expect(connection.value).toBe("open");
  expect(revision.value).toBe(before + 1);
});
