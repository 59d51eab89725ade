import { createHmac, randomBytes } from "node:crypto";
import { createStudents, type Fixture, password } from "./fixture.ts";
import { type Figure, median, milliseconds } from "./measure.ts";

const rounds = 15;
const calls = 20_000;

/** Measures a cached session check against the bare HMAC of the same cookie's token, in turn. */
export async function sessionCheck(fixture: Fixture): Promise<Figure[]> {
  const [email = ""] = await createStudents(fixture, 1);
  const caller = fixture.caller();
  await caller.call("account.signIn", { email, password });
  const { cookie } = caller;
  const { check } = fixture.services.sessions;
  const token = fixture.services.signedCookies.readCookie(cookie) ?? "";
  const secret = randomBytes(32).toString("base64url");
  await check(cookie);

  const [checks, hmacs]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    let began = performance.now();
    for (let at = 0; at < calls; at++) await check(cookie);
    checks.push((performance.now() - began) / calls);
    began = performance.now();
    for (let at = 0; at < calls; at++) createHmac("sha256", secret).update(token).digest();
    hmacs.push((performance.now() - began) / calls);
  }
  const value = median(checks) / median(hmacs);
  const detail = `check ${milliseconds(median(checks))}, HMAC ${milliseconds(median(hmacs))}`;
  return [{ name: "session check ÷ bare HMAC", value, limit: "at most 5", holds: value <= 5, detail }];
}
