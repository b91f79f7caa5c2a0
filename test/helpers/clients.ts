import { Caller } from "#api/rpc/index.ts";

/** Client of submissions in tests, with the address 192.0.2.1. */
export const CLIENT = new Caller("192.0.2.1");

/** Second client of submissions in tests, with the address 192.0.2.2. */
export const OTHER_CLIENT = new Caller("192.0.2.2");
