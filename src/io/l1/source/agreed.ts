import { L1Error } from "#base/errors/index.ts";
import { EndpointFault } from "../endpoint/fault.ts";
import type { Member } from "./member.ts";
import type { EndpointPool } from "./pool.ts";

/** What an endpoint answered. */
export interface Answer<T> {
  readonly member: Member;
  readonly value: T;
}

/** Who of two is wrong by its own word; `undefined`: nobody can tell. */
export type Judge<T> = (a: Answer<T>, b: Answer<T>) => Promise<Member | undefined>;

/** Where nothing but a third one can tell. */
export const NO_JUDGE = (): Promise<undefined> => Promise.resolve(undefined);

/**
 * What two endpoints tell alike, where there are two; the first that fails is left for the next. Where
 * they differ, a third one tells who is right.
 *
 * @param members - in the order in which they are asked
 * @param what - what is asked, for texts
 * @throws {L1Error} when none answers, or none agrees with another
 */
export async function agreed<T>(
  pool: EndpointPool,
  members: readonly Member[],
  what: string,
  ask: (member: Member) => Promise<T>,
  isSame: (a: T, b: T) => boolean,
  judge: Judge<T>,
): Promise<T> {
  const answers: Answer<T>[] = [];
  const left = members.filter(({ isLeft }) => !isLeft);
  for (;;) {
    // Two at once: the second one is needed anyhow.
    const next = left.splice(0, answers.length === 0 ? 2 : 1);
    const [first, second] = answers;
    if (next.length === 0) {
      if (first === undefined) throw pool.silence();
      if (second === undefined) return first.value;
      const wrong = await judged(judge, first, second);
      if (wrong !== undefined && answers.length === 2) {
        const message = `${wrong.name} leaves out of the ${what} what its own receipts have`;
        wrong.leave(new EndpointFault("contradiction", message));
        return (wrong === first.member ? second : first).value;
      }
      const names = answers.map(({ member }) => member.name).join(" and ");
      const message = `L1's endpoints ${names} contradict each other about ${what}`;
      throw new L1Error("L1_CONTRADICTION", message, true);
    }
    await Promise.all(
      next.map(async (member) => {
        try {
          answers.push({ member, value: await ask(member) });
        } catch (cause) {
          pool.failed(member, cause);
        }
      }),
    );
    for (const { value } of answers) {
      const same = answers.filter((each) => isSame(each.value, value));
      if (same.length < 2) continue;
      for (const each of answers) {
        if (!same.includes(each)) each.member.leave(odd(each.member, what));
      }
      return value;
    }
  }
}

async function judged<T>(judge: Judge<T>, a: Answer<T>, b: Answer<T>): Promise<Member | undefined> {
  try {
    return await judge(a, b);
  } catch (cause) {
    if (!(cause instanceof EndpointFault) || cause.kind === "stopped") throw cause;
    // Whoever did not answer says nothing about who is right.
    return undefined;
  }
}

function odd({ name }: Member, what: string): EndpointFault {
  return new EndpointFault("contradiction", `${name} contradicts two others about ${what}`);
}
