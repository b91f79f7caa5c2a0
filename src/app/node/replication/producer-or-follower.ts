import type { Production } from "../production/production.ts";
import type { Follower } from "../sync/follower.ts";

/** Services of a role on the main thread: those of a block producer, or those of a node that follows one. */
export type ProducerOrFollower = Production | Follower;
