import { expect, test } from "bun:test";
import fc from "fast-check";
import { INVOKE } from "#test/helpers/broadcasted.ts";
import { assertProperty } from "#test/helpers/property.ts";
import { RawConnection, rawPost, rpcBody } from "#test/helpers/raw-http.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { serveSample } from "#test/helpers/sample-server.ts";

const READ = rawPost(rpcBody(1, "blockNumber"));
const ADD = rawPost(rpcBody(2, "addInvokeTransaction", [INVOKE]));
const HEALTH = "GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n";
const CHUNKS =
  "POST / HTTP/1.1\r\nhost: 127.0.0.1\r\ntransfer-encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n\r\n";

const LAST = HEALTH.replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n");

/** Bytes that are mostly requests, with damage anywhere. */
const damaged = fc
  .tuple(
    fc.array(fc.constantFrom(READ, ADD, ADD, HEALTH, CHUNKS), { minLength: 1, maxLength: 6 }),
    fc.array(
      fc.tuple(
        fc.nat(),
        fc.nat(6),
        fc.constantFrom(
          "",
          "\r\n",
          "\0",
          ":",
          "\xff\xfe",
          "content-length: 7\r\n",
          "{",
          "chunked",
          "0",
        ),
      ),
      { maxLength: 3 },
    ),
  )
  .map(([requests, damages]) => {
    let bytes = requests.join("") + LAST;
    for (const [at, removed, inserted] of damages) {
      const place = at % bytes.length;
      bytes = bytes.slice(0, place) + inserted + bytes.slice(place + removed);
    }
    return bytes;
  });

test("on any bytes, the server executes nothing without a response, and continues", async () => {
  let executed = 0;
  const accept = async () => {
    executed++;
    await Bun.sleep(1);
    return { kind: "accepted", transactionHash: 0xabcdefn } as const;
  };
  const submit = { submit: accept, declare: accept };
  const server = await serveSample({
    context: sampleContext({ submit }),
    timeouts: { headersMs: 1_000, requestMs: 1_000, idleMs: 5_000 },
  });
  await assertProperty(
    fc.asyncProperty(damaged, fc.nat(400), async (bytes, cut) => {
      executed = 0;
      const connection = await RawConnection.open(server.port);
      // In two parts, so that the parser stops anywhere.
      connection.send(bytes.slice(0, cut));
      await Bun.sleep(1);
      connection.send(bytes.slice(cut));
      const answers = await connection.responses(100, 15_000);
      connection.close();
      const told = answers.filter(({ body }) => body.includes('"transaction_hash":"0xabcdef"'));
      expect(told.length).toBe(executed);
      const after = await RawConnection.open(server.port);
      expect((await after.send(HEALTH).responses(1))[0]?.status).toBe(200);
      after.close();
    }),
    { numRuns: 100 },
  );
  await server.stop();
}, 300_000);
