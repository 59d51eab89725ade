import type { Locator, Page } from "@playwright/test";
import { painted } from "#tests/support/pictures.ts";
import { call } from "./call.ts";
import { newPerson, signedInAsAdmin, signedUp } from "./people.ts";
import { fillLogin, loginButton, seeError } from "./steps.ts";
import { expect, test } from "./story.ts";
import { choose as chooseFiles, type File } from "./uploads.ts";

async function aPicture(name: string, colour: string): Promise<File> {
  return { name, mimeType: "image/jpeg", buffer: await painted(900, 700, colour).jpeg().toBuffer() };
}
const six = () => Promise.all([1, 2, 3, 4, 5, 6].map((at) => aPicture(`view-${at}.jpg`, "#336699")));

async function choose(page: Page, ...files: File[]): Promise<void> {
  await chooseFiles(page, "Choose files", ...files);
  // Everything below still moves until they are shown.
  for (const { name } of files) await expect(picture(page, name)).toBeVisible();
}

const picture = (page: Page, name: string): Locator => page.getByRole("listitem", { name });
const uploadButton = (page: Page): Locator =>
  page.getByRole("main").getByRole("button", { name: "Upload Product" });

/** Returns the time in this many days, in the format of a `datetime-local` input. */
function inDays(days: number): string {
  return new Date(Date.now() + days * 24 * 3_600_000).toISOString().slice(0, 16);
}

async function fill(page: Page, name: string): Promise<void> {
  await page.getByLabel("Product name").fill(name);
  await page.getByLabel("Description").fill("Used for one semester.");
  await page.getByLabel("Category", { exact: true }).selectOption("Electronics");
  await page.getByLabel("Subcategory").selectOption("Laptops");
  await page.getByLabel("Grade").selectOption("Grade A");
  await page.getByLabel("Starting bid").fill("1 250,50");
  await expect(page.getByText("= R1,250.50")).toBeVisible();
  await page.getByLabel("Collection or delivery").fill("Collection in Cape Town");
  await page.getByLabel("End date").fill(inDays(3));
}

test("a visitor sees why to log in, and returns to the form", async ({ page, server }) => {
  const person = newPerson("student");
  await call(page.request, server.url, "account/signUp", { ...person, confirmPassword: person.password });
  await page.context().clearCookies();
  await page.goto("/upload-product");
  await expect(page.getByText("You must be logged in to upload a product.", { exact: true })).toBeVisible();
  await expect(loginButton(page)).toBeEnabled();
  await fillLogin(page, person);
  await expect(page.getByRole("heading", { name: "Upload Product" })).toBeVisible();
});

test.describe("at the form", () => {
  test.use({ expectsRefusals: true });

  test("a product with two pictures is uploaded, listed, viewed and deleted", async ({ page, server }) => {
    await signedUp(page, server.url, "agent");
    await page.goto("/product-list");
    await page.getByRole("link", { name: "Upload your first product" }).click();
    await uploadButton(page).click();
    await seeError(page, "Upload Error", "Please fill in all fields.", null);
    await fill(page, "Blue laptop");
    await uploadButton(page).click();
    await seeError(page, "Upload Error", "Please upload at least one image.", null);

    await choose(page, await aPicture("front.jpg", "#14213d"), {
      name: "back.jpg",
      mimeType: "image/jpeg",
      buffer: Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"),
    });
    await expect(picture(page, "back.jpg")).toContainText("Error This isn't a JPEG, PNG or WebP picture.");
    await uploadButton(page).click();
    await seeError(page, "Upload Error", "back.jpg isn't a JPEG, PNG or WebP picture.", "invalid-argument");
    await expect(picture(page, "front.jpg")).toContainText("Uploaded");
    await expect(picture(page, "back.jpg")).toContainText("Error This isn't a JPEG, PNG or WebP picture.");
    await page.getByRole("button", { name: "Remove back.jpg" }).click();
    await choose(page, await aPicture("side.jpg", "#0e5a4e"));
    await page.getByRole("button", { name: "Move earlier: side.jpg" }).click();
    await expect(picture(page, "side.jpg")).toContainText("Shown first");

    const paths: string[] = [];
    page.on("request", (request) => void paths.push(new URL(request.url()).pathname));
    await uploadButton(page).click();
    await expect(page.getByText("Product uploaded successfully!", { exact: true })).toBeVisible();
    await expect(page).toHaveURL(/\/product-list$/);
    // The picture that was uploaded already wasn't sent again.
    expect(paths.filter((path) => path === "/files/auction-pictures")).toHaveLength(1);

    const row = page.getByRole("listitem", { name: "Blue laptop" });
    await expect(row).toContainText("Open");
    await expect(row).toContainText("Starting bid R1,250.50");
    await expect(row).toContainText("0 bids");
    await expect(row.locator("img")).not.toHaveJSProperty("naturalWidth", 0);
    await row.getByRole("link", { name: "Blue laptop" }).click();
    await expect(page).toHaveURL(/\/product\/[0-9a-f-]{36}$/);
    await expect(page.getByText("Collection in Cape Town")).toBeVisible();
    await expect(page.getByText(/^Member since .* · no sales yet$/)).toBeVisible();

    await page.getByRole("button", { name: "Enlarge picture" }).click();
    const enlarged = page.getByRole("dialog", { name: /^Blue laptop, picture/ });
    await expect(enlarged).toHaveAccessibleName("Blue laptop, picture 1");
    await page.keyboard.press("ArrowRight");
    await expect(enlarged).toHaveAccessibleName("Blue laptop, picture 2");
    await enlarged.getByRole("button", { name: "Show full size" }).click();
    await enlarged.getByRole("button", { name: "Fit to window" }).click();
    await page.keyboard.press("Escape");
    await expect(enlarged).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Enlarge picture" })).toBeFocused();
    await page.goBack();
    await row.getByRole("button", { name: "Delete Blue laptop" }).click();
    await page
      .getByRole("dialog", { name: "Delete product" })
      .getByRole("button", { name: "Delete" })
      .click();
    await expect(page.getByText("Product deleted successfully!", { exact: true })).toBeVisible();
    await expect(page.getByText("Nothing for sale yet")).toBeVisible();
  });

  test("six pictures are refused after the fields, and nothing is uploaded", async ({ page, server }) => {
    await signedUp(page, server.url, "student");
    await page.goto("/upload-product");
    await choose(page, ...(await six()));
    const paths: string[] = [];
    page.on("request", (request) => void paths.push(new URL(request.url()).pathname));
    await uploadButton(page).click();
    await seeError(page, "Upload Error", "Please fill in all fields.", null);
    await fill(page, "Six views");
    await uploadButton(page).click();
    await seeError(page, "Upload Error", "You can upload a maximum of 5 images.", null);
    // The page's initial requests may still be pending.
    expect(paths.filter((path) => /^\/(files|rpc\/auctions)/.test(path))).toEqual([]);
    await page.getByRole("button", { name: "Remove view-6.jpg" }).click();
    await page.getByLabel("End date").fill(inDays(100));
    await uploadButton(page).click();
    await seeError(page, "Upload Error", "The end date must be 10 minutes to 90 days from now.", null);
    await page.getByLabel("End date").fill(inDays(30));
    await uploadButton(page).click();
    await expect(page.getByText("Product uploaded successfully!", { exact: true })).toBeVisible();
  });

  test("another category has other subcategories, with none of them chosen; typed text is kept", async ({
    page,
    server,
  }) => {
    await signedUp(page, server.url, "student");
    await page.goto("/upload-product");
    await page.getByLabel("Product name").fill("Winter coat");
    await page.getByLabel("Category", { exact: true }).selectOption("Electronics");
    await page.getByLabel("Subcategory").selectOption("Accessories");
    await page.getByLabel("Category", { exact: true }).selectOption("Fashion");
    await expect(page.getByLabel("Subcategory")).toHaveValue("");
    await expect(page.getByLabel("Subcategory").locator("option")).toHaveText([
      "Choose a subcategory",
      "Clothing",
      "Shoes",
      "Accessories",
    ]);
    await page.getByLabel("Subcategory").selectOption("Clothing");
    await choose(page, await aPicture("coat.jpg", "#781d2c"));
    await page.getByRole("link", { name: "What each grade means" }).click();
    await expect(page).toHaveURL(/\/grading-guide$/);
    await page.goBack();
    await expect(page.getByLabel("Product name")).toHaveValue("Winter coat");
    await expect(page.getByLabel("Subcategory")).toHaveValue("Clothing");
    await expect(picture(page, "coat.jpg")).toBeVisible();
  });

  test("a product that an admin removed meanwhile can't be deleted, and the page says why", async ({
    page,
    server,
    anotherBrowser,
  }) => {
    await signedUp(page, server.url, "student");
    await page.goto("/upload-product");
    await fill(page, "Contested laptop");
    await choose(page, await aPicture("laptop.jpg", "#555555"));
    await uploadButton(page).click();
    const link = page.getByRole("link", { name: "Contested laptop" });
    const productId = (await link.getAttribute("href"))?.split("/").at(-1);
    const office = await anotherBrowser();
    await signedInAsAdmin(office, server.url);
    await call(office.request, server.url, "auctions/remove", { productId, reason: "It is stolen." });
    await page.getByRole("button", { name: "Delete Contested laptop" }).click();
    await page
      .getByRole("dialog", { name: "Delete product" })
      .getByRole("button", { name: "Delete" })
      .click();
    await seeError(page, "Product Error", "Failed to delete product. Product not found!", "not-found");
    await expect(page.getByText("Nothing for sale yet")).toBeVisible();
  });
});
