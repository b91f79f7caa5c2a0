import { describe, expect, test } from "bun:test";
import { FULL_NODE } from "#app/node/threads/roles/full-node.ts";
import { SEQUENCER } from "#app/node/threads/roles/sequencer.ts";
import { connectGrowth, type Growth } from "#app/node/threads/growth.ts";
import type { DeltaMessage } from "#services/admission/index.ts";
import type { AcceptedMessage } from "#services/sequencer/index.ts";
import type { SyncToQuery } from "#services/sync/index.ts";
import { fakePort } from "#test/helpers/fake-port.ts";

const DELTA: DeltaMessage = { kind: "delta", blockNumber: 4, sequence: 1, bytes: new Uint8Array() };
const ACCEPTED = { kind: "accepted", blockNumber: 4 } as AcceptedMessage;

/** Connections of a thread, limited to those that the role names. */
function connections(names: readonly string[]) {
  const ports = new Map(names.map((name) => [name, fakePort<SyncToQuery, never>()] as const));
  const connect = (name: string) => {
    const port = ports.get(name);
    if (port === undefined) throw new RangeError(`no connection with ${name}`);
    return port as never;
  };
  return { ports, connect };
}

/** Collects what is received from now on. */
function heard({ deltas, accepted }: Growth): string[] {
  const lines: string[] = [];
  deltas.listen((message) =>
    lines.push(message.kind === "delta" ? `delta ${message.sequence}` : message.kind),
  );
  accepted.listen(({ blockNumber }) => lines.push(`block ${blockNumber}`));
  return lines;
}

describe("chain growth", () => {
  test("comes from the executor and the committer in a sequencer", () => {
    const { ports, connect } = connections(["executor", "committer"]);
    const lines = heard(connectGrowth({ growth: SEQUENCER.threads.growth, connect }));
    ports.get("executor")?.tell(DELTA);
    ports.get("committer")?.tell(ACCEPTED);
    expect(lines).toEqual(["delta 1", "block 4"]);
  });

  test("comes from one thread in a full node, in its order", () => {
    const { ports, connect } = connections(["sync"]);
    const lines = heard(connectGrowth({ growth: FULL_NODE.threads.growth, connect }));
    ports.get("sync")?.tell(DELTA);
    ports.get("sync")?.tell(ACCEPTED);
    ports.get("sync")?.tell({ ...DELTA, sequence: 2 });
    ports.get("sync")?.tell({ kind: "pendingDropped" });
    ports.get("sync")?.tell({ ...DELTA, sequence: 0 });
    expect(lines).toEqual(["delta 1", "block 4", "delta 2", "pendingDropped", "delta 0"]);
  });

  test("throws for a thread without growth sources", () => {
    const { connect } = connections([]);
    expect(() => connectGrowth({ growth: null, connect })).toThrow("growth sources");
  });
});
