import { signedUp } from "./people.ts";
import { mailIn } from "./server.ts";
import { seeError } from "./steps.ts";
import { expect, test } from "./story.ts";

test("a visitor writes to the consultancy", async ({ page, server }) => {
  await page.goto("/contact");
  await page.getByLabel("Name").fill("Ada Obi");
  await page.getByLabel("Email").fill("ada@example.org");
  await page.getByLabel("Message", { exact: true }).fill("When does the January intake close?");
  await page.getByRole("button", { name: "Send message" }).click();
  const thanks = page.getByRole("heading", { name: "Thank you, your message is on its way" });
  await expect(thanks).toBeFocused();
  await expect(page.getByText("ada@example.org")).toBeVisible();
  const to = await server.find((line) => {
    const mail = mailIn(line);
    return mail?.subject?.startsWith("Contact form: message from") ? mail.to : null;
  });
  expect(to).toBe("support@wayfare.example");

  await page.getByRole("button", { name: "Write another message" }).click();
  await expect(page.getByLabel("Message", { exact: true })).toHaveValue("");
});

test("missing fields are shown, and typed text is kept", async ({ page }) => {
  await page.goto("/contact");
  const send = page.getByRole("button", { name: "Send message" });
  await page.getByLabel("Message", { exact: true }).fill("A question");
  await send.click();
  await seeError(page, "Contact Error", "Please enter your name.", null);
  await expect(page.getByLabel("Name")).toBeFocused();
  await page.getByLabel("Name").fill("Ada Obi");
  await page.getByLabel("Email").fill("ada@");
  await send.click();
  await seeError(page, "Contact Error", "Please enter a valid email address.", null);
  await expect(page.getByLabel("Email")).toBeFocused();
  await expect(page.getByLabel("Message", { exact: true })).toHaveValue("A question");
});

test("a signed-in user finds name and address filled in", async ({ page, server }) => {
  const ada = await signedUp(page, server.url, "student");
  await page.goto("/contact");
  await expect(page.getByLabel("Name")).toHaveValue("Ada Obi");
  await expect(page.getByRole("textbox", { name: "Email" })).toHaveValue(ada.email);
});

test("the field that only programs see is hidden from people", async ({ page }) => {
  await page.goto("/contact");
  await expect(page.getByRole("textbox")).toHaveCount(3);
  await page.getByRole("textbox", { name: "Message" }).focus();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("main").getByRole("link", { name: "Privacy" })).toBeFocused();
});
