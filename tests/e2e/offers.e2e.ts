import type { Locator, Page } from "@playwright/test";
import { applicationForm } from "#tests/support/applications.ts";
import { textIn } from "#tests/support/caller.ts";
import { call } from "./call.ts";
import { nameOf, type Person, searchableStudent, signedInAsAdmin } from "./people.ts";
import { expect, test } from "./story.ts";

/** Moves a new application to where its offer can come, and returns it as staff see it. */
async function applicationAtUniversity(office: Page, page: Page, origin: string, student: Person) {
  const id = textIn(await call(page.request, origin, "applications/submit", applicationForm), "id");
  for (const [place, to] of ["inReview", "sentToUniversity"].entries())
    await call(office.request, origin, "applications/move", {
      applicationId: id,
      version: place + 1,
      to,
      note: "Agreed with the student by telephone.",
    });
  await office.goto(`/manage-students?search=${encodeURIComponent(nameOf(student))}`);
  await office.getByRole("button", { name: `View Applications of ${nameOf(student)}` }).click();
  return office
    .getByRole("dialog", { name: `Applications for ${nameOf(student)}` })
    .getByRole("article", { name: applicationForm.program });
}

const conditions = ["IELTS 6.5 overall", "Final transcript", "Application fee"];

async function enterOffer(office: Page, theirs: Locator): Promise<void> {
  await theirs.getByLabel("Next step").selectOption("Conditional offer");
  await theirs.getByRole("button", { name: "Enter the offer" }).click();
  const form = office.getByRole("dialog", { name: "Conditional offer" });
  for (const [place, text] of conditions.entries()) {
    if (place > 0) await form.getByRole("button", { name: "Add a condition" }).click();
    await form.getByLabel("What is asked for").nth(place).fill(text);
  }
  const replyBy = form.getByRole("group", { name: "Reply by" });
  await replyBy.getByLabel("Due (optional)").fill("2099-08-12");
  await replyBy.getByLabel("Time (optional)").fill("17:00");
  await form.getByLabel("Amount").fill("4,000");
  await form.getByRole("button", { name: "Save step and offer" }).click();
  await expect(form).toBeHidden();
}

test("an offer with three conditions is entered, met and accepted, and its deposit is paid", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const ada = await searchableStudent(page, server.url);
  const office = await anotherBrowser();
  await signedInAsAdmin(office, server.url);
  const theirs = await applicationAtUniversity(office, page, server.url, ada);
  await page.goto("/student-dashboard");
  await enterOffer(office, theirs);

  await expect(page.getByRole("heading", { name: "Meet the conditions of your offer" })).toBeVisible();
  await page.getByRole("button", { name: "See the offer" }).click();
  const mine = page.getByRole("article", { name: applicationForm.program });
  const offer = mine.getByRole("region", { name: "Your offer" });
  await expect(offer.getByText("17:00 on 12 August 2099 in London")).toBeVisible();
  await expect(offer.getByText("GBP\u00a04,000.00")).toBeVisible();
  await offer.getByLabel("Your ranking").selectOption("First choice");

  const condition = (at: Locator, text: string) => at.getByRole("listitem").filter({ hasText: text });
  for (const text of conditions) {
    await offer.getByRole("button", { name: `I've met this: ${text}` }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Send" }).click();
    await expect(condition(offer, text).getByText("Being checked")).toBeVisible();
  }
  // The page of the staff who check updates automatically.
  await theirs.getByRole("button", { name: "Send back: IELTS 6.5 overall" }).click();
  const reason = office.getByRole("dialog", { name: "Send condition back" });
  await reason.getByLabel("Reason").fill("Please upload the certificate.");
  await reason.getByRole("button", { name: "Send back" }).click();
  await expect(offer.getByText("Please upload the certificate.")).toBeVisible();
  await offer.getByRole("button", { name: "I've met this: IELTS 6.5 overall" }).click();
  await page.getByLabel("Anything we should know?").fill("It is uploaded now.");
  await page.getByRole("dialog").getByRole("button", { name: "Send" }).click();
  await expect(theirs.getByText("It is uploaded now.")).toBeVisible();
  for (const text of conditions) {
    await theirs.getByRole("button", { name: `Mark as met: ${text}` }).click();
    await expect(condition(offer, text).getByText("Met", { exact: true })).toBeVisible();
  }
  await expect(theirs.getByText("The next step is possible: Unconditional offer.")).toBeVisible();

  await office.goto("/offers");
  const row = office.getByRole("listitem").filter({ hasText: nameOf(ada) });
  await expect(row).toContainText("3 of 3 conditions met");
  await expect(row).toContainText("First choice");
  await row.getByRole("link", { name: nameOf(ada) }).click();
  const opened = office.getByRole("main");
  await opened.getByRole("combobox", { name: "Next step" }).selectOption("Unconditional offer");
  await opened.getByRole("button", { name: "Save step" }).click();
  await mine.getByRole("button", { name: "Accept offer" }).click();
  const question = page.getByRole("dialog", { name: "Accept offer" });
  await question.getByRole("button", { name: "Accept offer" }).click();
  await expect(mine.getByText("Accepted", { exact: true })).toBeVisible();
  await expect(opened.getByText("Accepted", { exact: true }).first()).toBeVisible();

  await opened.getByRole("button", { name: "Mark deposit as paid" }).click();
  const payment = office.getByRole("dialog", { name: "Deposit paid" });
  await payment.getByLabel("Paid on").fill("2026-01-09");
  await payment.getByRole("button", { name: "Mark as paid" }).click();
  await expect(offer.getByText("Paid on 9 Jan 2026, marked by")).toBeVisible();
  await opened.getByRole("button", { name: "Deposit isn't paid" }).click();
  await expect(opened.getByRole("button", { name: "Mark deposit as paid" })).toBeVisible();
  await expect(offer.getByText("Paid on")).toBeHidden();
});
