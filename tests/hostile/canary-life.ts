import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { webhook } from "#server/features/notifications/tables.ts";
import { contractProcedures } from "#tests/access/input-fields.ts";
import { input } from "#tests/access/inputs.ts";
import { bid, product } from "#tests/support/auctions.ts";
import { authenticatorOf } from "#tests/support/authenticator.ts";
import { AuthenticatorDevice } from "#tests/support/authenticator-device.ts";
import { Caller } from "#tests/support/caller.ts";
import { send, uploadForMessage } from "#tests/support/conversations.ts";
import { assign, documentsOf, upload } from "#tests/support/documents.ts";
import { person, signUpForm } from "#tests/support/factories.ts";
import { addPasskey, optionsOf } from "#tests/support/passkeys.ts";
import { follow } from "#tests/support/recorded-answers.ts";
import { until, type Wayfare } from "#tests/support/wayfare.ts";
import { noteWord, planted, profileOf, word } from "./canary-words.ts";

/** Returns a valid input of a procedure with these ids in the fields of the same name. */
export const inputAbout = (path: string, ids: Record<string, string>): object =>
  Object.fromEntries(Object.entries(input[path] ?? {}).map(([name, value]) => [name, ids[name] ?? value]));

/**
 * Lives a student's life with the planted words in every field, and with every possible failure. Returns the student's
 * id and the secrets that were made for them. `events` gets the events that streams send to browsers.
 */
export async function liveWithCanaries(
  w: Wayfare,
  { mails, events }: { mails: readonly string[]; events: string[] },
): Promise<{ id: string; secrets: readonly string[] }> {
  const secrets: string[] = [];

  /** Makes every use of these tables fail during the work, with the values in the database's message. */
  async function without(tables: readonly string[], work: () => Promise<void>): Promise<void> {
    for (const table of tables) await w.asOwner(`alter table ${table} rename to ${table}_gone`);
    await work();
    for (const table of tables) await w.asOwner(`alter table ${table}_gone rename to ${table}`);
  }

  const tokenIn = async (subject: string, to: string): Promise<string> => {
    const mail = await until(async () => {
      await w.mailsAreDue();
      return mails.find((each) => each.includes(`To: ${to}`) && each.includes(subject));
    });
    const token = /token=([\w.-]+)/.exec(mail)?.[1] ?? "";
    secrets.push(token);
    return token;
  };
  const caller = () => new Caller(w.app, planted.address);
  /** Calls a procedure and expects its status, so that a broken test is noticed. */
  const called = async (who: Caller, procedure: string, input: unknown, status: number) =>
    expect((await who.call(procedure, input)).status, procedure).toBe(status);

  async function liveAStudentsLife(): Promise<{ student: Caller; id: string }> {
    const { password, email, phone } = planted;
    const names = { firstName: "Kanarie", lastName: "Kanarie-Mensah" };
    const student = caller();
    const form = signUpForm({ ...names, email, phone, password, confirmPassword: password });
    await called(student, "account.signUp", form, 200);
    await called(caller(), "account.signUp", form, 409);
    await called(student, "account.verifyEmail", { token: await tokenIn("verify", email) }, 200);
    await called(caller(), "account.verifyEmail", { token: `${word}-token` }, 410);
    await called(caller(), "account.signIn", { email, password: `${word} wrong` }, 401);
    await called(caller(), "account.requestPasswordReset", { email }, 200);
    const reset = await tokenIn("password", email);
    await called(caller(), "account.passwordLink", { token: reset }, 200);
    await called(student, "account.signIn", { email, password }, 200);
    secrets.push(...student.cookies.values());
    await called(student, "profile.save", { version: 0, profile: profileOf(email) }, 200);
    await called(student, "profile.changeEmail", { email: `new.${email}`, password }, 200);
    const { body } = await student.call("account.me");
    const id = /"id":"([\w-]+)"/.exec(JSON.stringify(body))?.[1] ?? "";
    const application = {
      program: "Kanarie Studies",
      highestStudyLevel: "Undergraduate",
      country: ["IE"],
      startDate: "Spring Intake (January)",
      additionalInfo: "Kanarie wants to study",
    };
    await called(student, "applications.submit", application, 200);
    await called(
      student,
      "shortlist.add",
      { university: "Kanarie", course: "Kanarie Studies", url: "https://kanarie.example/?q=kanarie" },
      200,
    );
    const agency = { role: "agent", email: planted.agentEmail, agency: "Kanarie & Co" } as const;
    await called(caller(), "account.signUp", signUpForm({ ...names, ...agency }), 200);
    await called(
      caller(),
      "contact.send",
      { name: "Kanarie", email, message: "Kanarie asks", website: "" },
      200,
    );
    return { student, id };
  }

  /** Logs in by a recovery code, removes the app and logs in with a passkey; collects all secrets on the way. */
  async function logInWithSecondFactor(student: Caller): Promise<void> {
    const { email, password } = planted;
    const { key, recoveryCodes } = await authenticatorOf({ caller: student });
    secrets.push(key, ...recoveryCodes);
    const [code = "", other = ""] = recoveryCodes;
    await without(["recovery_code"], async () => {
      await called(student, "signInMethods.renewRecoveryCodes", {}, 500);
      await called(caller(), "account.signIn", { email, password, code: other }, 500);
    });
    await called(caller(), "account.signIn", { email, password, code }, 200);
    await called(student, "signInMethods.removeAuthenticator", {}, 200);

    const device = new AuthenticatorDevice("https://wayfare.example");
    secrets.push(device.id);
    expect((await addPasskey(student, device)).status).toBe(200);
    const proof = async () => {
      const request = await optionsOf(caller(), "account.passkeyChallenge");
      secrets.push(request.challenge);
      return { passkey: device.get(request) };
    };
    const [late, twice] = [await proof(), await proof()];
    await without(["passkey"], () => called(caller(), "account.signInWithPasskey", late, 500));
    await called(caller(), "account.signInWithPasskey", twice, 200);
    await called(caller(), "account.signInWithPasskey", twice, 401);
  }

  async function failInEveryWay(student: Caller): Promise<void> {
    const { email } = planted;
    const seller = await person(w, "student", "active");
    const productId = await product(w, seller, { productName: "Kanarie cage", description: "For a Kanarie" });
    await without(["profile", "auction_bid", "document", "rate_limit"], async () => {
      await called(student, "profile.save", { version: 1, profile: profileOf(email) }, 500);
      await bid(student, productId, 777);
      expect((await upload({ caller: student }, { name: "Kanarie visa.pdf" })).status).toBe(500);
      await called(caller(), "account.signIn", { email, password: word }, 500);
      await called(
        caller(),
        "contact.send",
        { name: "Kanarie", email, message: "Kanarie", website: "" },
        500,
      );
    });
    // Simulates a bug in the search whose message contains the search.
    vi.spyOn(w.services.searches, "run").mockRejectedValueOnce(new Error(`no row for ${email}`));
    await called(caller(), "auctions.list", { search: word }, 500);
    // Makes a page fail to render.
    const state = await w.services.products.read(productId);
    if (!state) throw new Error("there is no such product");
    // This time is a whole number, but no valid date.
    const broken = { ...state, productName: word, endDate: Number.MAX_SAFE_INTEGER };
    vi.spyOn(w.services.products, "read").mockResolvedValueOnce(broken);
    expect((await w.app.request(`/product/${productId}?q=${word}`)).status).toBe(500);
    // Makes the mail server refuse a mail.
    await caller().call("account.signUp", signUpForm({ email: planted.refusedEmail, firstName: "Kanarie" }));
    await until(() => w.log.find(({ msg }) => msg === "a job failed"));
    // Sends invalid JSON.
    const headers = { "content-type": "application/json", "x-csrf-token": "orpc" };
    await w.app.request("/rpc/account/signIn", { method: "POST", headers, body: `{"json":{"email":${word}` });
  }

  async function ask(): Promise<void> {
    const pages = ["/", "/auctions", "/login", "/nowhere", "/reset-password", `/product/${word}`, `/${word}`];
    const headers = {
      "user-agent": word,
      referer: `https://wayfare.example/${word}`,
      cookie: `${word}=${word}; __Host-session=${word}`,
      "x-request-id": word,
      traceparent: word,
      "x-forwarded-for": planted.address,
    };
    for (const page of pages) await w.app.request(`${page}?search=${word}&token=${word}`, { headers });
    for (const path of [
      `/files/documents/${word}`,
      `/pictures/${word}/${word}`,
      `/rpc/${word}/${word}`,
      "/live",
    ])
      await w.app.request(`${path}?signature=${word}&topics=${word}`, { headers });
    const body = JSON.stringify({ name: word, code: word, places: [`${word}.js:1:1`], script: word });
    const type = { "content-type": "application/json", "content-length": String(body.length) };
    const report = { method: "POST", headers: { ...headers, ...type }, body };
    expect((await w.app.request("/browser-errors", report)).status).toBe(204);
  }

  /** Has an agent write notes and hand over with one; everyone else tries to read them. */
  async function writeNotes(student: Caller, agent: Caller, studentId: string, applicationId: string) {
    const form = { kind: "call", text: `A ${noteWord} on the roof` };
    await called(agent, "notes.addToStudent", { studentId, ...form }, 200);
    await called(agent, "notes.addToApplication", { applicationId, ...form }, 200);
    await called(agent, "notes.ofStudent", { studentId }, 200);
    await called(agent, "notes.ofApplication", { applicationId }, 200);
    const next = await person(w, "agent", "approved");
    const handOver = { studentId, agentId: next.id, note: `Mind the ${noteWord}` };
    const expectedAgentId = (await agent.api.account.me()).viewer?.id ?? null;
    await called(agent, "students.assign", { ...handOver, expectedAgentId }, 200);
    for (const who of [student, agent])
      for (const [name, input] of [
        ["notes.ofStudent", { studentId }],
        ["notes.addToStudent", { studentId, kind: "call", text: noteWord }],
        ["notes.ofApplication", { applicationId }],
      ] as const)
        expect((await who.call(name, input)).status).toBeGreaterThanOrEqual(400);
    for (const who of [student, agent])
      for (const { path, reads } of contractProcedures())
        if (reads) await who.call(path, inputAbout(path, { studentId, applicationId }));
    for (const name of ["applications.mine", "students.dashboard", "looks.mine", "notifications.list"])
      await called(student, name, {}, 200);
    for (const name of ["students.details", "applications.ofStudent"])
      await called(agent, name, { studentId }, 200);
    await assign(w, studentId, expectedAgentId);
    // Makes a note fail with its text in the database's message.
    await without(["note_pin"], async () => {
      await called(agent, "notes.ofStudent", { studentId }, 500);
    });
    await without(["note"], async () => {
      await called(agent, "notes.addToStudent", { studentId, ...form }, 500);
    });
  }

  /** Has student and agent exchange messages with files; the agent's webhook and the student's mail are notified. */
  async function talk(student: Caller, agent: Caller, studentId: string, applicationId: string) {
    const file = await uploadForMessage({ caller: student }, studentId, "Kanarie letter.pdf");
    const question = { text: "Zeisig asks: is 777 3141 right?", files: [file.id] };
    const { threadId } = await send({ caller: student }, studentId, { ...question, applicationId });
    await send({ caller: agent }, studentId, { text: "Zeisig answers", applicationId });
    for (const each of [student, agent]) await called(each, "conversations.messages", { threadId }, 200);
    await without(["message"], () =>
      called(student, "conversations.send", { studentId, key: randomUUID(), text: "Zeisig fails" }, 500),
    );
    await called(student, "conversations.send", { studentId, key: "Zeisig", text: "Zeisig" }, 400);
  }

  async function workWithDocuments(student: Caller, id: string): Promise<void> {
    const agent = await person(w, "agent", "approved");
    await assign(w, id, agent.id);
    const url = "https://127.0.0.1/kanarie?key=kanarie";
    await w.services.database.db
      .insert(webhook)
      .values({ userId: agent.id, url, events: ["document.uploaded", "message.received"] });
    for (const each of [student, agent.caller, (await person(w, "admin", "active")).caller])
      await follow(each, events);
    expect((await upload({ caller: student }, { name: "Kanarie passport.pdf" })).status).toBe(200);
    await until(() => w.log.find(({ msg }) => msg === "a job is tried again"));
    await agent.caller.call("students.details", { studentId: id });
    await agent.caller.call("students.list", { search: word });
    // The following calls notify agents, student and admins, by bell, by event and by mail.
    expect((await agent.caller.call("students.identity", { studentId: id })).status).toBe(200);
    const own = await student.call("applications.mine");
    const [, applicationId = ""] = /"id":"([\w-]+)"/.exec(JSON.stringify(own.body)) ?? [];
    const move = { applicationId, version: 1, to: "inReview", note: "Seen" };
    expect((await agent.caller.call("applications.move", move)).status).toBe(200);
    await student.call("profile.mine");
    await writeNotes(student, agent.caller, id, applicationId);
    await talk(student, agent.caller, id, applicationId);
    const sharedPages = [`/application/${applicationId}`, "/messages", "/auctions", "/"];
    for (const [who, pages] of [
      [student, ["/student-profile", "/student-dashboard", "/who-looked", ...sharedPages]],
      [agent.caller, ["/manage-students", `/manage-students?student=${id}`, "/today", ...sharedPages]],
    ] as const)
      for (const page of pages) expect((await who.request(page, { method: "GET" })).status, page).toBe(200);
    const [document] = await documentsOf(w, id);
    if (!document) throw new Error("there is no document");
    const { body } = await agent.caller.call("documents.link", { documentId: document.id, mode: "download" });
    const path = /"(\/files[^"]+)"/.exec(JSON.stringify(body))?.[1] ?? "";
    secrets.push(path.split("?")[1] ?? "");
    await (await agent.caller.request(path, {})).text();
    // The missing files are logged.
    await rm(join(w.environment.dataDir, "files"), { recursive: true });
    await (await agent.caller.request(path, {})).text();
  }

  const { student, id } = await liveAStudentsLife();
  await workWithDocuments(student, id);
  await logInWithSecondFactor(student);
  await ask();
  await failInEveryWay(student);
  return { id, secrets };
}
