import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { hexFromFelt } from "#base/primitives/index.ts";
import { decodeBundle } from "#protocol/chain/index.ts";
import { blockKey, decodeLeader } from "#services/replication/index.ts";
import {
  type AccountEntry,
  BINARY,
  freePort,
  rawCall,
  resultOf,
  type RunningNode,
  startNode,
  TEST_ENVIRONMENT,
} from "#test/helpers/binary.ts";
import { metricOf, untilSo } from "#test/helpers/follower-state.ts";
import { signedTransfer } from "#test/helpers/load.ts";
import {
  type LocalStoreServer,
  startStoreServer,
  STORE_ENVIRONMENT,
} from "#test/helpers/store-server.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { WsClient } from "#test/helpers/ws-client.ts";

/** Place of a sequencer in the fleet; its folder and gateway port outlive its processes. */
interface Seat {
  readonly name: string;
  readonly gatewayPort: number;
  node: RunningNode;
}

/** Submissions of unknown accounts during a takeover. */
const STRANGERS = 100;

const folder = temporaryFolder();
const keyFile = folder.file("signing.key");
const accountsFile = folder.file("accounts.json");
const seats: Seat[] = [];
let store: LocalStoreServer;
let nonce = 0;

/** Arguments of a sequencer of the chain. */
const argsOf = (gatewayPort: number, more: readonly string[]): readonly string[] => [
  ...["--publish-gate", store.storeUrl(), "--private-key-file", keyFile],
  ...["--gateway-port", String(gatewayPort), "--takeover-after", "2000", ...more],
];

const start = (name: string, gatewayPort: number, more: readonly string[]): Promise<RunningNode> =>
  startNode({
    basePath: folder.file(name),
    command: ["sequencer", "--preset", "devnet"],
    args: argsOf(gatewayPort, more),
    env: STORE_ENVIRONMENT,
  });

async function addSeat(name: string, more: readonly string[]): Promise<Seat> {
  const gatewayPort = await freePort();
  const seat = { name, gatewayPort, node: await start(name, gatewayPort, more) };
  seats.push(seat);
  return seat;
}

/** Sends a transaction of an account that does not exist. */
function strangeInvoke({ node }: Seat, address: bigint): ReturnType<typeof rawCall> {
  const transfer = signedTransfer("APPCHAIN_DEVNET", { address, privateKey: 1n }, 0n, 0xabcn);
  const { method, params } = JSON.parse(transfer.body) as { method: string; params: unknown };
  return rawCall(node.url, method, params);
}

/** The leader record in the store. */
const record = () => decodeLeader(store.bucket.get("test/leader") ?? new Uint8Array());

const leads = async ({ gatewayPort }: Seat): Promise<boolean> =>
  (await fetch(`http://127.0.0.1:${gatewayPort}/leader`).catch(() => undefined))?.status === 200;

/** Waits until one of two sequencers leads in an epoch. @returns the leader and the other one */
async function untilOneLeads(
  epoch: number,
  pair: readonly [Seat, Seat],
): Promise<readonly [leader: Seat, other: Seat]> {
  const [first, second] = pair;
  await untilSo(`leads in epoch ${epoch}`, first.node, () => record().epoch === epoch);
  const isFirst = record().gatewayUrl?.endsWith(`:${first.gatewayPort}`) === true;
  const [leader, other] = isFirst ? [first, second] : [second, first];
  await untilSo("leads", leader.node, () => leads(leader));
  // Both may have started with the same empty block.
  await untilSo("follows", other.node, async () => !(await leads(other)));
  return [leader, other];
}

/** Sends a transfer. @returns its hash once it is received */
async function send({ node }: Seat): Promise<string> {
  const written = JSON.parse(readFileSync(accountsFile, "utf8")) as { accounts: AccountEntry[] };
  const { address, private_key: key } = written.accounts[0] as AccountEntry;
  const signer = { address: BigInt(address), privateKey: BigInt(key) };
  const transfer = signedTransfer("APPCHAIN_DEVNET", signer, BigInt(nonce++), 0xabcn);
  const { method, params } = JSON.parse(transfer.body) as { method: string; params: unknown };
  const { error } = await rawCall(node.url, method, params);
  expect(error).toBeUndefined();
  return hexFromFelt(transfer.hash);
}

const untilAccepted = (hash: string, { node }: Seat): Promise<void> =>
  untilSo(`${hash} accepted`, node, async () => {
    const { result } = await rawCall(node.url, "starknet_getTransactionReceipt", [hash]);
    const receipt = result as { finality_status?: string } | undefined;
    return receipt?.finality_status === "ACCEPTED_ON_L2";
  });

const newestOf = ({ node }: Seat) => resultOf<number>(node, "starknet_blockNumber");

/** Waits until a standby holds this many submissions. */
const untilHeld = ({ node }: Seat, count: number): Promise<void> =>
  untilSo(`holds ${count}`, node, async () => {
    return ((await metricOf(node, "appchain_held_submissions"))[""] ?? 0) >= count;
  });

/** Subscribes to new blocks; the newest one has been notified on return. */
async function listen({ node }: Seat): Promise<WsClient> {
  const client = await WsClient.open(node.url.replace("http", "ws"));
  await client.ask("starknet_subscribeNewHeads");
  await client.take(({ method }) => method === "starknet_subscriptionNewHeads");
  return client;
}

/** Block number of a new-heads notification. */
const headOf = (params: unknown): number =>
  (params as { readonly result: { readonly block_number: number } }).result.block_number;

/** Epochs of the published blocks by number, without gaps. */
function epochs(): readonly number[] {
  const count = store.bucket.keys("test/blocks/").length;
  return Array.from({ length: count }, (_, number) => {
    const bytes = store.bucket.get(`test/${blockKey(number)}`);
    return decodeBundle(bytes ?? new Uint8Array()).epoch;
  });
}

beforeAll(async () => {
  store = await startStoreServer();
  writeFileSync(keyFile, "0x1234567890abcdef\n", { mode: 0o600 });
  await addSeat("a", ["--config-out", accountsFile]);
}, 60_000);

afterAll(async () => {
  await Promise.all(seats.map(({ node }) => node.stop("SIGKILL")));
  await store[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

test("one of three sequencers leads, through a kill and a pause, without losing or repeating a block", async () => {
  const a = seats[0] as Seat;
  const [b, c] = await Promise.all([addSeat("b", ["--standby"]), addSeat("c", ["--standby"])]);
  await untilSo("leads", a.node, () => leads(a));
  expect(await Promise.all([leads(b), leads(c)])).toEqual([false, false]);

  // Another sequencer that wants to lead is rejected and leaves nothing.
  const second = Bun.spawn(
    [BINARY, "sequencer", "--preset", "devnet", "--base-path", folder.file("second")].concat(
      argsOf(0, ["--rpc-port", "0", "--metrics-port", "0"]),
    ),
    { env: { ...TEST_ENVIRONMENT, ...STORE_ENVIRONMENT }, stdout: "ignore", stderr: "pipe" },
  );
  const said = await new Response(second.stderr).text();
  expect([await second.exited, said]).toEqual([
    4,
    expect.stringContaining(`gateway http://127.0.0.1:${a.gatewayPort}`),
  ]);

  // A standby forwards submissions to the leader and receives the block.
  const sent = [await send(b), await send(a)];
  for (const hash of sent) {
    await untilAccepted(hash, b);
    await untilAccepted(hash, c);
  }
  expect(await metricOf(b.node, "appchain_leader")).toEqual({ "": 0 });
  expect(await metricOf(b.node, "appchain_epoch")).toEqual({ "": 1 });

  const listeners = await Promise.all([b, c].map(listen));
  const heard = await newestOf(c);

  // As after a copy of the store by another tool: no object has an ETag.
  store.loseEtags();
  // Killed with a transaction that only it has: it must submit it again after its restart.
  // include it.
  await store.setFaults({ rules: [{ methods: ["PUT"], keys: "blocks/", beforeMs: 600_000 }] });
  const recovered = await send(a);
  await a.node.stop("SIGKILL");
  await store.setFaults({});
  // Meanwhile the standbys hold submissions, also of unknown accounts, and serve reads.
  const strangers = Array.from({ length: STRANGERS }, (_, i) =>
    strangeInvoke(b, 0x5000n + BigInt(i)),
  );
  const held = [send(b), send(c)];
  await untilHeld(b, 2);
  expect(await newestOf(b)).toBeGreaterThan(0);
  const [leader, follower] = await untilOneLeads(2, [b, c]);
  expect(epochs().at(-1)).toBe(2);
  expect(await metricOf(leader.node, "appchain_epoch")).toEqual({ "": 2 });
  store.loseEtags();
  a.node = await start("a", a.gatewayPort, ["--standby"]);
  for (const hash of [recovered, ...(await Promise.all(held))]) await untilAccepted(hash, follower);
  await untilAccepted(recovered, a);
  // A sequencer decided all of them; none timed out.
  for (const { error } of await Promise.all(strangers)) {
    expect([error?.code, String(error?.data)]).toEqual([
      expect.any(Number),
      expect.not.stringContaining("no sequencer"),
    ]);
  }
  expect(await metricOf(b.node, "appchain_held_submissions")).toEqual({ "": 0 });
  // Subscribers of a standby get each block once, from any producer.
  const newest = await newestOf(follower);
  for (const listener of listeners) {
    await listener.take(({ params }) => headOf(params) === newest);
    const before = listener.received.map(({ params }) => headOf(params));
    const missed = Array.from({ length: newest - heard - 1 }, (_, i) => heard + 1 + i);
    expect(before).toEqual(missed);
    listener.close();
  }

  // Paused longer than a takeover takes: on continuing it publishes nothing and exits.
  process.kill(leader.node.pid, "SIGSTOP");
  const [next, other] = await untilOneLeads(3, [a, follower]);
  process.kill(leader.node.pid, "SIGCONT");
  expect(await leader.node.exited).toBe(4);
  expect(leader.node.output()).toContain(`gateway=http://127.0.0.1:${next.gatewayPort}`);
  const last = await send(other);
  await untilAccepted(last, next);
  await untilAccepted(last, other);

  const made = epochs();
  expect(made.toSorted((x, y) => x - y)).toEqual([...made]);
  expect(new Set(made)).toEqual(new Set([0, 1, 2, 3]));
  expect(await newestOf(next)).toBe(made.length - 1);
  const writes = [...(await store.writes())].filter(([key]) => key.startsWith("test/blocks/"));
  expect(writes.map(([, count]) => count)).toEqual(made.map(() => 1));
  expect(record()).toMatchObject({ epoch: 3, hasStopped: false });

  // A standby that is stopped responds to the submissions that it holds.
  await next.node.stop("SIGKILL");
  const refused = strangeInvoke(other, 0x6000n);
  await untilHeld(other, 1);
  expect(await other.node.stop()).toBe(0);
  expect(JSON.stringify((await refused).error)).toContain("the node is stopping");
}, 120_000);
