import { L1Error } from "#base/errors/index.ts";
import { EndpointFault } from "../endpoint/fault.ts";
import type { Member } from "./member.ts";
import type { EndpointPool } from "./pool.ts";

/** Response of one endpoint. */
export interface Answer<T> {
  readonly member: Member;
  readonly value: T;
}

/** Decides which of two contradicting endpoints is wrong by its own data; `undefined` if undecidable. */
export type Judge<T> = (a: Answer<T>, b: Answer<T>) => Promise<Member | undefined>;

/**
 * {@link Judge} for values that no endpoint's own data can prove or refute: if two endpoints differ, only a
 * third one decides.
 */
export const NO_JUDGE = (): Promise<undefined> => Promise.resolve(undefined);

/**
 * Returns a value that two endpoints agree on, or the only response if just one endpoint responds. A failed
 * endpoint is replaced by the next one. If two differ, a third one decides, and without a third one the
 * judge.
 *
 * @param members - in order of preference
 * @param what - name of the value, for messages
 * @throws {L1Error} when no endpoint responds, or no two agree
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
  const remaining = members.filter(({ isAvoided }) => !isAvoided);
  for (;;) {
    // Two in parallel: the second response is needed in any case.
    const next = remaining.splice(0, answers.length === 0 ? 2 : 1);
    const [first, second] = answers;
    if (next.length === 0) {
      if (first === undefined) throw pool.unreachable();
      if (second === undefined) return first.value;
      const wrong = await judged(judge, first, second);
      if (wrong !== undefined && answers.length === 2) {
        const message = `${wrong.name} omits ${what} that its own receipts contain`;
        wrong.avoid(new EndpointFault("contradiction", message));
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
        if (!same.includes(each)) each.member.avoid(contradictsOthers(each.member, what));
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
    // A judge without a response decides nothing.
    return undefined;
  }
}

function contradictsOthers({ name }: Member, what: string): EndpointFault {
  return new EndpointFault("contradiction", `${name} contradicts two others about ${what}`);
}
