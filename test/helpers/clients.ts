import { Caller } from "#api/rpc/index.ts";

/** Client of a submission, at 192.0.2.1. */
export const CLIENT = new Caller("192.0.2.1");

/** Client at another address, 192.0.2.2. */
export const OTHER_CLIENT = new Caller("192.0.2.2");
