import { expect, test } from "bun:test";
import { LONG_BODY } from "#api/rpc/dispatch.ts";
import { RawConnection, rawHandshake, rpcBody } from "#test/helpers/raw-http.ts";
import { serveSample } from "#test/helpers/sample-server.ts";
import { untilTrue } from "#test/helpers/until-true.ts";
import { clientFrame } from "#test/helpers/ws-frames.ts";

/** Frame of a long request that runs on a query thread. */
function longFrame(id: number, block: number): Uint8Array {
  const request = rpcBody(id, "getBlockWithTxHashes", [{ block_number: block }]);
  return clientFrame(request + " ".repeat(LONG_BODY));
}

test("a long request waits until another one of its connection is answered, a short one does not", async () => {
  const begun: PromiseWithResolvers<void>[] = [];
  const queryPool = {
    async run() {
      const query = Promise.withResolvers<void>();
      begun.push(query);
      await query.promise;
      return Buffer.from('{"result":7}');
    },
  };
  const server = await serveSample({ queryPool });
  const raw = await RawConnection.open(server.port);
  raw.send(rawHandshake("/"));
  await raw.responses(1);
  raw.send(Buffer.concat([longFrame(1, 0), clientFrame(rpcBody(2, "chainId")), longFrame(3, 1)]));
  expect(await untilTrue(() => raw.rest.includes('"id":2') && begun.length > 0)).toBe(true);
  await Bun.sleep(250);
  expect(begun.length).toBe(1);
  begun[0]?.resolve();
  expect(await untilTrue(() => begun.length === 2)).toBe(true);
  begun[1]?.resolve();
  expect(await untilTrue(() => raw.rest.includes('"id":3'))).toBe(true);
  raw.close();
  await server.stop(0);
});
