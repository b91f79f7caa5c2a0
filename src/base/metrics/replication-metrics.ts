import { Counter, Gauge, type Registry } from "prom-client";

/** What a sequencer tells of sharing its chain with others; on full nodes all of it stays 0. */
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
      help: "1 on the sequencer that makes the blocks, 0 on all others",
      registers,
    }),
    epoch: new Gauge({
      name: "appchain_epoch",
      help: "Epoch of the blocks that a sequencer makes or, as a standby, follows",
      registers,
    }),
    gateWaitingSeconds: new Gauge({
      name: "appchain_gate_waiting_seconds",
      help: "How long the newest block has been waiting to be published; 0 while none waits",
      registers,
    }),
    gatePublishedBlocks: new Counter({
      name: "appchain_gate_published_blocks",
      help: "Blocks published in the object store since start",
      registers,
    }),
    gateRetries: new Counter({
      name: "appchain_gate_retries",
      help: "Attempts since start to publish a block that the object store did not answer in order",
      registers,
    }),
    heldSubmissions: new Gauge({
      name: "appchain_held_submissions",
      help: "Submissions that wait here for a sequencer because none leads",
      registers,
    }),
  };
}
