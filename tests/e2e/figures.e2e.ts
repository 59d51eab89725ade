import { randomUUID } from "node:crypto";
import type { Locator, Page } from "@playwright/test";
import { numberOfStudents } from "#domain/student-list.ts";
import { studentsPerPage } from "#protocol/page-sizes.ts";
import { applicationForm } from "#tests/support/applications.ts";
import { textIn } from "#tests/support/caller.ts";
import { uploadHeaders } from "#tests/support/documents.ts";
import { pdf } from "#tests/support/files.ts";
import { offerForm } from "#tests/support/offers.ts";
import { onSale } from "./auctioneer.ts";
import { call } from "./call.ts";
import { approvedAgent, idAt, searchableStudent, signedInAsAdmin, waitingAgent } from "./people.ts";
import type { Server } from "./server.ts";
import { results } from "./steps.ts";
import { expect, test } from "./story.ts";

// Follows every link of a dashboard, including those to other stories' data.
test.slow();

/** Signs in an admin and an agent, whose three students have something of every figure. */
async function consultancy(server: Server, anotherBrowser: () => Promise<Page>) {
  const [office, desk] = [await anotherBrowser(), await anotherBrowser()];
  await signedInAsAdmin(office, server.url);
  await approvedAgent(desk, office, server);
  const agentId = await idAt(desk, server.url);
  const byAdmin = (procedure: string, input: object) => call(office.request, server.url, procedure, input);
  for (const work of ["paper", "offer", "nothing"] as const) {
    const student = await anotherBrowser();
    await searchableStudent(student, server.url);
    const studentId = await idAt(student, server.url);
    await byAdmin("students/assign", { studentId, agentId, expectedAgentId: null });
    const byStudent = (procedure: string, input: object) =>
      call(student.request, server.url, procedure, input);
    if (work === "nothing") continue;
    const applicationId = textIn(await byStudent("applications/submit", applicationForm), "id");
    if (work === "paper") {
      await byStudent("conversations/send", { studentId, key: randomUUID(), text: "Is it any good?" });
      const headers = { ...uploadHeaders("cv.pdf"), origin: server.url };
      await student.request.post(`${server.url}/files/documents/cv`, { headers, data: pdf() });
    } else {
      const note = "Agreed with the student by telephone.";
      for (const [place, to] of ["inReview", "sentToUniversity"].entries())
        await byAdmin("applications/move", { applicationId, version: place + 1, to, note });
      const offer = { ...offerForm, conditions: [] };
      const entered = { applicationId, version: 3, offer, to: "unconditionalOffer" };
      await byAdmin("offers/save", entered);
    }
  }
  return { office, desk };
}

type Figure = { name: string; href: string; number: number };

/** Reads a dashboard's figures once loaded: each entry has one link and, by default at its end, a number. */
async function figuresIn(entries: Locator, pattern = /(\d+)$/): Promise<Figure[]> {
  await expect(entries.first()).toBeVisible();
  const figures: Figure[] = [];
  for (const entry of await entries.all()) {
    const link = entry.getByRole("link");
    const name = await link.innerText();
    const number = Number(pattern.exec((await entry.innerText()).trim())?.[1] ?? Number.NaN);
    figures.push({ name, href: (await link.getAttribute("href")) ?? "", number });
  }
  return figures;
}

async function opensStudents(page: Page, figures: readonly Figure[]): Promise<void> {
  for (const { name, href, number } of figures) {
    await page.goto(href);
    await expect(results(page), name).toHaveText(numberOfStudents(number));
  }
}

const workLists = (page: Page) =>
  page.getByRole("region", { name: "Students by application" }).getByRole("listitem");

test("every figure and bar of the admin's dashboard opens a list of that length", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const { office } = await consultancy(server, anotherBrowser);
  await waitingAgent(page, server);
  await onSale(server, page);
  await office.goto("/admin-dashboard");
  const overview = office.getByRole("region", { name: "Overview" });
  const figure = (name: string) =>
    overview.getByRole("listitem").filter({ has: office.getByRole("link", { name, exact: true }) });
  const bars = await figuresIn(overview.getByRole("row").filter({ has: office.getByRole("rowheader") }));
  expect(bars.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["No application yet", "Submitted", "Unconditional offer"]),
  );
  const lists = await figuresIn(workLists(office));
  expect(lists.map(({ name }) => name)).toEqual(expect.arrayContaining(["Submitted", "Canada"]));
  const number = async (name: string) => Number(/\d+/.exec(await figure(name).innerText())?.[0]);
  const documents = await figuresIn(figure("Documents to review"), /of (\d+) students?/);
  const [agents, offers] = [await number("Agents waiting"), await number("Offers to answer")];
  const [auctions, mails] = [await number("Auctions ending soon"), await number("Failed emails")];
  const everybody = overview.getByRole("caption").getByRole("link");
  const total = Number.parseInt(await everybody.innerText(), 10);

  await figure("Agents waiting").getByRole("link").click();
  await expect(office.getByRole("tab", { selected: true })).toHaveText(`Pending Approvals (${agents})`);
  await everybody.click();
  await expect(results(office)).toHaveText(
    total > studentsPerPage ? `The first ${studentsPerPage} students` : numberOfStudents(total),
  );
  await office.goBack();
  await figure("Offers to answer").getByRole("link").click();
  const offerList = office.getByRole("list", { name: "Offers to answer" });
  await expect(offerList.locator("> li")).toHaveCount(offers);
  await office.goBack();
  await figure("Auctions ending soon").getByRole("link").click();
  await expect(results(office)).toHaveText(auctions === 1 ? "1 auction" : `${auctions} auctions`);
  await office.goBack();
  await figure("Failed emails").getByRole("link").click();
  expect(mails).toBe(0);
  await expect(results(office)).toHaveText("No failed jobs");
  await opensStudents(office, [...documents, ...bars, ...lists]);
});

test("every figure of the agent's dashboard opens a list of that length", async ({
  server,
  anotherBrowser,
}) => {
  const { desk } = await consultancy(server, anotherBrowser);
  await desk.goto("/agent-dashboard");
  const groups = desk.getByRole("heading", { level: 3 }).filter({ has: desk.getByRole("link") });
  const waiting = await figuresIn(groups);
  expect(waiting).toEqual([
    { name: "Documents to review", href: expect.any(String), number: 1 },
    { name: "Applications to work on", href: expect.any(String), number: 1 },
    { name: "Answers and offers", href: expect.any(String), number: 1 },
  ]);
  const lists = await figuresIn(workLists(desk));
  expect(lists.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["Submitted", "Unconditional offer", "Messages to answer", "Canada"]),
  );
  await expect(desk.getByText("1 open offer.")).toBeVisible();
  await desk.getByRole("link", { name: "See offers" }).click();
  await expect(desk.getByRole("list", { name: "Offers to answer" }).locator("> li")).toHaveCount(1);
  await opensStudents(desk, [...waiting, ...lists]);
});
