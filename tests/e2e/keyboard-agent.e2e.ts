import { pdf } from "#tests/support/files.ts";
import { call } from "./call.ts";
import { pick, press, tabTo, type } from "./keyboard.ts";
import { approvedAgent, nameOf, searchableStudent, signedInAsAdmin, waitingAgent } from "./people.ts";
import { agentCard, isHydrated } from "./steps.ts";
import { expect, test } from "./story.ts";
import { slot } from "./uploads.ts";

/** 1280 by 1024 at 400% zoom: every student is a card. */
test.use({ contextOptions: { reducedMotion: "reduce" }, viewport: { width: 320, height: 256 } });

test("an agent finds a student, rejects a document and moves the application on", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const [desk, office] = [await anotherBrowser(), await anotherBrowser()];
  const ada = await searchableStudent(desk, server.url);
  const name = nameOf(ada);
  await desk.request.post("/files/documents/cv", {
    headers: {
      "content-type": "application/octet-stream",
      "x-csrf-token": "orpc",
      "x-file-name": "cv.pdf",
      origin: server.url,
    },
    data: pdf(),
  });
  await call(desk.request, server.url, "applications/submit", {
    program: "LLM Law",
    highestStudyLevel: "Foundation",
    country: ["IE"],
    startDate: "Spring Intake (January)",
    additionalInfo: "",
  });
  await signedInAsAdmin(office, server.url);
  await approvedAgent(page, office, server);

  await page.goto("/agent-dashboard");
  await isHydrated(page);
  await press(page, page.getByRole("link", { name: "View students" }));
  await type(page, page.getByRole("searchbox"), ada.lastName);
  const card = page.getByRole("row", { name });
  await expect(page.getByRole("row")).toHaveCount(2);
  // Name, email, phone and two more of the twelve fields; one of six documents.
  await expect(card).toContainText("1 of 6 documents · 1 to review");
  await expect(card).toContainText("No agent yet");
  await press(page, page.getByRole("columnheader", { name: "Name" }).getByRole("button"));
  await expect(page.getByRole("columnheader", { name: "Name" })).toHaveAttribute("aria-sort", "descending");

  await press(page, card.getByRole("button", { name: `Assign Agent: ${name}` }));
  await press(page, page.getByRole("dialog").getByRole("button", { name: "Assign to me" }));
  await expect(card.getByRole("button", { name: `Reassign: ${name}` })).toBeFocused();
  await tabTo(page, card.getByRole("button", { name, exact: true }), "Shift+Tab");
  await page.keyboard.press("Enter");
  await press(page, slot(page, "CV").getByRole("button", { name: "Reject CV" }));
  const question = page.getByRole("dialog", { name: "Reject CV" });
  await expect(question.getByLabel("Reason")).toBeFocused();
  await page.keyboard.type("It is too dark.");
  await press(page, question.getByRole("button", { name: "Reject" }));
  await expect(slot(page, "CV")).toContainText("It is too dark.");
  // The button that opened the dialog is gone after the decision.
  await expect(slot(page, "CV")).toBeFocused();

  await tabTo(page, card.getByRole("button", { name: `View Applications of ${name}` }), "Shift+Tab");
  await page.keyboard.press("Enter");
  const application = page.getByRole("article", { name: "LLM Law" });
  await pick(page, application.getByLabel("Next step"), "In review");
  await press(page, application.getByRole("button", { name: "Save step" }));
  await expect(application.getByText("In review", { exact: true })).toBeVisible();
  // The form is gone with its state; the focus stays with the application.
  await expect(application.and(page.locator(":focus, :has(:focus)"))).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(card.getByRole("button", { name: `View Applications of ${name}` })).toBeFocused();
});

test("an admin approves an agent, moves through the tabs and disables the agent", async ({
  page,
  server,
  anotherBrowser,
}) => {
  const kofi = await waitingAgent(await anotherBrowser(), server);
  await signedInAsAdmin(page, server.url);
  await page.goto("/admin-dashboard");
  await isHydrated(page);
  const card = agentCard(page, nameOf(kofi));
  await press(page, card.getByRole("button", { name: "Approve" }));
  await expect(card).toBeHidden();
  // The focus moves to the next waiting agent, if there is one.
  await expect(page.locator("main:focus, main :focus")).toHaveCount(1);
  await tabTo(page, page.getByRole("tab", { name: "Pending Approvals" }));
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("tab", { name: "Approved Agents" })).toBeFocused();
  await press(page, card.getByRole("button", { name: "Disable" }));
  await expect(page.getByRole("dialog").getByRole("button", { name: "Cancel" })).toBeFocused();
  await press(page, page.getByRole("dialog").getByRole("button", { name: "Disable" }));
  await expect(card).toBeHidden();
  await expect(page.getByRole("main").locator(":focus").or(page.locator("main:focus"))).toHaveCount(1);
});
