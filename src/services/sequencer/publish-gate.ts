/**
 * Asked after a block's commit returned and before anything about the block leaves the process. A
 * sequencer with a standby writes the bundle to a shared store here, and a refusal tells it that
 * another one took over: the block stays unpublished and the node stops.
 *
 * @param bundle - makes the block's canonical bytes; only gates that use them pay for them
 */
export type PublishGate = (
  blockNumber: number,
  epoch: number,
  bundle: () => Uint8Array,
) => Promise<"published" | "refused">;

/** The gate of a sequencer that stands alone: everything is published at once. */
export const openGate: PublishGate = () => Promise.resolve("published");
