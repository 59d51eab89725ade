import { openAsBidder, panel, placeBid, sellAnItem } from "./auctioneer.ts";
import { signedInAsAdmin } from "./people.ts";
import { openBell } from "./steps.ts";
import { expect, test } from "./story.ts";

// In these stories, a page refetches a product that was taken off sale, and is refused.
test.use({ expectsRefusals: true });

test("a seller takes a product off sale: its page says so, and its bidders are told", async ({
  page: ada,
  server,
  anotherBrowser,
}) => {
  const seller = await anotherBrowser();
  const desk = await sellAnItem(server, seller);
  await openAsBidder(ada, server, desk);
  await placeBid(ada, "150");
  await expect(panel(ada).getByText("You're winning", { exact: true })).toBeVisible();
  await seller.goto(`/product/${desk}`);
  await panel(seller).getByRole("button", { name: "Delete Walnut writing desk" }).click();
  await seller.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await expect(seller.getByText("Product deleted successfully!", { exact: true })).toBeVisible();
  await expect(seller.getByRole("heading", { name: "Product not found!" })).toBeVisible();
  await expect(ada.getByRole("heading", { name: "Product not found!" })).toBeVisible();
  await expect((await openBell(ada)).getByText("Withdrawn: Walnut writing desk")).toBeVisible();
  await ada.goto("/my-bids");
  await expect(ada.getByText("Removed by the seller", { exact: true })).toBeVisible();
});

test("an admin takes a product off sale with a reason, which seller and bidders read", async ({
  page: ada,
  server,
  anotherBrowser,
}) => {
  const [seller, office] = [await anotherBrowser(), await anotherBrowser()];
  const desk = await sellAnItem(server, seller);
  await openAsBidder(ada, server, desk);
  await placeBid(ada, "150");
  await signedInAsAdmin(office, server.url);
  await office.goto(`/product/${desk}`);
  await panel(office).getByRole("button", { name: "Remove as admin" }).click();
  await office.getByLabel("Reason").fill("The pictures show another item.");
  await office.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(ada.getByRole("heading", { name: "Product not found!" })).toBeVisible();
  await ada.goto("/my-bids");
  await expect(ada.getByText("Removed by an administrator: The pictures show another item.")).toBeVisible();
  await seller.goto("/notifications");
  await expect(seller.getByText(/Reason: The pictures show another item\./)).toBeVisible();
});
