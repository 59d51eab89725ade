import { randomUUID } from "node:crypto";
import { createStudents, type Fixture } from "./fixture.ts";
import { type Figure, milliseconds, pair } from "./measure.ts";

/** Returns another address for every call, below the limits. */
const address = (at: number) => `10.0.${at >> 8}.${at & 255}`;
const unknown = () => `${randomUUID()}@example.org`;

function figure(name: string, [member, stranger]: readonly [number, number]): Figure {
  const value = member / stranger;
  const detail = `known ${milliseconds(member)}, unknown ${milliseconds(stranger)}`;
  return { name, value, limit: "0.95 to 1.05", holds: value >= 0.95 && value <= 1.05, detail };
}

/** Measures whether an answer's time reveals if an account exists: medians with a known and with an unknown address. */
export async function knownAndUnknown(fixture: Fixture): Promise<Figure[]> {
  const times = 150;
  const emails = await createStudents(fixture, times);
  const ask = (procedure: string, email: string, at: number) =>
    fixture.caller(address(at)).call(procedure, { email, password: "wrong password" });
  const login = (email: string, at: number) => ask("account.signIn", email, at);
  const reset = (email: string, at: number) => ask("account.requestPasswordReset", email, at);
  await pair(
    10,
    (at) => login(unknown(), at),
    (at) => reset(unknown(), at),
  );
  return [
    figure(
      "login, known ÷ unknown",
      await pair(
        times,
        (at) => login(emails[at] ?? "", at),
        (at) => login(unknown(), at),
      ),
    ),
    figure(
      "reset, known ÷ unknown",
      await pair(
        times,
        (at) => reset(emails[at] ?? "", at),
        (at) => reset(unknown(), at),
      ),
    ),
  ];
}
