import { L1Error } from "#base/errors/index.ts";
import { EndpointFault } from "../endpoint/fault.ts";
import type { Member } from "./member.ts";
import type { EndpointPool } from "./pool.ts";

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
): Promise<T> {
  const answers: { readonly member: Member; readonly value: T }[] = [];
  const left = members.filter(({ isLeft }) => !isLeft);
  for (;;) {
    // Two at once: the second one is needed anyhow.
    const next = left.splice(0, answers.length === 0 ? 2 : 1);
    const [first] = answers;
    if (next.length === 0) {
      if (first === undefined) throw pool.silence();
      if (answers.length === 1) return first.value;
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

function odd({ name }: Member, what: string): EndpointFault {
  return new EndpointFault("contradiction", `${name} contradicts two others about ${what}`);
}
