import { rawPost, rpcBody } from "#test/helpers/raw-http.ts";
import { residentMiB, type Served } from "./children.ts";
import { Client, holds } from "./client.ts";
import type { Probe } from "./probe.ts";
import { TIGHT, USUAL } from "./settings.ts";

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`;
const CALL = rpcBody(1, "blockNumber");
const HONEST = "127.0.0.2";
const MIB = 1 << 20;

/** Response time of an honest client, in milliseconds. */
async function waitOf(server: Served, bytes: string, timeoutMs: number): Promise<number> {
  const startedMs = performance.now();
  const client = await Client.open(server, HONEST);
  client.send(bytes);
  await holds(() => client.statuses.length > 0, timeoutMs);
  client.close();
  return client.statuses[0] === "200" ? performance.now() - startedMs : Number.NaN;
}

const waited = (ms: number): string =>
  Number.isNaN(ms)
    ? "is not answered"
    : `is answered in ${ms < 1_000 ? "under 1" : (ms / 1_000).toFixed(0)} s`;

async function openAll(server: Served, count: number): Promise<readonly Client[]> {
  return Promise.all(Array.from({ length: count }, () => Client.open(server)));
}

/** Growth of a server's memory during an action. */
async function growth(server: Served, act: () => Promise<void>): Promise<string> {
  const before = residentMiB(server.pid);
  await act();
  const mib = residentMiB(server.pid) - before;
  return `${Math.max(0, mib).toFixed(0)} MiB`;
}

/** Floods by many clients, and their effect on others. */
export const FLOOD_PROBES: readonly Probe[] = [
  {
    what: "400 uploads that stop after 1 MiB each: memory; an honest upload of 5 MiB beside them",
    settings: USUAL,
    async run(server) {
      const clients = await openAll(server, 400);
      const head = `POST / HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: ${15 * MIB}\r\n\r\n`;
      const memory = await growth(server, async () => {
        for (const client of clients) client.send(head).send(Buffer.alloc(MIB, " "));
        await Bun.sleep(3_000);
      });
      const upload = rawPost(`${CALL.slice(0, -1)}${" ".repeat(5 * MIB)}}`);
      const ms = await waitOf(server, upload, 20_000);
      for (const client of clients) client.close();
      return `${memory}; ${waited(ms)}`;
    },
  },
  {
    what: "100 clients that do not read answers of 8 MiB: memory; those that are dropped",
    settings: USUAL,
    async run(server) {
      const clients = await openAll(server, 100);
      const memory = await growth(server, async () => {
        for (const client of clients) {
          client.send(get("/big"));
          client.pause();
        }
        await Bun.sleep(3_000);
      });
      for (const client of clients) client.resume();
      await holds(
        () => clients.every(({ isEnded, received }) => isEnded || received > 8 * MIB),
        5_000,
      );
      const dropped = clients.filter(({ received }) => received < 8 * MIB).length;
      for (const client of clients) client.close();
      return `${memory}; ${dropped === 0 ? "none" : dropped}`;
    },
  },
  {
    what: "100 000 requests at once over one connection, none of whose answers is read: memory",
    settings: USUAL,
    async run(server) {
      const client = await Client.open(server);
      client.pause();
      const memory = await growth(server, async () => {
        client.send(Buffer.from(get("/health").repeat(100_000)));
        await Bun.sleep(3_000);
      });
      client.close();
      return memory;
    },
  },
  {
    what: "30 connections of an address that may have 24",
    settings: TIGHT,
    async run(server) {
      const clients = await openAll(server, 30);
      for (const client of clients) client.send(get("/health"));
      await holds(
        () => clients.every(({ isEnded, statuses }) => isEnded || statuses.length > 0),
        1_000,
      );
      const counts = new Map<string, number>();
      for (const { statuses } of clients) {
        const status = statuses[0] ?? "no answer";
        counts.set(status, (counts.get(status) ?? 0) + 1);
      }
      for (const client of clients) client.close();
      return [...counts].map(([status, count]) => `${count} times ${status}`).join(", ");
    },
  },
  {
    what: "64 connections with a request in hand, where 32 may be open",
    settings: { ...TIGHT, connections: { max: 32, maxPerAddress: 32 } },
    async run(server) {
      const clients = await openAll(server, 64);
      for (const client of clients) client.send(get("/never"));
      await Bun.sleep(1_000);
      const taken = clients.filter(({ isEnded, statuses }) => !isEnded && statuses.length === 0);
      for (const client of clients) client.close();
      return `${taken.length} are taken`;
    },
  },
  {
    what: "a client behind so many silent ones as may connect (32)",
    settings: { ...TIGHT, connections: { max: 32, maxPerAddress: 32 } },
    async run(server) {
      const clients = await openAll(server, 32);
      await Bun.sleep(500);
      const ms = await waitOf(server, get("/health"), 1_000);
      for (const client of clients) client.close();
      return waited(ms);
    },
  },
];
