import { Client, holds } from "./client.ts";
import type { Probe } from "./probe.ts";
import { TIGHT } from "./settings.ts";

const PATIENCE_MS = 6_000;

const said = (client: Client): string =>
  client.isEnded
    ? `${client.statuses[0] ?? "no answer"}, closed after ${client.openSeconds.toFixed(1)} s`
    : `open after ${client.openSeconds.toFixed(0)} s`;

/** Sends a byte occasionally, and reports the reaction. */
function trickle(what: string, head: string): Probe {
  return {
    what,
    settings: TIGHT,
    async run(server) {
      const client = await Client.open(server);
      client.send(head);
      for (let ms = 0; ms < PATIENCE_MS && !client.isEnded; ms += 100) {
        client.send("a");
        await Bun.sleep(100);
      }
      client.close();
      return said(client);
    },
  };
}

/** Probes of the timeouts of {@link TIGHT}. */
export const TIME_PROBES: readonly Probe[] = [
  trickle("a head by drops (1 s is enough)", "GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\na: "),
  trickle(
    "a body by drops (2 s are enough)",
    "POST / HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 10000\r\n\r\n",
  ),
  {
    what: "a client that says nothing (2 s)",
    settings: TIGHT,
    async run(server) {
      const client = await Client.open(server);
      await holds(() => client.isEnded, PATIENCE_MS);
      client.close();
      return said(client);
    },
  },
  {
    what: "an answer that never comes (3 s)",
    settings: TIGHT,
    async run(server) {
      const client = await Client.open(server);
      client.send("GET /never HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n");
      await holds(() => client.isEnded, PATIENCE_MS);
      client.close();
      return said(client);
    },
  },
  {
    what: "a client that does not read its answer (2 s)",
    settings: TIGHT,
    async run(server) {
      const client = await Client.open(server);
      client.send("GET /big HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n");
      client.pause();
      await Bun.sleep(PATIENCE_MS);
      client.resume();
      await holds(() => client.isEnded || client.received > 8 << 20, 1_000);
      client.close();
      return client.received > 8 << 20 ? "is waited for" : "is dropped";
    },
  },
];
