import { soldItem } from "#tests/support/sales.ts";
import { inDatabase, openAsBidder, sellAnItem } from "./auctioneer.ts";
import { idAt, nameOf, signedInAsAdmin, signedUp } from "./people.ts";
import { seeError } from "./steps.ts";
import { expect, test } from "./story.ts";

test("a member reports an item, an admin answers, and the member reads it", async ({
  page: ada,
  server,
  anotherBrowser,
}) => {
  const desk = await sellAnItem(server, await anotherBrowser());
  await openAsBidder(ada, server, desk);
  await ada.getByRole("button", { name: "Report this item" }).click();
  const form = ada.getByRole("dialog", { name: "Report this item" });
  await form.getByLabel("What is wrong?").selectOption("Something else");
  await form.getByRole("button", { name: "Send report" }).click();
  await seeError(ada, "Report Error", "Please say what is wrong.", null);
  await form.getByLabel("What should we know?").fill("This is my own desk.");
  await form.getByRole("button", { name: "Send report" }).click();
  await expect(ada.getByText("Thank you. We'll look at it and tell you what we did.")).toBeVisible();

  const boss = await anotherBrowser();
  await signedInAsAdmin(boss, server.url);
  await boss.goto("/admin/trade-reports");
  const report = boss.getByRole("listitem").filter({ hasText: "This is my own desk." });
  await expect(report.getByRole("heading")).toHaveText("Item: Something else · Walnut writing desk");
  await expect(report.getByRole("link", { name: "Walnut writing desk" })).toHaveAttribute(
    "href",
    `/product/${desk}`,
  );
  await report.getByRole("button", { name: "Answer" }).click();
  const answer = boss.getByRole("dialog", { name: "Answer the report" });
  await answer.getByLabel("Answer").fill("We asked the seller, and took it off sale.");
  await answer.getByRole("button", { name: "Send answer" }).click();
  await expect(boss.getByText("The report was answered.")).toBeVisible();
  await expect(report).toHaveCount(0);
  await boss.getByRole("button", { name: "Answered" }).click();
  await expect(report).toContainText("We acted on it. We asked the seller, and took it off sale.");

  await ada.goto("/notifications");
  await expect(ada.getByText("We've looked at your report about Walnut writing desk")).toBeVisible();
  await expect(ada.getByText("We asked the seller, and took it off sale.")).toBeVisible();
});

test("a seller reports a question, and an admin hides it beside the report", async ({
  page: ada,
  server,
  anotherBrowser,
}) => {
  const seller = await anotherBrowser();
  const desk = await sellAnItem(server, seller);
  await openAsBidder(ada, server, desk);
  await ada.getByLabel("Ask the seller").fill("Who would pay that for such rubbish?");
  await ada.getByRole("button", { name: "Send question" }).click();
  await expect(ada.getByRole("list", { name: "Your open questions" })).toContainText("rubbish");

  await seller.goto(`/product/${desk}`);
  const open = seller.getByRole("list", { name: "Questions to answer" });
  await open.getByRole("button", { name: "Report this question" }).click();
  await seller.getByRole("dialog").getByRole("button", { name: "Send report" }).click();
  await expect(seller.getByText("Thank you. We'll look at it and tell you what we did.")).toBeVisible();

  const boss = await anotherBrowser();
  await signedInAsAdmin(boss, server.url);
  await boss.goto("/admin/trade-reports");
  const report = boss.getByRole("listitem").filter({ hasText: "Who would pay that for such rubbish?" });
  await expect(report.getByRole("heading")).toHaveText(
    "Question: They are rude or threatening · Walnut writing desk",
  );
  await report.getByRole("button", { name: "Hide as admin" }).click();
  const reason = boss.getByRole("dialog", { name: "Hide question" });
  await reason.getByLabel("Reason").fill("It is rude.");
  await reason.getByRole("button", { name: "Hide", exact: true }).click();
  await expect(report.getByText("Hidden", { exact: true })).toBeVisible();
  await seller.reload();
  await expect(open).toHaveCount(0);
});

test("buyer and seller report each other, and an admin reads whom each report is about", async ({
  page: buyer,
  server,
  anotherBrowser,
}) => {
  const [seller, boss] = [await anotherBrowser(), await anotherBrowser()];
  const buyersName = nameOf(await signedUp(buyer, server.url, "agent"));
  const sellersName = nameOf(await signedUp(seller, server.url, "agent"));
  const [sellerId, buyerId] = [await idAt(seller, server.url), await idAt(buyer, server.url)];
  const parties = { seller: { id: sellerId }, buyer: { id: buyerId } };
  const { productId } = await inDatabase(server, (store) => soldItem(store, parties));
  for (const page of [buyer, seller]) await page.goto(`/product/${productId}`);
  await buyer.getByRole("button", { name: "Report this item" }).click();
  await buyer.getByLabel("What is it about?").selectOption("The seller");
  await seller.getByRole("button", { name: "Report the buyer" }).click();
  for (const page of [buyer, seller]) {
    await page.getByLabel("What is wrong?").selectOption("They are rude or threatening");
    await page.getByRole("button", { name: "Send report" }).click();
    await expect(page.getByText("Thank you. We'll look at it and tell you what we did.")).toBeVisible();
  }
  await signedInAsAdmin(boss, server.url);
  await boss.goto("/admin/trade-reports");
  const report = (title: string) =>
    boss
      .getByRole("listitem")
      .filter({ hasText: buyersName, has: boss.getByRole("heading", { name: title }) });
  const about = (title: string) =>
    report(title)
      .getByRole("listitem")
      .filter({ hasText: /^About/ });
  await expect(about("Seller: They are rude or threatening")).toContainText(sellersName);
  await expect(about("Buyer: They are rude or threatening")).toContainText(buyersName);
});
