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

/** Form of an object store's address. */
export const STORE_FORM = "s3://BUCKET/PREFIX?endpoint=URL&region=NAME";

/** Minimum and maximum silence of a leader before takeover, milliseconds. */
const TAKEOVER_MS = { min: 2_000, max: 600_000 };

/** Limits of `--takeover-hold`. Full nodes wait 20 s for a sequencer's response to a transaction. */
const TAKEOVER_HOLD_MS = { min: 0, max: 60_000 };

/** Covers several attempts of a put over a slow connection to the store. */
const PUBLISH_TIMEOUT_MS = { min: 5_000, max: 3_600_000 };

/**
 * Options for sequencers of one chain on several machines, and for nodes that follow their published blocks.
 */
export const replicationOptions = {
  publishGate: valueOption(
    {
      flag: "publish-gate",
      value: "STORE",
      group,
      summary: `object store where a sequencer publishes each block before it is announced: ${STORE_FORM}`,
    },
    STORE_FORM,
    readObjectStoreUrl,
    null,
  ),
  standby: switchOption({
    flag: "standby",
    group,
    summary: "follow the sequencer that publishes there, and take over when it stops responding",
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
        "maximum time for which a non-leading sequencer holds submissions during a change of leader; 0s holds none",
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
        "maximum time that a block of the leading sequencer waits for the store while the store still accepts its heartbeats; then it gives up leadership and stops with exit code 1",
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
      summary: "gateway address of this sequencer, for the other sequencers",
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
        "object store from which a full node reads blocks, instead of a gateway; transactions go to --gateway-url",
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
        "file with AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and optionally AWS_SESSION_TOKEN as NAME=VALUE lines, readable only by its owner",
      defaultText: "they are read from the environment",
    },
    "a file",
    readText,
    null,
  ),
  trustClock: switchOption({
    flag: "trust-clock",
    group: "Chain",
    summary: "produce blocks even if the clock is more than 60 s behind the newest block",
  }),
};

type Given = ParsedArguments<typeof replicationOptions>;

/** Options that only sequencers use. */
export const GATE_OPTIONS: readonly Option<unknown>[] = [
  replicationOptions.publishGate,
  replicationOptions.standby,
  replicationOptions.takeoverAfter,
  replicationOptions.takeoverHold,
  replicationOptions.publishTimeout,
  replicationOptions.advertiseGateway,
  replicationOptions.trustClock,
];

/** Absolute path of the file with a store's keys; `null` when they are in the environment. */
export function credentialsFileOf({
  objectStoreCredentialsFile: file,
}: Pick<Given["options"], "objectStoreCredentialsFile">): string | null {
  return file === null ? null : resolve(file);
}

/** Returns the store of an option, with its credentials file. */
export function storeOf(
  { options }: Pick<Given, "options">,
  url: Omit<ObjectStoreOptions, "credentialsFile"> | null,
): ObjectStoreOptions | null {
  return url && { ...url, credentialsFile: credentialsFileOf(options) };
}

/**
 * Returns how a sequencer shares its chain; `null` when it does not.
 *
 * @throws {ConfigError} when an option has no effect without another one
 */
export function replicationOf(given: Given): ReplicationOptions | null {
  const { options } = given;
  const store = storeOf(given, options.publishGate);
  if (store === null) {
    if (options.standby) {
      throw wrongOption(given.given, "standby", "requires the store to follow: set --publish-gate");
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
