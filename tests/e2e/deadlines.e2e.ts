import type { Locator } from "@playwright/test";
import { applicationForm } from "#tests/support/applications.ts";
import { textIn } from "#tests/support/caller.ts";
import { inLondon, offerForm } from "#tests/support/offers.ts";
import { call } from "./call.ts";
import { idAt, searchableStudent, signedInAsAdmin } from "./people.ts";
import { expect, test } from "./story.ts";

// In August noon in London is eleven at night in Auckland, and five in the afternoon is four the next morning.
test.use({ timezoneId: "Pacific/Auckland" });

test("a student far away reads a deadline by both clocks, and both dates are highlighted where they differ", async ({
  page,
  server,
  anotherBrowser,
}) => {
  await searchableStudent(page, server.url);
  const studentId = await idAt(page, server.url);
  const office = await anotherBrowser();
  await signedInAsAdmin(office, server.url);
  const byAdmin = (procedure: string, input: object) => call(office.request, server.url, procedure, input);
  for (const [title, time] of [
    ["Pay the deposit", "17:00"],
    ["Call the embassy", "12:00"],
  ] as const) {
    const due = inLondon("2099-08-12", time);
    await byAdmin("planner/addTask", { studentId, title, text: "", owner: "student", due });
  }
  const id = textIn(await call(page.request, server.url, "applications/submit", applicationForm), "id");
  const note = "Agreed with the student by telephone.";
  for (const [place, to] of ["inReview", "sentToUniversity"].entries())
    await byAdmin("applications/move", { applicationId: id, version: place + 1, to, note });
  const replyBy = inLondon("2099-08-12", "12:00");
  const deposit = { ...offerForm.deposit, due: inLondon("2099-08-12", "17:00") };
  const offer = { ...offerForm, replyBy, deposit };
  await byAdmin("offers/save", { applicationId: id, version: 3, offer, to: "conditionalOffer" });

  const there = (time: string) => `${time} on 12 August 2099 in London`;
  const nextDay = "04:00 on 13 August 2099 your time";
  const emphasized = (place: Locator) => place.getByRole("strong").filter({ hasText: "August" });
  await page.goto("/student-dashboard");
  const task = (title: string) => page.getByRole("listitem", { name: title });
  await expect(emphasized(task("Pay the deposit"))).toHaveText([there("17:00"), nextDay]);
  await expect(task("Call the embassy")).toContainText(`${there("12:00")}; 23:00 your time`);
  await expect(emphasized(task("Call the embassy"))).toHaveCount(0);

  await page.goto(`/application/${id}`);
  const section = page.getByRole("region", { name: "Your offer" });
  await expect(section).toContainText(`Reply by ${there("12:00")} (23:00 your time)`);
  await expect(emphasized(section)).toHaveText([`${there("17:00")} (${nextDay})`]);
});
