import { afterEach, describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { openListeners } from "#app/node/query/rpc/listeners.ts";
import { nodeOptions } from "#test/helpers/node-options.ts";
import { gatewayOptions } from "#test/helpers/options.ts";
import { roomyBytes } from "#test/helpers/held-bytes.ts";

const SILENT_LOG = { warn: () => undefined };
const BUDGET = { rpcConnections: 2, gatewayConnections: 1, warning: undefined };

let disposables = new AsyncDisposableStack();
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await disposables.disposeAsync();
  disposables = new AsyncDisposableStack();
});

/**
 * Sends a request that is not answered before the node is ready.
 * @returns the received text
 */
function ask(port: number): { readonly text: () => string } {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  let text = "";
  socket.on("data", (bytes: Buffer) => void (text += bytes.toString()));
  socket.write("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n");
  return { text: () => text };
}

describe("the metrics endpoint", () => {
  const host = "127.0.0.1";
  const openOnTakenPort = async (isOptional: boolean, warnings: string[]) => {
    using other = Bun.listen({ hostname: host, port: 0, socket: { data: () => undefined } });
    const options = await nodeOptions({ metrics: { host, port: other.port, isOptional } });
    return await openListeners(options, BUDGET, roomyBytes(), disposables, {
      warn: (message: string) => void warnings.push(message),
    });
  };

  test("is skipped by default if its port is taken", async () => {
    const warnings: string[] = [];
    expect((await openOnTakenPort(true, warnings)).metrics).toBeNull();
    expect(warnings).toEqual([expect.stringMatching(/^no metrics: .*--metrics-port/)]);
  });

  test("prevents the start if its port was configured and is taken", () => {
    expect(openOnTakenPort(false, [])).rejects.toMatchObject({ code: "NODE_PORT_TAKEN" });
  });
});

describe("the listeners of a node", () => {
  test("limit connections to the file budget", async () => {
    const gateway = gatewayOptions();
    const options = await nodeOptions({ gateway, metrics: null });
    const { rpc, gateway: second } = await openListeners(
      options,
      BUDGET,
      roomyBytes(),
      disposables,
      SILENT_LOG,
    );
    const held = [ask(rpc.port), ask(rpc.port)];
    while (rpc.connections < 2) await Bun.sleep(1);
    const refused = ask(rpc.port);
    while (refused.text() === "") await Bun.sleep(1);
    expect(refused.text()).toContain("the node has reached its connection limit: 2");
    expect(held.map(({ text }) => text())).toEqual(["", ""]);
    second?.serve(() => new Promise(() => undefined));
    ask(second?.port ?? 0);
    while (second?.connections === 0) await Bun.sleep(1);
    const over = ask(second?.port ?? 0);
    while (over.text() === "") await Bun.sleep(1);
    expect(over.text()).toContain("reached its connection limit: 1");
  });
});
