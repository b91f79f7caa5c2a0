/** Loaded before each test file of a run, in addition to `test/preload.ts`: measures the file's processor time. */
import { afterAll } from "bun:test";
import { COSTS_VARIABLE, noteCosts } from "./file-costs.ts";

const target = process.env[COSTS_VARIABLE];
if (target !== undefined) afterAll(noteCosts(target, () => Bun.main));
