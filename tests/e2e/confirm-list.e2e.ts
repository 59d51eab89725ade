import { uploadHeaders } from "#tests/support/documents.ts";
import { pdf } from "#tests/support/files.ts";
import { call } from "./call.ts";
import { approvedAgent, emailedCode, idAt, searchableStudent, signedInAsAdmin } from "./people.ts";
import { seeError } from "./steps.ts";
import { expect, test } from "./story.ts";

test.use({ expectsRefusals: true });

test("a student confirms a list with an emailed code, and a thief who only knows the password can't", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const [desk, office, thief] = [await anotherBrowser(), await anotherBrowser(), await anotherBrowser()];
  await signedInAsAdmin(office, server.url);
  await approvedAgent(desk, office, server);
  const { email, password } = await searchableStudent(page, server.url);
  const [studentId, agentId] = [await idAt(page, server.url), await idAt(desk, server.url)];
  const asAgent = (procedure: string, input: object) => call(desk.request, server.url, procedure, input);
  await asAgent("students/assign", { studentId, agentId, expectedAgentId: null });
  const { id } = (await call(page.request, server.url, "applications/submit", {
    program: "MSc Data Science",
    highestStudyLevel: "Postgraduate",
    country: ["GB"],
    startDate: "Spring Intake (January)",
    additionalInfo: "",
  })) as { id: string };
  await asAgent("applications/move", { applicationId: id, version: 1, to: "inReview", note: "" });
  await asAgent("applications/askConfirmation", { applicationId: id });

  await page.goto(`/application/${id}`);
  const confirm = page.getByRole("button", { name: "Confirm this list" });
  await confirm.click();
  await page.getByRole("button", { name: "Email me a code" }).click();
  await expect(page.getByText(`We've emailed a code to ${email}.`)).toBeVisible();
  const code = page.getByLabel("Code from the email");
  await code.fill("1234 5678");
  await confirm.click();
  const wrong = "This code isn't valid. Please check it and try again.";
  await seeError(page, "Not confirmed", wrong, "auth/invalid-verification-code");
  await expect(code).toHaveValue("1234 5678");

  // The typed code survives a second code that can't be sent and a change of the list.
  await page.route("**/rpc/signInMethods/sendMailboxCode", (route) => route.fulfill({ status: 429 }));
  await page.getByRole("button", { name: "Send another code" }).click();
  const failure = page.getByRole("dialog", { name: "Not sent" });
  await failure.getByRole("button", { name: "OK" }).click();
  await expect(code).toHaveValue("1234 5678");
  await page.request.post(`${server.url}/files/documents/cv`, {
    headers: { ...uploadHeaders("cv.pdf"), origin: server.url },
    data: pdf(),
  });
  await expect(page.getByText(/^Something on this list has changed/)).toBeVisible();
  await expect(code).toHaveValue("1234 5678");

  await call(thief.request, server.url, "account/signIn", { email, password });
  await thief.goto(`/application/${id}`);
  await thief.getByRole("button", { name: "Confirm this list" }).click();
  await expect(
    thief.getByText("so that nobody who only knows your password can confirm this list."),
  ).toBeVisible();

  await code.fill(await emailedCode(server, email));
  await confirm.click();
  await expect(page.getByText(/^You've confirmed this list/)).toBeVisible();
  await expect(code).toBeHidden();
});
