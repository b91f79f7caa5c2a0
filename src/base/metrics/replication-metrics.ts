import { Counter, Gauge, type Registry } from "./prom-client.ts";

/** Metrics of sequencers that share a chain; all 0 on full nodes. */
export interface ReplicationMetrics {
  readonly leader: Gauge;
  readonly epoch: Gauge;
  readonly gateWaitingSeconds: Gauge;
  readonly gatePublishedBlocks: Counter;
  readonly gateRetries: Counter;
  readonly heldSubmissions: Gauge;
}

/** Declares the metrics of sequencers that share a chain. */
export function createReplicationMetrics(registers: Registry[]): ReplicationMetrics {
  return {
    leader: new Gauge({
      name: "appchain_leader",
      help: "1 on the sequencer that produces the blocks, 0 on all others",
      registers,
    }),
    epoch: new Gauge({
      name: "appchain_epoch",
      help: "Epoch of the blocks that a sequencer produces or, as a standby, follows",
      registers,
    }),
    gateWaitingSeconds: new Gauge({
      name: "appchain_gate_waiting_seconds",
      help: "Seconds that the newest block has been waiting for publication; 0 while none waits",
      registers,
    }),
    gatePublishedBlocks: new Counter({
      name: "appchain_gate_published_blocks",
      help: "Blocks published in the object store since start",
      registers,
    }),
    gateRetries: new Counter({
      name: "appchain_gate_retries",
      help: "Failed attempts since start to publish a block in the object store",
      registers,
    }),
    heldSubmissions: new Gauge({
      name: "appchain_held_submissions",
      help: "Submissions queued here because no sequencer is the leader",
      registers,
    }),
  };
}
