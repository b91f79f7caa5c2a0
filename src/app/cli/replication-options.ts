import { resolve } from "node:path";
import type { ReplicationOptions } from "#app/node/index.ts";
import type { ObjectStoreOptions } from "#io/objects/index.ts";
import { DURATION_FORM } from "#protocol/config/index.ts";
import { readObjectStoreUrl } from "#io/objects/index.ts";
import { wrongOption } from "./given.ts";
import {
  type Option,
  readDuration,
  readInteger,
  readText,
  readUrl,
  switchOption,
  valueOption,
} from "./option.ts";
import type { ParsedArguments } from "./parse-arguments.ts";

const group = "Several machines";

/** What an address of an object store looks like. */
export const STORE_FORM = "s3://BUCKET/PREFIX?endpoint=URL&region=NAME";

/** Least and most milliseconds that a leader may be silent. */
const TAKEOVER_MS = { min: 2_000, max: 600_000 };

/** Full nodes wait 20 s for a sequencer's response to a transaction. */
const TAKEOVER_HOLD_MS = { min: 0, max: 60_000 };

/** Several attempts of a put on a slow way to the store. */
const PUBLISH_TIMEOUT_MS = { min: 5_000, max: 3_600_000 };

/** Sequencers of one chain on several machines, and nodes that follow what they publish. */
export const replicationOptions = {
  publishGate: valueOption(
    {
      flag: "publish-gate",
      value: "STORE",
      group,
      summary: `object store where a sequencer publishes each block before anybody hears of it: ${STORE_FORM}`,
    },
    STORE_FORM,
    readObjectStoreUrl,
    null,
  ),
  standby: switchOption({
    flag: "standby",
    group,
    summary: "follow the sequencer that publishes there, and take its place when it falls silent",
  }),
  takeoverAfter: valueOption(
    {
      flag: "takeover-after",
      value: "MS",
      group,
      summary: "silence of the leading sequencer after which a standby takes over, in milliseconds",
    },
    `integer from ${TAKEOVER_MS.min} to ${TAKEOVER_MS.max}`,
    readInteger(TAKEOVER_MS.min, TAKEOVER_MS.max),
    4_000,
  ),
  takeoverHold: valueOption(
    {
      flag: "takeover-hold",
      value: "DURATION",
      group,
      summary:
        "longest time that a sequencer that does not lead holds submissions while the chain changes its leader; 0s: it holds none",
      defaultText: "15s",
    },
    `${DURATION_FORM}, from 0s to 1min`,
    readDuration(TAKEOVER_HOLD_MS.min, TAKEOVER_HOLD_MS.max),
    15_000,
  ),
  publishTimeout: valueOption(
    {
      flag: "publish-timeout",
      value: "DURATION",
      group,
      summary:
        "time that a block of the leading sequencer may wait for the store while the store takes its signs of life; then it gives up leadership and ends with exit code 1",
      defaultText: "10s",
    },
    `${DURATION_FORM}, from 5s to 1h`,
    readDuration(PUBLISH_TIMEOUT_MS.min, PUBLISH_TIMEOUT_MS.max),
    10_000,
  ),
  advertiseGateway: valueOption(
    {
      flag: "advertise-gateway",
      value: "URL",
      group,
      summary: "address at which the other sequencers reach this one's gateway",
      defaultText: "where --gateway-port listens",
    },
    "http:// or https:// address",
    readUrl,
    null,
  ),
  follow: valueOption(
    {
      flag: "follow",
      value: "STORE",
      group,
      summary:
        "object store that a full node takes blocks from, in the place of a gateway; transactions go to --gateway-url",
    },
    STORE_FORM,
    readObjectStoreUrl,
    null,
  ),
  objectStoreCredentialsFile: valueOption(
    {
      flag: "object-store-credentials-file",
      value: "FILE",
      group,
      summary:
        "file with AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and, where there is one, AWS_SESSION_TOKEN as NAME=VALUE lines, readable by its owner alone",
      defaultText: "the environment has them",
    },
    "a file",
    readText,
    null,
  ),
  trustClock: switchOption({
    flag: "trust-clock",
    group: "Chain",
    summary: "make blocks although the clock is more than 60 s behind the newest block",
  }),
};

type Given = ParsedArguments<typeof replicationOptions>;

/** Options that only sequencers look at. */
export const GATE_OPTIONS: readonly Option<unknown>[] = [
  replicationOptions.publishGate,
  replicationOptions.standby,
  replicationOptions.takeoverAfter,
  replicationOptions.takeoverHold,
  replicationOptions.publishTimeout,
  replicationOptions.advertiseGateway,
  replicationOptions.trustClock,
];

/** The whole path of the file with a store's keys; `null`: the environment has them. */
export function credentialsFileOf({
  objectStoreCredentialsFile: file,
}: Pick<Given["options"], "objectStoreCredentialsFile">): string | null {
  return file === null ? null : resolve(file);
}

/** The store of an option. */
export function storeOf(
  { options }: Pick<Given, "options">,
  url: Omit<ObjectStoreOptions, "credentialsFile"> | null,
): ObjectStoreOptions | null {
  return url && { ...url, credentialsFile: credentialsFileOf(options) };
}

/**
 * How a sequencer shares its chain.
 *
 * @throws {ConfigError} when an option says nothing without another one
 */
export function replicationOf(given: Given): ReplicationOptions | null {
  const { options } = given;
  const store = storeOf(given, options.publishGate);
  if (store === null) {
    if (options.standby) {
      throw wrongOption(given.given, "standby", "needs the store to follow: give --publish-gate");
    }
    return null;
  }
  return {
    store,
    standby: options.standby ? { takeoverAfterMs: options.takeoverAfter } : null,
    publishTimeoutMs: options.publishTimeout,
    takeoverHoldMs: options.takeoverHold,
    advertisedGateway: options.advertiseGateway,
  };
}
