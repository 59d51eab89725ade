import { signUpForm } from "#tests/support/factories.ts";
import { callFrom, countStatuses } from "./call.ts";
import type { Figure } from "./measure.ts";
import { openServerFixture } from "./server-fixture.ts";

const [times, addresses] = [500, 50];

/** Sends 500 concurrent sign-ups of one email address, from 50 network addresses. */
export async function signUps(): Promise<Figure[]> {
  const { server, pool, stop } = await openServerFixture({ TRUST_PROXY: "1" });
  try {
    const form = signUpForm();
    const answers = await Promise.all(
      Array.from({ length: times }, (_, at) =>
        callFrom(server.url, `10.0.0.${(at % addresses) + 1}`, "account/signUp", form),
      ),
    );
    const { rowCount } = await pool.query(`select from "user" where email = $1`, [form.email]);
    const successes = answers.filter(({ status }) => status === 200).length;
    const failed = answers.filter(({ status }) => status === 500).length;
    const detail = countStatuses(answers);
    return [
      {
        name: "sign-ups of one address",
        value: successes,
        limit: "1",
        holds: successes === 1 && rowCount === 1,
        detail,
      },
      { name: "sign-ups: answers of 500", value: failed, limit: "0", holds: failed === 0, detail },
    ];
  } finally {
    await stop();
  }
}
